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
    """The time that players have for a turn."""

    LIVE = "live"
    RELAXED = "relaxed"
    DAILY = "daily"
    NONE = "none"

    @property
    def seconds(self) -> float | None:
        """Seconds for a turn; None without a limit."""
        return {"live": 60.0, "relaxed": 600.0, "daily": 86_400.0, "none": None}[self.value]

    @property
    def grace(self) -> float:
        """Seconds for which a player who is away keeps their say and their place.

        A vote is open for this long and, after it fails, can't be repeated for this long.
        """
        return {"live": 600.0, "relaxed": 1800.0, "daily": 86_400.0, "none": 86_400.0}[self.value]

    @property
    def title(self) -> str:
        """The pace in words, to be said in a language."""
        return {
            "live": N_("live (60 seconds a turn)"),
            "relaxed": N_("relaxed (10 minutes a turn)"),
            "daily": N_("daily (24 hours a turn)"),
            "none": N_("no limit"),
        }[self.value]


class Hints(Enum):
    """The players who may ask for hints."""

    ALONE = "alone"  # anyone playing alone with computers
    EVERYBODY = "everybody"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Person:
    """A person who plays."""

    id: int
    name: str
    locale: str | None = None  # of their client, such as `pt-BR`


@dataclass(frozen=True, slots=True)
class DailyGame:
    """The day whose deals are played at a private table, and the channel where the game was begun."""

    day: str  # `2026-11-22`, by UTC
    channel: int


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """The place of a table in a tournament: its round, and its number in the round (both from 1).

    The game ends after `deals` deals, or as it stands once its time is up.
    """

    tournament: int
    round: int
    number: int
    deals: int
    until: float  # when the round's time is up (seconds since 1970)
    #: By deal, the seats whose people have made most of their moves themselves.
    played: tuple[frozenset[int], ...] = ()
    #: The seats whose people have chosen to leave, rather than just being away.
    left: frozenset[int] = frozenset()

    def has_played(self, seat: int) -> bool:
        """Whether this seat's person has played any of the deals."""
        return any(seat in deal for deal in self.played)


# The table


