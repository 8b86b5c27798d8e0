"""Hints and reviews: a strong player's opinion of a person's decisions at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from zlib import crc32

from engine.cards import Hand
from engine.errors import Refusal
from engine.languages import Language
from engine.play.views import SeatView
from engine.players.advice import (
    HINT,
    REVIEW,
    Advice,
    Costly,
    Decision,
    Skills,
    costliest,
    decisions,
    judge,
)
from engine.tables import changes
from engine.tables.keeper import Work
from engine.tables.service import Tables
from engine.tables.table import Hint, Moment, Table, position_of

#: Asks a strong player what it finds in this many playouts, with this seed, among options that include these
#: cards, at a table of players with these skills. Refusal if it cannot be asked just now.
Advisor = Callable[[SeatView, int, int, Hand, Skills], Awaitable[Advice]]


@dataclass(frozen=True, slots=True)
class Review:
    """A review of how someone played a deal: the decisions that cost most, and the number of all."""

    table: Table
    seat: int
    deal: int
    costly: tuple[Costly, ...]
    choices: int

    def in_language(self, language: Language) -> Review:
        """The review for someone who reads this language; others may be waiting for it too."""
        return replace(self, table=self.table.in_language(language))


class Teacher:
    """Hints and reviews for players at these tables; the same question gets the same answer."""

    def __init__(self, tables: Tables, advisor: Advisor) -> None:
        self._tables = tables
        self._advisor = advisor
        self._work = Work()
        self._reviewing = asyncio.Lock()
        self._reviews: dict[tuple[int, int, int, int], asyncio.Task[Review]] = {}

    async def hint(self, id: int, person: int, at: Moment) -> Hint:
        """What a strong player would do in this person's place, which nobody is told yet.

        Refusal where the table gives no hints or there is nothing to choose.
        """
        table = self._tables.get(id)
        view = changes.view_for_hint(table, person, at)
        assert table.game is not None
        advice = table.advice_for(view.seat)
        if advice is None:
            advice = await self._advisor(view, HINT, _seed(id, view), (), table.seats.skills)
        return Hint(view.seat, position_of(table.game.deals[-1]), advice)

    async def review(self, id: int, person: int, number: int) -> Review:
        """What this person's choices in a deal cost; Refusal unless it is done and they played in it."""
        table = await self._tables.games.whole(id)
        _check_done(table, number)
        seat = table.seat_in(person, number)
        if seat is None:
            raise Refusal("not_your_deal")
        return await self._reviewed(table, seat, number)

    async def look_back(self, table: Table, seat: int, number: int, *, file: int = 0) -> Review:
        """Review any seat; `file` tells apart uploaded games, which have no table."""
        _check_done(table, number)
        if seat >= len(table.seats):
            raise Refusal("stale")
        return await self._reviewed(table, seat, number, file)

    async def _reviewed(self, table: Table, seat: int, number: int, file: int = 0) -> Review:
        key = table.id, file, seat, number
        if key not in self._reviews:
            task = self._reviews[key] = self._work.start(self._review(table, seat, number))
            task.add_done_callback(lambda _: self._reviews.pop(key))
        return await asyncio.shield(self._reviews[key])

    async def _review(self, table: Table, seat: int, number: int) -> Review:
        assert table.game is not None
        # One review after another, and in each one choice: strong computers think as well as ever meanwhile.
        async with self._reviewing:
            made = list(decisions(table.game, number, seat))
            found = [await self._judge(table, decision) for decision in made]
        return Review(table, seat, number, costliest(found), len(made))

    async def _judge(self, table: Table, decision: Decision) -> Costly | None:
        view, skills = decision.view, table.seats.skills
        advice = await self._advisor(view, REVIEW, _seed(table.id, view), decision.cards, skills)
        return judge(decision, advice)


def _check_done(table: Table, number: int) -> None:
    """Refusal unless the deal of this number (from 1) is done."""
    if table.game is None or not 1 <= number <= len(table.game.points):
        raise Refusal("stale")


def _seed(id: int, view: SeatView) -> int:
    """A seed that is the same for the same place in a game, also after a restart."""
    deal = view.deal
    here = (id, deal.number, view.seat, deal.phase.value, view.hand, deal.trick.cards, deal.exposures)
    return crc32(repr(here).encode())
