"""Hints and reviews: a strong player's opinion of a person's decisions."""

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

#: Asks a strong player for advice: from this view, with this many playouts, this seed, these cards among the
#: options, and opponents with these skills. Refusal if it can't be asked now.
Advisor = Callable[[SeatView, int, int, Hand, Skills], Awaitable[Advice]]


@dataclass(frozen=True, slots=True)
class Review:
    """A review of how a person played a deal: the decisions that cost most, and the number of all."""

    table: Table
    seat: int
    deal: int
    costly: tuple[Costly, ...]
    choices: int

    def in_language(self, language: Language) -> "Review":
        """The review in this language; several people may share one review."""
        return replace(self, table=self.table.in_language(language))


class Teacher:
    """Gives hints and reviews at these tables; asking again gets the same answer."""

    def __init__(self, tables: Tables, advisor: Advisor) -> None:
        self._tables = tables
        self._advisor = advisor
        self._work = Work()
        self._reviewing = asyncio.Lock()
        self._reviews: dict[tuple[int, int, int, int], asyncio.Task[Review]] = {}

    async def hint(self, id: int, person: int, at: Moment) -> Hint:
        """Find out what a strong player would do in this person's place; the table isn't told yet.

        Refusal if the table gives no hints, or there is nothing to choose.
        """
        table = self._tables.get(id)
        view = changes.view_for_hint(table, person, at)
        assert table.game is not None
        advice = table.advice_for(view.seat)
        if advice is None:
            advice = await self._advisor(view, HINT, _seed(id, view), (), table.seats.skills)
        return Hint(view.seat, position_of(table.game.deals[-1]), advice)

    async def review(self, id: int, person: int, number: int) -> Review:
        """Review this person's play in a deal (from 1); Refusal unless it is done and they played in it."""
        table = await self._tables.games.whole(id)
        _check_done(table, number)
        seat = table.seat_in(person, number)
        if seat is None:
            raise Refusal("not_your_deal")
        return await self._reviewed(table, seat, number)

    async def look_back(self, table: Table, seat: int, number: int, *, file: int = 0) -> Review:
        """Review any seat's play in a deal (from 1); `file` tells apart uploaded games, whose table is 0."""
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
        # One decision at a time, so that strong computers at tables can think as well as ever.
        async with self._reviewing:
            choices = list(decisions(table.game, number, seat))
            judgements = [await self._judge(table, choice) for choice in choices]
        return Review(table, seat, number, costliest(judgements), len(choices))

    async def _judge(self, table: Table, decision: Decision) -> Costly | None:
        view, skills = decision.view, table.seats.skills
        advice = await self._advisor(view, REVIEW, _seed(table.id, view), decision.cards, skills)
        return judge(decision, advice)


def _check_done(table: Table, number: int) -> None:
    """Raise a Refusal unless this deal (from 1) is finished."""
    if table.game is None or not 1 <= number <= len(table.game.points):
        raise Refusal("stale")


def _seed(id: int, view: SeatView) -> int:
    """A seed that depends only on the position in the game, so that it survives a restart."""
    deal = view.deal
    position = (id, deal.number, view.seat, deal.phase.value, view.hand, deal.trick.cards, deal.exposures)
    return crc32(repr(position).encode())
