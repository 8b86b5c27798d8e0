"""The daily deal: everyone's game of the day, and its result."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from engine.errors import Refusal
from engine.languages import by_locale
from engine.play.par import Par
from engine.rules.options import Goal
from engine.storage import privacy
from engine.storage.daily import (
    DailyResult,
    DayFigures,
    count_better,
    daily_streak,
    day_figures,
    day_ranking,
    find_daily_result,
    first_day_after,
    has_begun_day,
    last_day_before,
    put_shared,
)
from engine.storage.database import Database
from engine.storage.deleted_players import drop_past_days
from engine.storage.pars import day_pars
from engine.storage.tables import daily_place
from engine.tables import changes
from engine.tables.days import Day, daily_table, date_of, day_after, day_before
from engine.tables.service import Tables
from engine.tables.table import Person, Table


@dataclass(frozen=True, slots=True)
class Ranking:
    """One person's view of a day: their result, their place, and the others of their server."""

    day: Day
    is_over: bool  # so that its cards may be shown
    own: DailyResult | None
    everywhere: DayFigures
    place: int | None  # among all servers' players, from 1; None if not ranked
    here: tuple[DailyResult, ...]  # the results in `guild`, best first
    streak: int  # days in a row, up to this one
    before: str | None  # the nearest days before and after it with deals, up to today
    next: str | None
    guild: int  # the server whose players are `here`; 0 for none
    pars: Mapping[int, Par] = field(default_factory=dict)  # of its deals (from 1), once the day is over


class DailyDeals:
    """Everyone's daily games: one a day for each person, at a private table."""

    def __init__(self, tables: Tables, database: Database, clock: Callable[[], float]) -> None:
        self._tables = tables
        self._database = database
        self._clock = clock
        #: The days and people whose results are being posted.
        self._sharing: set[tuple[str, int]] = set()
        #: By person, so that two clicks at once begin only one game.
        self._beginning: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @property
    def today(self) -> str:
        """The date, by UTC."""
        return date_of(self._clock())

    async def day(self, date: str) -> Day:
        """The day of this date, made now if it is today's; Refusal if it has no deals."""
        if date == self.today:
            return await self._tables.days.ready(date, self._clock())
        day = await self._tables.days.find(date) if date < self.today else None
        if day is None:
            raise Refusal("no_such_day")
        return day

    def going_on(self, person: int) -> Table | None:
        """This person's unfinished daily game, of today or an earlier day."""
        return self._tables.in_channel(daily_place(person))

    async def play(self, person: Person, guild: int, channel: int) -> Table:
        """This person's game of today, begun now if necessary; one of an earlier day is given up.

        Refusal if it is finished, or if they saw its cards before they deleted their data.
        """
        async with self._beginning.setdefault(person.id, asyncio.Lock()):
            day, old = await self.day(self.today), self.going_on(person.id)
            if old and old.daily and old.daily.day == day.date:
                return old
            if await find_daily_result(self._database, day.date, person.id):
                raise Refusal("played_today")
            if await has_begun_day(self._database, day.date, person.id):
                raise Refusal("seen_today")
            if old:
                await self._give_up(old)
            preferences = self._tables.preferences
            language = preferences.language_of(person.id, by_locale(person.locale))
            async with preferences.sitting_down(person):
                return await self._tables.begin(daily_table(day, person, guild, channel, language))

    async def ranking(self, date: str, person: int, guild: int | None) -> Ranking:
        """A day's ranking as this person sees it in a server; 0 for no server, None for where they played."""
        day, database = await self.day(date), self._database
        highest = day.rules.winner is Goal.HIGHEST
        own = await find_daily_result(database, date, person)
        if guild is None:
            guild = own.guild if own else 0
        place = None
        if own and own.is_ranked:
            place = 1 + await count_better(database, date, own.total, highest=highest)
        return Ranking(
            day=day,
            is_over=date < self.today,
            own=own,
            everywhere=await day_figures(database, date),
            place=place,
            # People who played outside servers have nothing in common, and aren't shown to each other.
            here=tuple(await day_ranking(database, date, guild, highest=highest)) if guild else (),
            streak=await daily_streak(database, person, date),
            before=await last_day_before(database, date),
            next=await first_day_after(database, date, self.today),
            guild=guild,
            pars=await day_pars(database, date) if date < self.today else {},
        )

    @asynccontextmanager
    async def sharing(self, date: str, person: int) -> AsyncIterator[None]:
        """Post this person's result in this block; it counts as shared unless the block fails.

        Refusal if they have no result, have shared it, or are sharing it right now.
        """
        if (date, person) in self._sharing:
            raise Refusal("already_shared")
        self._sharing.add((date, person))
        try:
            own = await find_daily_result(self._database, date, person)
            if own is None or own.is_shared:
                raise Refusal("already_shared")
            yield
            await put_shared(self._database, date, person)
        finally:
            self._sharing.remove((date, person))

    async def tend(self) -> None:
        """Make the deals of today and tomorrow, and clean up after past days."""
        with suppress(Refusal):
            await drop_past_days(self._database, self.today, day_after(self.today))
        await privacy.finish(self._database)
        for date in (self.today, day_after(self.today)):
            with suppress(Refusal):  # a damaged day is refused again where it is shown
                await self._tables.days.ready(date, self._clock())
        await self._tables.want_day_pars()
        for table in self._tables.live:
            if table.daily and table.daily.day < day_before(self.today):
                await self._give_up(table)

    async def _give_up(self, table: Table) -> None:
        """End this game of an earlier day, unless it has just ended otherwise."""
        try:
            await self._tables.change(table.id, changes.stop, table.host, may_manage=True)
        except Refusal as refusal:
            if refusal.id != "table_gone":
                raise
