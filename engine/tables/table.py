"""A table at one moment as an immutable value: its seats, options, game, timer, notice, vote and hints.

`TableInfo` is what everyone may know besides the cards, `PublicTable` adds the public view of the game, and
`Table` holds everything, hidden cards included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from typing import Any, Self

from engine.cards import Card
from engine.languages import ENGLISH, N_, Language
from engine.names import NOBODY, look_of, told_apart
from engine.play.deal import Deal, Phase, with_seat
from engine.play.game import Game
from engine.play.moves import Dealt, Move, Passed, Played
from engine.play.par import Par
from engine.play.public import PublicDeal
from engine.play.views import PublicView, SeatView, public_view
from engine.players import Strength
from engine.players.advice import Advice
from engine.rules.ruleset import Ruleset
from engine.storage.results import Rated
from engine.tables.picks import Picks, Places, picked_by, picks_after
from engine.tables.plan import Plan, Timer
from engine.tables.seats import FormerOccupant, Invitation, Seat, SeatClaim, Seats

# What a host chooses, and who plays


class State(Enum):
    """The stages of a table's life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


class Pace(Enum):
    """The time that a player may think."""

    LIVE = "live"
    RELAXED = "relaxed"
    DAILY = "daily"
    NONE = "none"

    @property
    def seconds(self) -> float | None:
        """The time for a turn; None without end."""
        return {"live": 60.0, "relaxed": 600.0, "daily": 86_400.0, "none": None}[self.value]

    @property
    def grace(self) -> float:
        """Seconds for which a player who is away keeps their say and their place.

        A vote is open for as long, and cannot be repeated for as long once it has failed.
        """
        return {"live": 600.0, "relaxed": 1800.0, "daily": 86_400.0, "none": 86_400.0}[self.value]

    @property
    def title(self) -> str:
        """In words, to be said in a language."""
        return {
            "live": N_("live (60 seconds a turn)"),
            "relaxed": N_("relaxed (10 minutes a turn)"),
            "daily": N_("daily (24 hours a turn)"),
            "none": N_("no limit"),
        }[self.value]


class Hints(Enum):
    """The players who may ask what a strong player would do."""

    ALONE = "alone"  # anyone playing alone with computers
    EVERYBODY = "everybody"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays."""

    id: int
    name: str
    locale: str | None = None  # of the program through which they play, such as `pt-BR`


@dataclass(frozen=True, slots=True)
class DailyGame:
    """Which day's deals are played at a table that is no channel's, and the channel where that was begun."""

    day: str  # `2026-11-22`, by UTC
    channel: int


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """Which game of a tournament this is: the round's table of this number, both from 1.

    It ends after `deals` deals, or as it stands once its time is up.
    """

    tournament: int
    round: int
    number: int
    deals: int
    until: float  # when the round's time is up (seconds since 1970)
    #: The seats whose people have made most of their moves in each deal themselves.
    played: tuple[frozenset[int], ...] = ()
    #: The seats whose people have left on their own account, and aren't just away.
    left: frozenset[int] = frozenset()

    def has_played(self, seat: int) -> bool:
        """Whether this seat's person has played any of the deals."""
        return any(seat in deal for deal in self.played)


# The table