@dataclass(frozen=True, kw_only=True)  # without slots, for cached properties
class TableInfo:
    """What everyone may know of a table besides its cards."""

    id: int
    guild: int  # 0 if it isn't in a server
    channel: int  # negative for a private table: see engine/storage/tables.py
    host: int
    rules: Ruleset
    state: State = State.LOBBY
    seats: Seats = field(default_factory=Seats)
    seat_claims: tuple[SeatClaim, ...] = ()  # for the next deal
    former_occupants: tuple[FormerOccupant, ...] = ()  # including computers
    invitations: tuple[Invitation, ...] = ()  # in the order of their messages, then by person
    takes_latecomers: bool = True  # whether computers' seats may be taken in the middle of the game
    first: int | None = None  # the person named to lead the first deal instead of the oldest (C3)
    leads: int = 0  # the oldest player's seat, once the game has begun
    pace: Pace = Pace.NONE
    strength: Strength = Strength.MEDIUM  # of the computers that take the empty seats
    finishes_early: bool = True  # once the rest of a deal is decided, computers play it
    points_out_moons: bool = True  # the board says if a player has taken every point so far
    hints: Hints = Hints.ALONE
    asked: tuple[HintRequest, ...] = ()  # requests that the table is told about
    daily: DailyGame | None = None  # for a private table with a day's deals
    tournament: TournamentGame | None = None
    #: In a tournament, by seat: the person's own moves in the last deal, minus a computer's for them.
    margins: tuple[int, ...] = ()
    paused: bool = False  # the bot can't post in its channel
    plan: Plan | None = None  # for a lobby with a planned start
    called_at: float | None = None  # when players were last called to a planned start (seconds since 1970)
    timer: Timer | None = None
    notice: Notice | None = None
    achieved: tuple[Achieved, ...] = ()  # new achievements, once the game is over
    rated: tuple[Rated, ...] = ()  # ratings before and after the game, once it is over
    vote: Vote | None = None  # the last one, open or not
    moderator: str | None = field(default=None, compare=False)  # who stopped the game; not stored
    language: Language = ENGLISH  # of its posts
    #: The pars known so far, by the number of the finished deal.
    pars: Mapping[int, Par] = field(default_factory=dict, hash=False)
    #: When the bot came back, or a pause ended (seconds since 1970): messages that were due long before are
    #: dropped. Not stored.
    resumed_at: float = field(default=0.0, compare=False)

    @cached_property
    def dialect(self) -> Language:
        """The table's language, with the terms that are usual in its game."""
        return self.language.of_game(self.rules.preset.name)

    @cached_property
    def say(self) -> Callable[..., str]:
        """`Language.say` in the table's dialect; cached, as every card says some twenty sentences."""
        return self.dialect.say

    @cached_property
    def say_count(self) -> Callable[..., str]:
        """`Language.say_count` in the table's dialect."""
        return self.dialect.say_count

    def in_language(self, language: Language) -> Self:
        """The table in this language."""
        return self if language is self.language else replace(self, language=language)

    @property
    def public_fields(self) -> dict[str, Any]:
        """The fields of `TableInfo` by name, without those of subclasses."""
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
        """Whether one person plays here with computers, in a message of their own instead of a channel."""
        return self.channel < 0

    @property
    def is_alone(self) -> bool:
        """Whether this is a private table where the person chooses what to play, and not a daily game."""
        return self.is_private and self.daily is None

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that can be claimed for the next deal: computers play there, and no one has claimed them.

        Seats of players who are only away are excluded. If everyone has left, the next deal comes at once,
        before they could come back, so their seats are free only if there are no others.
        """
        if self.state is not State.PLAYING or not self.takes_latecomers or self.is_private:
            return ()
        reserved = self.seats.voters.union([claim.seat for claim in self.seat_claims])
        free = [number for number in range(len(self.seats)) if number not in reserved]
        computers = [number for number in free if self.seats[number].person is None]
        return tuple(free if self.has_people or not computers else computers)

    @cached_property
    def kept(self) -> tuple[Invitation, ...]:
        """The invitations for which a seat is kept in the lobby."""
        return tuple([one for one in self.invitations if one.kept_until is not None])

    @property
    def room(self) -> int:
        """The number of seats in the lobby for more people: empty ones and computers', less those kept."""
        return max(0, self.rules.players - self.seats.people_seated - len(self.kept))

    def invitation_of(self, person: int) -> Invitation | None:
        """The invitation of this person; None if they weren't asked."""
        return next((one for one in self.invitations if one.person == person), None)

    @property
    def asks_all(self) -> bool:
        """Whether more than one player has a say in how the game ends."""
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
        """Whether players may ask for hints."""
        return self.hints is Hints.EVERYBODY or (self.hints is Hints.ALONE and self.seats.are_for_one)

    @property
    def host_name(self) -> str | None:
        """The host's name; None if they have no seat any more."""
        seat = self.seat_of(self.host)
        return None if seat is None else self.names[seat]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names as they are shown, by seat: names that look alike are numbered."""
        return self._told_apart([seat.name for seat in self.seats])

    def name_of_guest(self, guest: SeatClaim | Invitation) -> str:
        """A guest's name as it is shown: numbered if it looks like another."""
        number = self.seat_of(guest.person)
        return self._guests[guest.person] if number is None else self.names[number]

    @cached_property
    def _guests(self) -> dict[int, str]:
        """The names as shown of people who have claimed a seat or were asked to take one."""
        guests: tuple[SeatClaim | Invitation, ...] = (*self.seat_claims, *self.invitations)
        own_names = {one.person: one.name for one in guests if self.seat_of(one.person) is None}
        names = self._told_apart([*self.names, *own_names.values()])[len(self.seats) :]
        return dict(zip(own_names, names, strict=True))

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
        """The seats that come first by these totals, several if they tie."""
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
        """The table with the occupants of this deal (from 1); those who have lost the seat since are away."""
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
    logged: int = 0  # the number of moves in the stored log
    unsaved: tuple[Move, ...] = ()  # moves made since
    picks: Picks = ()  # the cards that players have picked to pass
    # Not stored: after a restart, a forced card has all its time again, and hints can be asked for again.
    forced: ForcedCard | None = field(default=None, compare=False)
    played_itself: tuple[Moment, Played] | None = field(default=None, compare=False)  # the last card that did
    latest_hints: tuple[Hint, ...] = field(default=(), compare=False)

    @property
    def public(self) -> PublicTable:
        """What everyone may see."""
        return PublicTable(**self.public_fields, view=public_view(self.game) if self.game else None)

    @property
    def oldest(self) -> int:
        """The seat of the player named by the host, or else of the oldest account: the lowest id (C3)."""
        if self.first is not None and (seat := self.seat_of(self.first)) is not None:
            return seat
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
        """The next time at which something happens automatically (seconds since 1970)."""
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
        """Whether players expose cards. It's secret who is awaited then, as they hold such cards (C2)."""
        deal = self.game.deal if self.game else None
        return deal is not None and deal.phase is Phase.EXPOSING

    @property
    def stage(self) -> object:
        """What the table waits for: its timer runs on as long as this stays equal.

        Whenever a card is exposed, everyone may reconsider (C2), and gets the time for it.
        """
        if self.paused:
            return "paused"
        if self.game is None:
            return self.seats, self.rules, self.host, self.pace, self.plan, len(self.invitations)
        deal = self.game.deals[-1] if self.game.deals else None
        if deal is None:
            return self.has_people, self.pace
        progress = len(deal.exposures), len(deal.tricks), len(deal.trick.cards)
        return deal.number, deal.phase, progress, self.has_people, self.pace

    def after(self, move: Move, *, is_own: bool = False) -> Table:
        """The table after this move of its game; Refusal if it isn't possible.

        `is_own` tells that the seat's person made the move, and not a computer for them.
        """
        assert self.game is not None
        game = self.game.advance(move)
        picks = picks_after(self.picks, game, move)
        table = self._counted(move, self.game, is_own=is_own) if self.tournament else self
        return replace(table, game=game, unsaved=(*self.unsaved, move), picks=picks)

    def _counted(self, move: Move, game: Game, *, is_own: bool) -> Table:
        """Count this move, made in this position, as the person's own or a computer's.

        Exposing doesn't count, as most players have nothing to expose, nor do moves once the rest is decided.
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
        """Begin the lobby's game, before the first deal."""
        oldest = self.oldest
        return replace(self, state=State.PLAYING, leads=oldest, game=Game(self.rules, oldest=oldest))

    def picked_by(self, seat: int) -> Places:
        """The places in their hand of the cards that this player has picked to pass."""
        return picked_by(self.game, self.picks, seat) if self.game else ()

    def advice_for(self, seat: int) -> Advice | None:
        """The hint that this player was given, as long as it holds; None without one."""
        if not self.latest_hints or self.game is None:
            return None
        position = position_of(self.game.deals[-1])
        hints = (hint for hint in self.latest_hints if (hint.seat, hint.place) == (seat, position))
        return next((hint.advice for hint in hints), None)

    def with_away(self, number: int, *, kept_until: float | None) -> Table:
        """The table with the player of this seat away, and a computer playing for them."""
        seat = self.seats[number]
        finished = len(self.game.points) if self.game else 0
        before = seat.deals_before_away if seat.away else finished
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

    `exposures` is the number of exposed cards: another one lets everyone reconsider (C2).
    """

    deal: int
    trick: int | None = None
    exposures: int | None = None

    @staticmethod
    def of(game: Game) -> Moment:
        """The moment at which this game stands, in play."""
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
    """A card that plays itself at this time (seconds since 1970)."""

    card: Card
    at: float


# Notices


class NoticeKind(Enum):
    """What a notice is about."""

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
    """The last notice of a table; `number` counts them.

    `deadline` is that of the table's timer at the time, or the planned start (seconds since 1970).
    """

    number: int
    kind: NoticeKind
    seats: tuple[int, ...] = ()
    deadline: float | None = None

    @property
    def reminds(self) -> bool:
        """Whether it reminds the awaited players, and is outdated once they have moved."""
        return self.kind in (NoticeKind.REMINDER, NoticeKind.EXPOSING_REMINDER)

    @property
    def is_void(self) -> bool:
        """Whether it was about a player who has since left the lobby."""
        return not self.seats and self.kind in (
            NoticeKind.START_PLANNED,
            NoticeKind.START_DROPPED,
            NoticeKind.DMS_CLOSED,
            NoticeKind.DMS_LATE,
        )

    def without_seat(self, number: int) -> Notice:
        """The notice after this seat was removed and later ones moved up."""
        others = [seat - (seat > number) for seat in self.seats if seat != number]
        return replace(self, seats=tuple(others))


@dataclass(frozen=True, slots=True)
class Achieved:
    """An achievement of a seat's player, by its id in `engine.play.achievements`."""

    seat: int
    id: str


