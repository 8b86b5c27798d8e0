"""The room where the live tables stand.

Each change takes its table's lock, asks the rules, is stored in one transaction, and only then
replaces the table in memory, is told to the listener and answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from engine.errors import Refusal
from engine.tables import changes
from engine.tables.flow import Flow, after_absence
from engine.tables.info import State
from engine.tables.store import Damaged, TableStore
from engine.tables.table import Table
from engine.tables.thoughts import Mind
from engine.tables.work import Work

log = logging.getLogger(__name__)

Listener = Callable[[Table], None]
Change = Callable[[Table], Table]
#: Seconds after which what should have happened by itself, and failed, is tried again.
AGAIN = 60.0


@dataclass(slots=True)
class _Live:
    """A live table with the lock that each change takes, its timer's alarm, and its computers' thoughts."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    alarm: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None


class Room:
    """All live tables, one a channel, each with its lock and its alarm.

    `listener` is told of each table that has changed, `save_failed` of one whose change could not be saved.
    """

    def __init__(
        self, store: TableStore, flow: Flow, mind: Mind, listener: Listener, save_failed: Listener
    ) -> None:
        self._store = store
        self._flow = flow
        self._mind = mind
        self._listener = listener
        self._save_failed = save_failed
        self.damaged: list[Damaged] = []
        #: How many games have ended, by how.
        self.ended = Counter({State.OVER: 0, State.STOPPED: 0})
        self._live: dict[int, _Live] = {}
        self._by_channel: dict[int, int] = {}
        self._opening = asyncio.Lock()
        self._work = Work()
        self._is_closed = False

    @property
    def tables(self) -> list[Table]:
        """All of them."""
        return [live.table for live in self._live.values()]

    def get(self, id: int) -> Table | None:
        """The live table with this id."""
        live = self._live.get(id)
        return live.table if live else None

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        id = self._by_channel.get(channel)
        return self._live[id].table if id is not None else None

    async def read(self) -> list[Table]:
        """The live tables of the log, and those whose end nobody has seen; others are `damaged`."""
        tables, self.damaged = await self._store.unseen()
        return tables

    async def resume(self, tables: Sequence[Table]) -> list[Table]:
        """Let these go on where they live; all of them as they are then."""
        unseen = {table.id: table for table in tables}
        lives = [self._keep(table) for table in unseen.values() if table.is_live]
        for live in lives:
            late = after_absence(live.table, self._flow.clock())
            if late is not live.table:
                await self._save(live, late)
            live.table = self._flow.expecting(live.table, live.table)
            self._set_alarm(live)
            self._let_think(live)
        return list((unseen | {live.table.id: live.table for live in lives}).values())

    async def close(self) -> None:
        """Finish what is in hand, but no thought, and let no alarm ring any more."""
        self._is_closed = True
        for live in self._live.values():
            if live.thinking:
                live.thinking.cancel()
        await self._work.finish()
        for live in self._live.values():
            if live.alarm:
                live.alarm.cancel()

    async def open(self, table: Table) -> Table:
        """Set up a new table; Refusal if people still play at another in its channel."""
        return await self._work.to_the_end(self._open(table))

    async def change(self, id: int, change: Change) -> Table:
        """The table after this change; Refusal if it is gone, and whatever `change` refuses."""
        return await self._work.to_the_end(self._change(id, change))

    async def change_all(self, change: Change) -> bool:
        """Change every table that `change` does not leave as it is; whether none refused, and stays so."""
        return await self._work.to_the_end(self._change_all(change))

    async def _open(self, table: Table) -> Table:
        async with self._opening:
            if old := self.in_channel(table.channel):
                await self._make_way(old, table.host)
            table = await self._store.open(self._flow.settle(table, table), self._flow.clock())
            live = self._keep(table)
            self._set_alarm(live)
            self._tell(self._listener, table)
            return table

    async def _make_way(self, old: Table, person: int) -> None:
        """Close a table that everybody else has left; Refusal if people play there, or may come back."""
        try:
            await self._change(old.id, lambda table: changes.make_way(table, person))
        except Refusal as refusal:
            if refusal.id != "table_gone":  # it has just closed by itself
                raise

    async def _change(self, id: int, change: Change) -> Table:
        async with self._changing(id) as live:
            return await self._save(live, change(live.table))

    async def _change_all(self, change: Change) -> bool:
        refused = []
        for live in list(self._live.values()):
            try:
                async with live.lock:
                    table = change(live.table)
                    if live.table.is_live and table is not live.table:
                        await self._save(live, table)
            except Exception as error:
                refused.append(live)
                if not isinstance(error, Refusal):
                    log.exception("table %s could not be changed with all others", live.table.id)
        return not refused

    @asynccontextmanager
    async def _changing(self, id: int) -> AsyncIterator[_Live]:
        live = self._live.get(id)
        if live is None:
            raise Refusal("table_gone")
        async with live.lock:
            if not live.table.is_live:  # it ended while we waited
                raise Refusal("table_gone")
            yield live

    async def _save(self, live: _Live, table: Table) -> Table:
        """Let computers and chance move on, store all of it together, and tell."""
        table = self._flow.settle(live.table, table)
        try:
            live.table = table = await self._store.append(live.table, table, self._flow.clock())
        except Refusal:
            self._tell(self._save_failed, live.table)
            raise
        self._set_alarm(live)
        if not table.is_live:
            if table.game is not None:
                self.ended[table.state] += 1
            del self._live[table.id]
            del self._by_channel[table.channel]
        self._let_think(live)
        self._tell(self._listener, table)
        return table

    def _keep(self, table: Table) -> _Live:
        live = self._live[table.id] = _Live(table)
        self._by_channel[table.channel] = table.id
        return live

    @staticmethod
    def _tell(listener: Listener, table: Table) -> None:
        try:
            listener(table)
        except Exception:  # what is stored is done: who shows it must not undo it
            log.exception("table %s could not be told", table.id)

    def _set_alarm(self, live: _Live) -> None:
        """Let the table's one alarm ring when there is next something to do."""
        rings_at = live.table.rings_at
        self._ring_in(live, None if rings_at is None else max(0.0, rings_at - self._flow.clock()))

    def _try_again(self, live: _Live) -> None:
        """Let the alarm ring in AGAIN seconds, as something has failed; one that rings sooner stays."""
        if not live.alarm or live.alarm.when() > asyncio.get_running_loop().time() + AGAIN:
            self._ring_in(live, AGAIN)

    def _ring_in(self, live: _Live, seconds: float | None) -> None:
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        if seconds is not None:
            live.alarm = asyncio.get_running_loop().call_later(seconds, self._ring, live)

    def _ring(self, live: _Live) -> None:
        live.alarm = None
        self._work.start(self._by_itself(live, "timer", self._flow.ring))

    def _let_think(self, live: _Live) -> None:
        """Let the computers think that are to move, unless they do; their moves come when they are found."""
        if self._mind.is_asked(live.table) and not live.thinking and not self._is_closed:
            live.thinking = asyncio.create_task(self._think(live))

    async def _think(self, live: _Live) -> None:
        try:
            thought = await self._mind.think(live.table)
        except Exception:
            log.exception("the computers of table %s cannot think", live.table.id)
            live.thinking = None
            self._try_again(live)
            return

        def move(table: Table) -> Table:
            live.thinking = None  # not sooner: others would begin to think of the same
            return thought.on(table)

        await self._work.to_the_end(self._by_itself(live, "computers", move))

    async def _by_itself(self, live: _Live, whose: str, change: Change) -> None:
        """A change that nobody has asked for."""
        try:
            async with self._changing(live.table.id):
                table = change(live.table)
                if table is live.table:  # the clocks disagreed by a little, or a thought came too late
                    self._set_alarm(live)
                    self._let_think(live)
                else:
                    await self._save(live, table)
        except Exception as error:
            if isinstance(error, Refusal) and error.id == "table_gone":
                return  # it has just ended
            unforeseen = not isinstance(error, Refusal)
            log.log(
                logging.ERROR if unforeseen else logging.WARNING,
                "the %s of table %s failed: %s",
                whose,
                live.table.id,
                error,
                exc_info=unforeseen,
            )
            self._try_again(live)
