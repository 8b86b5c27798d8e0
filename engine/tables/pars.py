"""Par of finished deals, computed in the thinking processes when they have nothing else to do.

What is left to compute isn't stored: after a start it is found in the database.
"""

from __future__ import annotations

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

#: Seconds after which what has failed for a while is tried again.
RETRY_AFTER = 60.0
#: How long ago a table may have been opened, in seconds, so that its deals get pars after a start.
LONGEST_AGO = 7 * 86_400.0
#: The most tables of which a start takes up the pars.
MOST_TABLES = 200
#: The most deals that wait; of more the last are left out.
MOST_WANTED = 5_000
#: The days whose daily deals get pars if they have none.
DAYS = 3


class Rank(IntEnum):
    """Whose deals come first."""

    FIRST = 0  # those that more depends on, such as a tournament's
    LIVE = 1
    ENDED = 2
    LAST = 3  # of people with computers only, and of games without a result


@dataclass(frozen=True, slots=True)
class _Deal:
    """A finished deal of a table or, without one, of a day."""

    table: int
    day: str
    number: int


class Pars:
    """Computes a par after another, and has each stored.

    `put` stores that of a table's deal; `is_first` says which tables come before all others.
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
        self._ranks: dict[int, Rank] = {}
        self._lost: Counter[_Deal] = Counter()  # how often its process has ended over each
        self._seen: dict[int, int] = {}  # by live table, its finished deals
        self._earlier: list[int] = []  # tables with deals without par, the newest first
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of deals that are known to wait for their par, or have it computed."""
        return len(self._wanted)

    # What is wanted

    def notice(self, table: Table) -> None:
        """Want the pars of the deals that this table has finished since it was last noticed."""
        if self._thinking is None or table.game is None:
            return
        done = len(table.game.points)
        if done > self._seen.get(table.id, 0):
            self._want(table, range(self._seen.get(table.id, 0) + 1, done + 1))
            self._seen[table.id] = done
        if not table.is_live:
            self._seen.pop(table.id, None)
            if table.id in self._ranks:
                self._ranks[table.id] = self._rank(table)

    async def resume(self, live: Sequence[Table]) -> None:
        """Find what was left to compute, at these tables and at those that have ended."""
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
        """Want the pars of the daily deals of the last days that are over, as far as they have none."""
        day = today
        for _ in range(DAYS if self._thinking else 0):
            day = day_before(day)
            with suppress(Refusal):
                if found := await days.find(day):
                    self._want_day(found, await day_pars(self._database, day))

    def _want(self, table: Table, deals: Sequence[int]) -> None:
        if table.game is None or table.daily:  # the day has its pars, once it is over
            return
        for number in deals:
            if number not in table.pars:
                self._ranks[table.id] = self._rank(table)
                self._add(_Deal(table.id, "", number), DealStart.of(table.game, number))
        self._go_on()

    def _want_day(self, day: Day, known: dict[int, Par]) -> None:
        for number, dealt in enumerate(day.deals, 1):
            if number not in known:
                # Who leads a later deal may follow from the one before, which each plays differently (C3).
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
            self._ranks.pop(deal.table, None)

    def _rank(self, table: Table) -> Rank:
        if self._is_first(table):
            return Rank.FIRST
        if table.seats.are_for_one or table.state is State.STOPPED:
            return Rank.LAST
        return Rank.LIVE if table.is_live else Rank.ENDED

    def _order(self, deal: _Deal) -> tuple[int, int, int, int]:
        """Sorts the deals: live tables' as they come, ended ones' newest first.

        What processes have ended over comes after all that they have not: it may be to blame.
        """
        rank = self._rank_of(deal)
        later = rank >= Rank.ENDED
        return self._lost[deal], rank, -deal.table if later else 0, deal.number if later else 0

    def _rank_of(self, deal: _Deal) -> Rank:
        return self._ranks.get(deal.table, Rank.LIVE)

    # Computing

    def _go_on(self) -> None:
        if not self._task and not self._is_closed and (self._wanted or self._earlier):
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Compute no more."""
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
        """The first deal that is wanted; tables that ended earlier are read before the last are computed."""
        while True:
            deal = min(self._wanted, key=self._order, default=None)
            is_last = deal is None or self._rank_of(deal) == Rank.LAST
            if not is_last or not self._earlier:
                return deal
            await self._read(self._earlier.pop(0))

    async def _read(self, id: int) -> None:
        with suppress(Refusal):  # a damaged table, which is in the log
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