@dataclass(frozen=True, kw_only=True)  # without slots: what follows and is asked for often is found once
class TableInfo:
    """What everyone may know of a table besides its cards."""

    id: int
    guild: int  # 0 where no server has it
    channel: int  # of a private table a number below 0: see engine/storage/tables.py
    host: int
    rules: Ruleset
    state: State = State.LOBBY
    seats: Seats = field(default_factory=Seats)
    seat_claims: tuple[SeatClaim, ...] = ()  # for the next deal
    former_occupants: tuple[FormerOccupant, ...] = ()  # computers too
    invitations: tuple[Invitation, ...] = ()  # in the order of their messages, then by person
    takes_latecomers: bool = True  # whether computers' seats may be taken in the middle of the game
    first: int | None = None  # the person named to lead the first deal where the oldest does (C3)
    leads: int = 0  # the seat that is the oldest's in the game, once that has begun
    pace: Pace = Pace.NONE
    strength: Strength = Strength.MEDIUM  # of the computers that take the empty seats
    finishes_early: bool = True  # once the rest of a deal is decided, computers play it
    points_out_moons: bool = True  # say on the board who has taken every point so far
    hints: Hints = Hints.ALONE
    asked: tuple[Asked, ...] = ()  # the hints of which the table is told
    daily: DailyGame | None = None  # a private table's that is played with a day's deals
    tournament: TournamentGame | None = None
    #: In a tournament, by seat: the person's own moves in the last deal, less those that a computer made.
    margins: tuple[int, ...] = ()
    paused: bool = False  # nobody can see the table's channel through us
    plan: Plan | None = None  # of a lobby whose game starts by itself
    called_at: float | None = None  # when players were last called to a planned start (seconds since 1970)
    timer: Timer | None = None
    notice: Notice | None = None
    achieved: tuple[Achieved, ...] = ()  # for the first time, once the game is over
    rated: tuple[Rated, ...] = ()  # what the game has made of ratings, once it is over
    vote: Vote | None = None  # the last one, open or not
    moderator: str | None = field(default=None, compare=False)  # who has stopped the game as one; not stored
    language: Language = ENGLISH  # in which it is told
    #: By number of a finished deal, what strong computers make of the same cards, once that is known.
    pars: Mapping[int, Par] = field(default_factory=dict, hash=False)
    #: When the bot, or the table after a pause, came back (seconds since 1970): what was to be sent long
    #: before isn't sent any more. Not stored.
    resumed_at: float = field(default=0.0, compare=False)

    @cached_property
    def dialect(self) -> Language:
        """The table's language as the players of its game speak it."""
        return self.language.of_game(self.rules.preset.name)

    @cached_property
    def say(self) -> Callable[..., str]:
        """`Language.say` in that; found once, as every card says some twenty sentences."""
        return self.dialect.say

    @cached_property
    def say_count(self) -> Callable[..., str]:
        """`Language.say_count` in that."""
        return self.dialect.say_count

    def in_language(self, language: Language) -> Self:
        """The table for someone who reads this language."""
        return self if language is self.language else replace(self, language=language)

    @property
    def known(self) -> dict[str, Any]:
        """These fields by name, whatever else is known of the table."""
        return {field.name: getattr(self, field.name) for field in fields(TableInfo)}

    @cached_property
    def is_live(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in (State.LOBBY, State.PLAYING)

    @cached_property
    def has_people(self) -> bool:
        """Whether a person plays here, or will from the next deal on."""
        return bool(self.seat_claims or self.seats.people)

    @property
    def is_private(self) -> bool:
        """Whether one person plays here with computers, in one message of theirs instead of a channel."""
        return self.channel < 0

    @property
    def is_alone(self) -> bool:
        """Whether this is a private table where that person chooses what to play: no daily game."""
        return self.is_private and self.daily is None

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that can be taken with the next deal: computers play there, and nobody wants them yet.

        Not those of players who are only away. Where everybody has left, the next deal comes at once, and
        nobody could come back before: as long as there are others, theirs cannot be taken.
        """
        if self.state is not State.PLAYING or not self.takes_latecomers or self.is_private:
            return ()
        taken = self.seats.voters.union([claim.seat for claim in self.seat_claims])
        free = [number for number in range(len(self.seats)) if number not in taken]
        nobodys = [number for number in free if self.seats[number].person is None]
        return tuple(free if self.has_people or not nobodys else nobodys)

    @cached_property
    def kept(self) -> tuple[Invitation, ...]:
        """The people for whom a seat is kept in the lobby."""
        return tuple([one for one in self.invitations if one.kept_until is not None])

    @property
    def room(self) -> int:
        """The number of seats in the lobby for more people: those that nobody has, or only a computer."""
        return max(0, self.rules.players - self.seats.people_seated - len(self.kept))

    def invitation_of(self, person: int) -> Invitation | None:
        """How this person was asked to the table."""
        return next((one for one in self.invitations if one.person == person), None)

    @property
    def asks_all(self) -> bool:
        """Whether more than one has a say in how the game ends."""
        return self.state is State.PLAYING and len(self.seats.voters) > 1

    @property
    def vote_ends_at(self) -> float | None:
        """The time at which a vote ends (seconds since 1970); None if none is open."""
        is_open = self.vote is not None and self.vote.is_open and not self.paused
        return self.vote.until if self.vote and is_open else None

    @property
    def grace_ends_at(self) -> float | None:
        """The time at which the next absent player counts as having left (seconds since 1970)."""
        if self.state is not State.PLAYING or self.paused:
            return None
        return self.seats.kept_until

    @property
    def gives_hints(self) -> bool:
        """Whether the players may ask what a strong player would do."""
        return self.hints is Hints.EVERYBODY or (self.hints is Hints.ALONE and self.seats.are_for_one)

    @property
    def host_name(self) -> str | None:
        """The name of the host; None if they have been forgotten."""
        seat = self.seat_of(self.host)
        return None if seat is None else self.names[seat]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the seats' players are called wherever they are shown: those of one name are numbered."""
        return self._told_apart([seat.name for seat in self.seats])

    def name_of_guest(self, guest: SeatClaim | Invitation) -> str:
        """What this person is called beside the players of the seats, unless they are one."""
        number = self.seat_of(guest.person)
        return self._guests[guest.person] if number is None else self.names[number]

    @cached_property
    def _guests(self) -> dict[int, str]:
        """The names of the people who are to have a seat, or were asked to take one."""
        guests: tuple[SeatClaim | Invitation, ...] = (*self.seat_claims, *self.invitations)
        known = {one.person: one.name for one in guests if self.seat_of(one.person) is None}
        names = self._told_apart([*self.names, *known.values()])[len(self.seats) :]
        return dict(zip(known, names, strict=True))

    def _told_apart(self, names: Sequence[str]) -> tuple[str, ...]:
        unseen = self.language.say("(no name)")
        return told_apart(tuple([name if look_of(name) else unseen for name in names]))

    def places(self, totals: Sequence[int]) -> list[int]:
        """The place of each seat by these totals, from 1: players who have left share the last one."""
        sign = self.rules.winner.sign
        ranks = [
            (True, 0) if seat.has_left else (False, -sign * total)
            for seat, total in zip(self.seats, totals, strict=True)
        ]
        return [1 + sum(other < mine for other in ranks) for mine in ranks]

    def leaders(self, totals: Sequence[int]) -> tuple[int, ...]:
        """The seats that come first by these totals, several where they are level."""
        return tuple([seat for seat, place in enumerate(self.places(totals)) if place == 1])

    def seat_of(self, person: int) -> int | None:
        """The seat of this person, away or not; None if they have none."""
        return self.seats.by_person.get(person)

    def seat_in(self, person: int, deal: int) -> int | None:
        """The seat of this person in this deal (from 1); None if they had none."""
        number = self.seat_of(person)
        if number is not None and self.seats[number].since <= deal:
            return number
        theirs = (one for one in self.former_occupants if one.person == person)
        return next((one.seat for one in theirs if one.since <= deal <= one.until), None)

    def as_in(self, deal: int) -> Self:
        """The table with the occupants of this deal (from 1); one who has lost the seat since was away."""
        seats = list(self.seats)
        for one in self.former_occupants:
            if one.since <= deal <= one.until:
                person = None if one.person == NOBODY else one.person
                seats[one.seat] = Seat(person, one.name, away=person is not None, since=one.since)
        return self if seats == list(self.seats) else replace(self, seats=Seats(seats))

    def claim_of(self, person: int) -> SeatClaim | None:
        """This person's claim on a seat, to be taken with the next deal."""
        return next((claim for claim in self.seat_claims if claim.person == person), None)

    def claim_on(self, seat: int) -> SeatClaim | None:
        """The claim on this seat, to be taken with the next deal."""
        return next((claim for claim in self.seat_claims if claim.seat == seat), None)

    def concerns(self, person: int) -> bool:
        """Whether this person plays here, is about to, or did."""
        if self.seat_of(person) is not None or self.claim_of(person) is not None:
            return True
        return any(one.person == person for one in self.former_occupants)


@dataclass(frozen=True, kw_only=True)
class PublicTable(TableInfo):
    """A table as everyone sees it: all that a message in its channel can be made of."""

    view: PublicView | None  # None in the lobby

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won the game; none before its end."""
        return self.leaders(self.view.totals) if self.view and self.view.winners else ()


@dataclass(frozen=True, kw_only=True)
class Table(TableInfo):
    """A table at one moment, hidden cards and all; `game` is None in the lobby."""

    game: Game | None = None
    logged: int = 0  # how many of the game's moves its log holds
    unsaved: tuple[Move, ...] = ()  # those made since
    picks: Picks = ()  # the cards that players have picked to pass
    # None of these is stored: after a restart the second begins again, and a hint can be asked for again.
    forced: ForcedCard | None = field(default=None, compare=False)
    played_itself: tuple[Moment, Played] | None = field(default=None, compare=False)  # the last that did
    given: tuple[Hint, ...] = field(default=(), compare=False)  # the hints that were given last

    @property
    def public(self) -> PublicTable:
        """What everyone may see."""
        return PublicTable(**self.known, view=public_view(self.game) if self.game else None)

    @property
    def oldest(self) -> int:
        """The seat of the player named by the host, else of the oldest account: the lowest id (C3)."""
        if self.first is not None and (named := self.seat_of(self.first)) is not None:
            return named
        return min(range(len(self.seats)), key=lambda number: self.seats[number].person or float("inf"))

    @cached_property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose players the game waits for."""
        deal = self.game.deal if self.game else None
        waiting = deal.waiting_for if deal else ()
        return tuple([seat for seat in waiting if self.seats[seat].is_played_by_person])

    @property
    def waits_for_computers(self) -> bool:
        """Whether the game waits only for computers that think."""
        return self.state is State.PLAYING and self.has_people and not self.awaited

    @property
    def rings_at(self) -> float | None:
        """The next time at which something happens by itself (seconds since 1970)."""
        moments = [
            self.timer.rings_at if self.timer else None,
            self.forced.at if self.forced else None,
            self.vote_ends_at,
            self.grace_ends_at,
            min([one.kept_until for one in self.kept if one.kept_until is not None], default=None),
            self.tournament.until if self.tournament and self.is_live else None,
        ]
        return min([moment for moment in moments if moment is not None], default=None)

    @property
    def is_exposing(self) -> bool:
        """Whether players expose cards: the awaited ones are secret, as they hold such cards (C2)."""
        deal = self.game.deal if self.game else None
        return deal is not None and deal.phase is Phase.EXPOSING

    @property
    def stage(self) -> object:
        """What the table waits for: as long as this is equal, its time runs on.

        Whenever a card is exposed all may think again (C2), and have their time for it.
        """
        if self.paused:
            return "paused"
        if self.game is None:
            return self.seats, self.rules, self.host, self.pace, self.plan, len(self.invitations)
        deal = self.game.deals[-1] if self.game.deals else None
        if deal is None:
            return self.has_people, self.pace
        done = len(deal.exposures), len(deal.tricks), len(deal.trick.cards)
        return deal.number, deal.phase, done, self.has_people, self.pace

    def after(self, move: Move, *, is_own: bool = False) -> Table:
        """The table after this move of its game; Refusal, and nothing changed, if it is not possible.

        `is_own` if the seat's person made it, and no computer for them.
        """
        assert self.game is not None
        game = self.game.advance(move)
        left = picks_after(self.picks, game, move)
        table = self._counted(move, self.game, is_own=is_own) if self.tournament else self
        return replace(table, game=game, unsaved=(*self.unsaved, move), picks=left)

    def _counted(self, move: Move, game: Game, *, is_own: bool) -> Table:
        """The tournament's table with this move, from this position, noted for whoever made it.

        Exposing is left out, as most have nothing to expose, and so is what comes once the rest is decided.
        """
        assert self.tournament is not None
        played = self.tournament.played
        if isinstance(move, Dealt):
            margins, played = (0,) * game.rules.players, (*played, frozenset())
        elif isinstance(move, Passed | Played) and not (game.deals and game.deals[-1].is_decided):
            margins = with_seat(self.margins, move.seat, self.margins[move.seat] + (1 if is_own else -1))
            played = (*played[:-1], frozenset([seat for seat, margin in enumerate(margins) if margin > 0]))
        else:
            return self
        return replace(self, tournament=replace(self.tournament, played=played), margins=margins)

    def begun(self) -> Table:
        """The lobby's table with its game, before the first deal."""
        oldest = self.oldest
        return replace(self, state=State.PLAYING, leads=oldest, game=Game(self.rules, oldest=oldest))

    def picked_by(self, seat: int) -> Places:
        """The places in their hand of the cards that this player has picked to pass."""
        return picked_by(self.game, self.picks, seat) if self.game else ()

    def advice_for(self, seat: int) -> Advice | None:
        """The hint that this player was given, as long as it holds."""
        if not self.given or self.game is None:
            return None
        here = position_of(self.game.deals[-1])
        found = (hint.advice for hint in self.given if (hint.seat, hint.place) == (seat, here))
        return next(found, None)

    def with_away(self, number: int, *, kept_until: float | None) -> Table:
        """The table where the player of this seat is away, and a computer plays for them."""
        seat = self.seats[number]
        done = len(self.game.points) if self.game else 0
        before = seat.deals_before_away if seat.away else done
        return self.with_seat(
            number, replace(seat, away=True, kept_until=kept_until, deals_before_away=before)
        )

    def with_seat(self, number: int, seat: Seat) -> Table:
        """The table with this seat in place of the one with that number."""
        return replace(self, seats=Seats((*self.seats[:number], seat, *self.seats[number + 1 :])))

    def without_claim(self, seat: int) -> Table:
        """The table without the claim on this seat."""
        return replace(self, seat_claims=tuple([claim for claim in self.seat_claims if claim.seat != seat]))

    def with_notice(self, kind: NoticeKind, seats: Sequence[int] = ()) -> Table:
        """The table with a new notice."""
        number = self.notice.number + 1 if self.notice else 1
        deadline = self.timer.deadline if self.timer else None
        return replace(self, notice=Notice(number, kind, tuple(seats), deadline))


# Time


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game stood when a control was shown: `deal` from 1, `trick` from 0 and None before play.

    `exposures` is the number of exposed cards: another one lets everybody think again (C2).
    """

    deal: int
    trick: int | None = None
    exposures: int | None = None

    @staticmethod
    def of(game: Game) -> Moment:
        """Where this game stands, in play."""
        return Moment(len(game.deals), len(game.deals[-1].tricks))

    def is_past(self, game: Game) -> bool:
        """Whether the game has moved on since."""
        if len(game.deals) != self.deal:
            return True
        deal = game.deals[-1]
        if self.exposures is not None and self.exposures != len(deal.exposures):
            return True
        return self.trick is not None and self.trick != len(deal.tricks)


@dataclass(frozen=True, slots=True)
class ForcedCard:
    """A card that plays itself at this moment (seconds since 1970)."""

    card: Card
    at: float


# What is told at the table


class NoticeKind(Enum):
    """What there is to tell."""

    REMINDER = "reminder"
    TIME_UP = "time up"
    EXPOSING_REMINDER = "exposing reminder"
    EXPOSING_OVER = "exposing over"
    SEAT_KEPT = "seat kept"
    AWAY_TOO_LONG = "away too long"
    LEFT = "left"
    LEFT_SERVER = "left server"
    SEAT_GIVEN_UP = "seat given up"
    BACK = "back"
    BACK_IN_TIME = "back in time"  # someone was about to take the seat
    SEAT_WANTED = "seat wanted"
    SEAT_FREE = "seat free"  # a claim on it was withdrawn
    SEATS_OPENED = "seats opened"
    SEATS_CLOSED = "seats closed"
    PACE_CHANGED = "pace changed"
    DMS_CLOSED = "DMs closed"
    DMS_LATE = "DMs late"
    START_PLANNED = "start planned"
    START_DROPPED = "start dropped"  # by the host
    NOBODY_CAME = "nobody came"  # to the planned start
    START_MISSED = "start missed"  # as the bot was away for too long
    STARTED_WITHOUT = "started without"  # players who did not come
    RESUMED = "resumed"
    LOBBY_CLOSED = "lobby closed"  # this and what follows is a table's last notice
    DESERTED = "deserted"
    ABANDONED = "abandoned"
    CHANNEL_GONE = "channel gone"
    MODERATED = "moderated"
    ROUND_OVER = "round over"  # a tournament's: computers have finished the deal
    TOURNAMENT_STOPPED = "tournament stopped"


@dataclass(frozen=True, slots=True)
class Notice:
    """The last thing that a table was told; `number` counts them.

    `deadline` is the table's at that moment (seconds since 1970).
    """

    number: int
    kind: NoticeKind
    seats: tuple[int, ...] = ()
    deadline: float | None = None

    @property
    def reminds(self) -> bool:
        """Whether it calls the awaited players, and is void once they have moved."""
        return self.kind in (NoticeKind.REMINDER, NoticeKind.EXPOSING_REMINDER)

    @property
    def is_void(self) -> bool:
        """Whether it was about a player who has left the lobby since."""
        return not self.seats and self.kind in (
            NoticeKind.START_PLANNED,
            NoticeKind.START_DROPPED,
            NoticeKind.DMS_CLOSED,
            NoticeKind.DMS_LATE,
        )

    def without_seat(self, number: int) -> Notice:
        """The notice once this seat is gone and those behind it have moved up."""
        left = [seat - (seat > number) for seat in self.seats if seat != number]
        return replace(self, seats=tuple(left))


@dataclass(frozen=True, slots=True)
class Achieved:
    """What the player of a seat has achieved, by its id among `engine.play.achievements`."""

    seat: int
    id: str


# Votes


class VoteOutcome(Enum):
    """The end of a vote."""

    AGREED = "agreed"
    TOO_FEW = "too few"  # can agree any more, or have agreed when the time was up
    ENDED = "ended"  # the game, otherwise


@dataclass(frozen=True, slots=True)
class Vote:
    """The question to all people at the table whether the game shall end, with their answers by seat."""

    number: int  # counts those of the table, from 1
    asker: int | None  # None once they have left
    agreed: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    outcome: VoteOutcome | None = None
    #: Seconds since 1970: until when it can be answered, and once it is over, until when nobody asks again.
    #: None as long as that is not settled.
    until: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the vote can still be answered."""
        return self.outcome is None

    @property
    def seats(self) -> frozenset[int]:
        """All seats that the vote names."""
        asker = () if self.asker is None else (self.asker,)
        return self.agreed | self.refused | frozenset(asker)


# Hints


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a hint in this deal: `after` is the number of cards played, −1 while passing."""

    deal: int
    seat: int
    after: int


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player was told, and where in the game that holds."""

    seat: int
    place: object
    advice: Advice


def has_choice(view: SeatView) -> bool:
    """Whether this player is asked for something in which a hint could help."""
    match view.deal.phase:
        case Phase.PASSING:
            return view.passed is None
        case Phase.EXPOSING:
            return bool(view.exposable) and not view.declined
        case _:
            return len(set(view.legal)) > 1


def asked_for_hint(deal: Deal, seat: int) -> Asked | None:
    """What the table is told of it: nothing while cards are exposed, as that tells who could (C2)."""
    if deal.phase is Phase.EXPOSING:
        return None
    return Asked(deal.number, seat, -1 if deal.phase is Phase.PASSING else cards_played(deal))


def position_of(deal: Deal) -> object:
    """Where a deal stands: as long as it is equal, a hint holds."""
    return deal.number, deal.phase, cards_played(deal), deal.exposures


def cards_played(deal: Deal | PublicDeal) -> int:
    """The number of cards that lie or have lain in the deal's tricks."""
    return sum([len(done.trick.cards) for done in deal.tricks]) + len(deal.trick.cards)
