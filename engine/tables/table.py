"""A table at one moment, hidden cards and all, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Move, Played
from engine.play.views import public_view
from engine.players.advice import Advice
from engine.tables import hints, picks
from engine.tables.hints import Hint
from engine.tables.info import PublicTable, State, TableInfo
from engine.tables.notices import Notice, NoticeKind
from engine.tables.pace import ForcedCard
from engine.tables.picks import Picks, Places
from engine.tables.seats import Seat, Seats


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game stood when a control was shown: `deal` from 1, `trick` from 0 and None before play.

    With `exposures`, so many cards lay exposed: another lets everybody think again (C2).
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


@dataclass(frozen=True, kw_only=True)
class Table(TableInfo):
    """A table at one moment, hidden cards and all; `game` is None in the lobby."""

    game: Game | None = None
    logged: int = 0  # how many of the game's moves its log holds
    unsaved: tuple[Move, ...] = ()  # those made since
    picks: Picks = ()  # the cards that players have picked to pass
    # None of these is stored: after a restart the second begins anew, and a hint can be asked for again.
    forced: ForcedCard | None = field(default=None, compare=False)
    played_itself: tuple[Moment, Played] | None = field(default=None, compare=False)  # the last that did
    given: tuple[Hint, ...] = field(default=(), compare=False)  # the hints that were given last

    @property
    def public(self) -> PublicTable:
        """What everyone may see."""
        return PublicTable(**self.known, view=public_view(self.game) if self.game else None)

    @property
    def oldest(self) -> int:
        """C3: the seat of the player whom the host has named, else of the oldest account: the lowest id."""
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
        """Whether the game goes on although no person is asked: computers think."""
        return self.state is State.PLAYING and self.has_people and not self.awaited

    @property
    def rings_at(self) -> float | None:
        """When there is next something to do without anybody's doing."""
        moments = [
            self.timer.rings_at if self.timer else None,
            self.forced.at if self.forced else None,
            self.vote_ends_at,
            self.grace_ends_at,
        ]
        return min([moment for moment in moments if moment is not None], default=None)

    @property
    def is_exposing(self) -> bool:
        """Whether who is awaited is a secret: it would tell who holds a card that can be exposed (C2)."""
        deal = self.game.deal if self.game else None
        return deal is not None and deal.phase is Phase.EXPOSING

    @property
    def stage(self) -> object:
        """What the table waits for now: as long as it is equal, its time runs.

        Whenever a card is exposed all may think again (C2), and have their time for it.
        """
        if self.paused:
            return "paused"
        if self.game is None:
            return self.seats, self.rules, self.host, self.pace
        deal = self.game.deals[-1] if self.game.deals else None
        if deal is None:
            return self.has_people, self.pace
        done = len(deal.exposures), len(deal.tricks), len(deal.trick.cards)
        return deal.number, deal.phase, done, self.has_people, self.pace

    def after(self, move: Move) -> Table:
        """The table after this move of its game; Refusal, and nothing changed, if it is not possible."""
        assert self.game is not None
        game = self.game.advance(move)
        left = picks.after(self.picks, game, move)
        return replace(self, game=game, unsaved=(*self.unsaved, move), picks=left)

    def picked_by(self, seat: int) -> Places:
        """Where in their hand the cards are that this player has picked to pass."""
        return picks.picked_by(self.game, self.picks, seat) if self.game else ()

    def advice_for(self, seat: int) -> Advice | None:
        """The hint that this player was given, as long as it holds."""
        if not self.given or self.game is None:
            return None
        here = hints.place(self.game.deals[-1])
        found = (hint.advice for hint in self.given if (hint.seat, hint.place) == (seat, here))
        return next(found, None)

    def with_seat(self, number: int, seat: Seat) -> Table:
        """The table with this seat in place of the one with that number."""
        return replace(self, seats=Seats((*self.seats[:number], seat, *self.seats[number + 1 :])))

    def without_taker(self, seat: int) -> Table:
        """The table where nobody takes this seat with the next deal."""
        return replace(self, takers=tuple([taker for taker in self.takers if taker.seat != seat]))

    def told(self, kind: NoticeKind, seats: Sequence[int] = ()) -> Table:
        """The table with a new notice."""
        number = self.notice.number + 1 if self.notice else 1
        deadline = self.timer.deadline if self.timer else None
        return replace(self, notice=Notice(number, kind, tuple(seats), deadline))
