"""Pars of finished deals, computed in the thinking processes when these have nothing else to do.

The queue isn't stored: at a start, deals without a par are found in the database.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum

from engine.errors import Refusal
from engine.play.par import DealStart, Par
from engine.storage.database import Database
from engine.storage.pars import day_pars, put_day_par, tables_without_pars
from engine.tables.days import Day, Days, day_before
from engine.tables.store import TableStore
from engine.tables.table import State, Table
from engine.thinking import Lost, Thinking

log = logging.getLogger(__name__)

#: Seconds before a par that failed for the moment is tried again.
RETRY_AFTER = 60.0
#: The most seconds since a table was opened for its deals to get pars after a start.
LONGEST_AGO = 7 * 86_400.0
#: The most ended tables that get pars after a start.
MOST_TABLES = 200
#: The most deals in the queue; the last ones of more are dropped.
MOST_WANTED = 5_000
#: The number of past days whose daily deals get missing pars.
DAYS = 3


class Priority(IntEnum):
    """The priority of a table's deals, lowest number first."""

    FIRST = 0  # tables that more depends on, such as a tournament's
    LIVE = 1
    ENDED = 2
    LAST = 3  # one person with computers, and games without a result


@dataclass(frozen=True, slots=True)
class _Deal:
    """A finished deal of a table or, if `table` is 0, of a day."""

    table: int
    day: str
    number: int


class Pars:
    """Computes pars one after another, and stores them.

    `put` stores the par of a table's deal; `is_first` tells which tables come before all others.
    """

    def __init__(
        self,
        database: Database,
        store: TableStore,
        thinking: Thinking | None,
        put: Callable[[int, int, Par], Awaitable[object]],
        is_first: Callable[[Table], bool],
        clock: Callable[[], float],
    ) -> None:
        self._database = database
        self._store = store
        self._thinking = thinking if thinking and thinking.has_processes else None
        self._put = put
        self._is_first = is_first
        self._clock = clock
        self._wanted: dict[_Deal, DealStart] = {}
        self._priorities: dict[int, Priority] = {}
        self._lost: Counter[_Deal] = Counter()  # how often a process has died over each
        self._seen: dict[int, int] = {}  # the number of finished deals, by live table
        self._earlier: list[int] = []  # ended tables that may lack pars, newest first
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of deals in the queue, with the one that is being computed."""
        return len(self._wanted)

    # The queue

    def notice(self, table: Table) -> None:
        """Queue the deals that this table has finished since the last call."""
        if self._thinking is None or table.game is None:
            return
        finished = len(table.game.points)
        if finished > self._seen.get(table.id, 0):
            self._want(table, range(self._seen.get(table.id, 0) + 1, finished + 1))
            self._seen[table.id] = finished
        if not table.is_live:
            self._seen.pop(table.id, None)
            if table.id in self._priorities:
                self._priorities[table.id] = self._priority(table)

    async def resume(self, live: Sequence[Table]) -> None:
        """Queue what lacks a par at these tables, and find ended tables that may lack some."""
        if self._thinking is None:
            return
        for table in live:
            try:
                self.notice(table)
            except Exception:
                log.exception("the pars of table %s are left out", table.id)
        since = self._clock() - LONGEST_AGO
        with suppress(Refusal):
            self._earlier = await tables_without_pars(self._database, since, MOST_TABLES)
        self._go_on()

    async def want_days(self, days: Days, today: str) -> None:
        """Queue the daily deals of recent past days that lack a par."""
        day = today
        for _ in range(DAYS if self._thinking else 0):
            day = day_before(day)
            with suppress(Refusal):
                if past := await days.find(day):
                    self._want_day(past, await day_pars(self._database, day))

    def _want(self, table: Table, deals: Sequence[int]) -> None:
        if table.game is None or table.daily:  # a day's deals get theirs once it is over
            return
        for number in deals:
            if number not in table.pars:
                self._priorities[table.id] = self._priority(table)
                self._add(_Deal(table.id, "", number), DealStart.of(table.game, number))
        self._go_on()

    def _want_day(self, day: Day, pars: dict[int, Par]) -> None:
        for number, dealt in enumerate(day.deals, 1):
            if number not in pars:
                # The lead of a later deal may depend on how each player played the one before (C3).
                is_open = day.rules.oldest_leads and number > 1
                nothing = (0,) * day.rules.players
                start = DealStart(day.rules, number, dealt, None if is_open else 0, nothing)
                self._add(_Deal(0, day.date, number), start)
        self._go_on()

    def _add(self, deal: _Deal, start: DealStart) -> None:
        self._wanted.setdefault(deal, start)
        if len(self._wanted) > MOST_WANTED:
            self._drop(max(self._wanted, key=self._order))

    def _drop(self, deal: _Deal) -> None:
        self._wanted.pop(deal, None)
        del self._lost[deal]
        if not any(other.table == deal.table for other in self._wanted):
            self._priorities.pop(deal.table, None)

    def _priority(self, table: Table) -> Priority:
        if self._is_first(table):
            return Priority.FIRST
        if table.seats.are_for_one or table.state is State.STOPPED:
            return Priority.LAST
        return Priority.LIVE if table.is_live else Priority.ENDED

    def _order(self, deal: _Deal) -> tuple[int, int, int, int]:
        """The sort key of a deal: live tables' deals as they come, ended ones' newest first.

        Deals over which a process has died come after all others, as they may be to blame.
        """
        priority = self._priority_of(deal)
        later = priority >= Priority.ENDED
        return self._lost[deal], priority, -deal.table if later else 0, deal.number if later else 0

    def _priority_of(self, deal: _Deal) -> Priority:
        return self._priorities.get(deal.table, Priority.LIVE)

    # Computing

    def _go_on(self) -> None:
        if not self._task and not self._is_closed and (self._wanted or self._earlier):
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop computing."""
        self._is_closed = True
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        failed = False
        while deal := await self._next():
            try:
                await self._compute(deal)
            except Lost as lost:
                log.info("The par of a deal is tried again later: %s", lost)
                self._lost[deal] += 1
                await asyncio.sleep(RETRY_AFTER)
            except Exception as error:
                self._drop(deal)
                where = f"table {deal.table}" if deal.table else deal.day
                log.error("deal %s of %s gets no par: %s", deal.number, where, error, exc_info=not failed)
                failed = True  # the first traceback says enough
        self._task = None

    async def _next(self) -> _Deal | None:
        """The first deal in the queue; ended tables are read before deals of the last priority come."""
        while True:
            deal = min(self._wanted, key=self._order, default=None)
            is_last = deal is None or self._priority_of(deal) == Priority.LAST
            if not is_last or not self._earlier:
                return deal
            await self._read(self._earlier.pop(0))

    async def _read(self, id: int) -> None:
        with suppress(Refusal):  # a damaged table, which has been logged
            table = await self._store.whole(id)
            if table and table.game and not table.is_live:
                self._want(table, range(1, len(table.game.points) + 1))

    async def _compute(self, deal: _Deal) -> None:
        assert self._thinking is not None
        par = await self._thinking.par(self._wanted[deal])
        try:
            if deal.day:
                await put_day_par(self._database, deal.day, deal.number, par)
            else:
                await self._put(deal.table, deal.number, par)
        except Refusal as refusal:
            if refusal.id in ("cannot_save", "cannot_read"):
                await asyncio.sleep(RETRY_AFTER)
                return
            log.info("A par wasn't stored: %s", refusal.id)
        self._drop(deal)
