"""The daily deal: everybody's game of the day, and its result."""

from __future__ import annotations

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
    is_over: bool  # so that its cards may be told
    own: DailyResult | None
    everywhere: DayFigures
    place: int | None  # among all servers' players, from 1; None if not ranked
    here: tuple[DailyResult, ...]  # of this server, the best first
    streak: int  # days in a row, up to this one
    before: str | None  # the days beside it that had deals, up to today
    next: str | None
    guild: int  # the server whose players are `here`; 0 for none
    pars: Mapping[int, Par] = field(default_factory=dict)  # of its deals (from 1), once the day is over


class DailyDeals:
    """Each person's one game a day, at a table of its own that is shown in no channel."""

    def __init__(self, tables: Tables, database: Database, clock: Callable[[], float]) -> None:
        self._tables = tables
        self._database = database
        self._clock = clock
        #: Days, and whose results are just being posted.
        self._sharing: set[tuple[str, int]] = set()
        #: By person, as two clicks at once begin one game.
        self._beginning: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @property
    def today(self) -> str:
        """The date, by UTC."""
        return date_of(self._clock())

    async def day(self, date: str) -> Day:
        """A day up to today, made if it was not yet; Refusal for one without deals."""
        if date == self.today:
            return await self._tables.days.ready(date, self._clock())
        day = await self._tables.days.find(date) if date < self.today else None
        if day is None:
            raise Refusal("no_such_day")
        return day

    def going_on(self, person: int) -> Table | None:
        """This person's daily game, of today or of an earlier day, that is not finished."""
        return self._tables.in_channel(daily_place(person))

    async def play(self, person: Person, guild: int, channel: int) -> Table:
        """Today's game of this person, begun here if it has not begun; one of an earlier day is given up.

        Refusal if it is finished, or was seen before everything about this person was deleted.
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
        """A day's ranking as this person sees it in this server; 0 for none, None for where they played."""
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
            # Those who played outside servers have nothing in common, and aren't shown to each other.
            here=tuple(await day_ranking(database, date, guild, highest=highest)) if guild else (),
            streak=await daily_streak(database, person, date),
            before=await last_day_before(database, date),
            next=await first_day_after(database, date, self.today),
            guild=guild,
            pars=await day_pars(database, date) if date < self.today else {},
        )

    @asynccontextmanager
    async def sharing(self, date: str, person: int) -> AsyncIterator[None]:
        """A block in which this person's result is posted: it counts as shared only once that is done.

        Refusal if they have none, have shared it, or are just doing so.
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
        """Make today's and tomorrow's deals, and delete what past days have left behind."""
        with suppress(Refusal):
            await drop_past_days(self._database, self.today, day_after(self.today))
        await privacy.finish(self._database)
        for date in (self.today, day_after(self.today)):
            with suppress(Refusal):  # one of them that is damaged is asked for again where it is shown
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
