"""What strong computers think of while the table can go on without them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Passed, SeatMove
from engine.play.views import seat_view
from engine.tables.flow import Flow
from engine.tables.info import State
from engine.tables.table import Table
from engine.thinking import Thinking

log = logging.getLogger(__name__)

#: Seconds for which computers may think until a person is waited for again; after that they think no longer.
LONGEST_ROUND = 1.5


@dataclass(frozen=True, slots=True)
class Thought:
    """What the computers do next at a table that stands like this."""

    table: Table
    moves: tuple[SeatMove, ...]

    def on(self, table: Table) -> Table:
        """The table after these moves; the same where they do not belong to it any more."""
        try:
            after = table
            for move in self._left(table):
                after = after.after(move)
        except Refusal:
            return table
        return after

    def _left(self, table: Table) -> Sequence[SeatMove]:
        """Those that still belong to it: none if anything has happened that counts.

        What others pass meanwhile nobody knows; but what follows the passes had other cards to go by.
        """
        if table.state is not State.PLAYING or table.paused or table.seats != self.table.seats:
            return ()
        if table.game is self.table.game:
            return self.moves
        if _passes(table) == _passes(self.table) is not None:
            return [move for move in self.moves if isinstance(move, Passed)]
        return ()


def _passes(table: Table) -> int | None:
    """The deal for which cards are being passed."""
    deal = table.game.deal if table.game else None
    return deal.number if deal and deal.phase is Phase.PASSING else None


class Mind:
    """Thinks for the strong computers of all tables."""

    def __init__(self, flow: Flow, thinking: Thinking | None, rng: Random) -> None:
        self._flow = flow
        self._thinking = thinking
        self._rng = rng

    def is_asked(self, table: Table) -> bool:
        """Whether there is something to think about; where there will be, it is prepared."""
        will_be = table.seats.has_strong or (table.game and table.gives_hints)
        if self._thinking and table.is_live and will_be:
            self._thinking.prepare()
        return bool(self._flow.thoughtful(table))

    async def think(self, table: Table) -> Thought:
        """All that computers do, one after another, until a person is waited for or the deal is over."""
        begun, until = table, _now() + LONGEST_ROUND
        moves: list[SeatMove] = []
        while table.game and (deal := table.game.deal):
            move = self._flow.at_once(table, deal)
            if move is None and (seats := self._flow.thoughtful(table)):
                move = await self._move(table, seats[0], until)
            if move is None:
                break
            table = table.after(move)
            moves.append(move)
        return Thought(begun, tuple(moves))

    async def _move(self, table: Table, seat: int, until: float) -> SeatMove:
        """What the strong computer in this seat does; where it cannot be asked, what a weaker one does."""
        assert table.game is not None
        assert self._thinking is not None
        view = seat_view(table.game, seat)
        manner, seed = table.seats[seat].manner, self._rng.getrandbits(62)
        move = await self._thinking.move(view, manner, seed, until - _now())
        if move is not None:
            try:
                table.after(move)
            except Refusal as refusal:
                log.error("a strong computer wanted to do what it may not: %s", refusal)
                move = None
        return move or self._flow.move(table, seat)


def _now() -> float:
    """Seconds by the loop's clock."""
    return asyncio.get_running_loop().time()