# Votes


class VoteOutcome(Enum):
    """The end of a vote."""

    AGREED = "agreed"
    TOO_FEW = "too few"  # players agreed in time, or still could agree
    ENDED = "ended"  # the game ended in another way


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the people at the table on ending the game, with their answers by seat."""

    number: int  # counts the table's votes, from 1
    asker: int | None  # None once they have left
    agreed: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    outcome: VoteOutcome | None = None
    #: The end of the vote or, once it is over, of the wait before another one (seconds since 1970). None
    #: until that is set.
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
class HintRequest:
    """A request for a hint in this deal: `after` is the number of cards played, −1 while passing."""

    deal: int
    seat: int
    after: int


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a player, and the position for which it holds."""

    seat: int
    place: object
    advice: Advice


def has_choice(view: SeatView) -> bool:
    """Whether this player has a choice in which a hint could help."""
    match view.deal.phase:
        case Phase.PASSING:
            return view.passed is None
        case Phase.EXPOSING:
            return bool(view.exposable) and not view.declined
        case _:
            return len(set(view.legal)) > 1


def asked_for_hint(deal: Deal, seat: int) -> HintRequest | None:
    """The request that the table is told about; None while exposing, as it would tell who could (C2)."""
    if deal.phase is Phase.EXPOSING:
        return None
    return HintRequest(deal.number, seat, -1 if deal.phase is Phase.PASSING else cards_played(deal))


def position_of(deal: Deal) -> object:
    """The position of a deal: a hint holds as long as it stays equal."""
    return deal.number, deal.phase, cards_played(deal), deal.exposures


def cards_played(deal: Deal | PublicDeal) -> int:
    """The number of cards played in this deal so far."""
    return sum([len(completed.trick.cards) for completed in deal.tricks]) + len(deal.trick.cards)
