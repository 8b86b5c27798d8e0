"""The live tables, with their locks, alarms and thinking computers.

A change takes its table's lock, asks the rules and is stored in one transaction. Only then does the new table
replace the old one in memory, go to the listener and become the answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Passed, Played, SeatMove
from engine.play.par import Par
from engine.play.views import seat_view
from engine.tables import changes
from engine.tables.flow import Flow, after_absence, shifted
from engine.tables.presence import Alarm, Presence
from engine.tables.store import Damaged, TableStore
from engine.tables.table import State, Table
from engine.thinking import Thinking

log = logging.getLogger(__name__)
Listener = Callable[[Table], None]
Change = Callable[[Table], Table]
#: Seconds after which what should have happened by itself, and failed, is tried again.
RETRY_AFTER = 60.0
#: Seconds for which computers may think until a person is waited for again; after that they think no longer.
LONGEST_ROUND = 1.5
#: How many thoughts over hands of each size are remembered, and the seconds of some before the first.
THOUGHTS_KEPT, FIRST_THOUGHTS = 50, (0.04, 0.05, 0.06, 0.08)
T = TypeVar("T")


@dataclass(slots=True)
class _LiveTable:
    """A live table with the lock that each change takes, its timer's alarm, and its computers' thoughts."""

    table: Table
    stored: Table  # as it was last saved: without what has followed from the clock since
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    alarm: Alarm | None = None
    base: float = 0.0  # the presence's, by which the table's times are told
    thinking: asyncio.Task[None] | None = None


class LiveTables:
    """All live tables, one a channel, each with its lock and its alarm.

    `listener` is told of each table that has changed, `save_failed` of one whose change could not be saved.
    `leaving` are people who are being deleted: no change brings one to a table that doesn't tell of them.
    """

    def __init__(
        self,
        store: TableStore,
        flow: Flow,
        mind: StrongComputers,
        presence: Presence,
        listener: Listener,
        save_failed: Listener,
        leaving: Set[int] = frozenset(),
    ) -> None:
        self._store = store
        self._leaving = leaving
        self._flow = flow
        self._mind = mind
        self._presence = presence
        presence.on_return(self._take_up_all)
        self._listener = listener
        self._watchers: list[Listener] = []
        self._save_failed = save_failed
        self.damaged: list[Damaged] = []
        #: How many games have ended, by how.
        self.ended = Counter({State.OVER: 0, State.STOPPED: 0})
        self._live: dict[int, _LiveTable] = {}
        self._by_channel: dict[int, int] = {}
        self._opening = asyncio.Lock()
        self._work = Work()
        self._is_closed = False

    def watch(self, watcher: Listener) -> None:
        """Tell this one too of each table that has changed, after the listener; and of late pars."""
        self._watchers.append(watcher)

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
        """Read the live tables, and those whose end nobody has seen; others are `damaged`."""
        tables, self.damaged = await self._store.unseen()
        return tables

    async def resume(self, tables: Sequence[Table]) -> list[Table]:
        """Let these tables go on here; returns all of them as they are then.

        One that fails is set aside like one that can't be read. Refusal if nothing can be saved now.
        """
        resumed = []
        for table in tables:
            try:
                resumed.append(await self._resume(table) if table.is_live else table)
            except Exception as error:
                if isinstance(error, Refusal) and error.id == "cannot_save":
                    raise
                log.exception("table %s can't go on and is left as it is", table.id)
                await self._set_aside(table)
        return resumed

    async def _resume(self, table: Table) -> Table:
        live = self._keep(table)
        await self._take_up(live)
        return live.table

    async def _set_aside(self, table: Table) -> None:
        live = self._live.pop(table.id, None)
        self._by_channel.pop(table.channel, None)
        if live:
            self._ring_in(live, None)
        self.damaged.append(Damaged(table.id, table.channel))
        try:
            await self._store.set_aside(table.id)
        except Exception:
            log.exception("table %s can't be set aside: its channel stays taken", table.id)

    async def _take_up(self, live: _LiveTable) -> None:
        """Let a table go on after an absence, as far as its deadlines allow."""
        live.table = replace(live.table, resumed_at=self._flow.clock())
        late = after_absence(live.table, self._flow.clock())
        if late is not live.table:
            await self._save(live, late)
        live.table = self._flow.with_forced_card(live.table, live.table)
        self._set_alarm(live)
        self._let_think(live)

    async def _take_up_all(self) -> None:
        """Let all tables go on after an absence in which the process lived."""
        for id in list(self._live):
            with suppress(Refusal):  # it has just ended, or can't be saved, of which it was told
                await self._work.to_the_end(self._take_up_again(id))

    async def _take_up_again(self, id: int) -> None:
        async with self._changing(id) as live:
            await self._take_up(live)

    async def close(self) -> None:
        """Finish what has begun, except thoughts, and let no alarm ring any more."""
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

    async def put_par(self, id: int, deal: int, par: Par) -> Table | None:
        """Store the par of a finished deal of a live table, and tell; None if it isn't live any more."""
        return await self._work.to_the_end(self._put_par(id, deal, par))

    async def change_all(self, change: Change) -> bool:
        """Change every table that `change` alters; whether none refused."""
        return await self._work.to_the_end(self._change_all(change))

    async def _open(self, table: Table) -> Table:
        async with self._opening:
            for person in self._leaving:
                table = changes.forget(table, person)
            if not table.is_live:
                raise Refusal("leaving")
            if old := self.in_channel(table.channel):
                await self._make_way(old, table.host)
            table = await self._store.open(self._flow.settle(table, table), self._flow.clock())
            live = self._keep(table)
            self._set_alarm(live)
            self._let_think(live)
            self.tell(table)
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

    async def _put_par(self, id: int, deal: int, par: Par) -> Table | None:
        live = self._live.get(id)
        if live is None:
            return None
        async with live.lock:
            if not live.table.is_live:
                return None
            live.table = await self._store.put_par(live.table, deal, par)
            self.tell(live.table)
            return live.table

    async def _change_all(self, change: Change) -> bool:
        refused = []
        async with self._opening:  # the table that is being opened too
            lives = list(self._live.values())
        for live in lives:
            try:
                async with live.lock:
                    self._follow_clock(live)
                    table = change(live.table)
                    if live.table.is_live and table is not live.table:
                        await self._save(live, table)
            except Exception as error:
                refused.append(live)
                if not isinstance(error, Refusal):
                    log.exception("table %s could not be changed with all others", live.table.id)
        return not refused

    @asynccontextmanager
    async def _changing(self, id: int) -> AsyncIterator[_LiveTable]:
        live = self._live.get(id)
        if live is None:
            raise Refusal("table_gone")
        async with live.lock:
            if not live.table.is_live:  # it ended while we waited
                raise Refusal("table_gone")
            self._follow_clock(live)
            yield live

    def _follow_clock(self, live: _LiveTable) -> None:
        """Leave each time as much as was left of it before the clock was set."""
        if live.base != self._presence.base:
            live.table = shifted(live.table, self._presence.base - live.base)
            live.base = self._presence.base

    async def _save(self, live: _LiveTable, table: Table) -> Table:
        """Let computers and chance move on, store all of it in one transaction, and tell."""
        for person in self._leaving:
            if changes.tells_of(table, person) and not changes.tells_of(live.table, person):
                raise Refusal("leaving")
        table = self._flow.settle(live.table, table)
        try:
            table = await self._store.append(live.stored, table, self._flow.clock())
            live.table = live.stored = table
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
        self.tell(table)
        return table

    def _keep(self, table: Table) -> _LiveTable:
        live = self._live[table.id] = _LiveTable(table, table, base=self._presence.base)
        self._by_channel[table.channel] = table.id
        return live

    def tell(self, table: Table) -> None:
        """Tell everyone who listens of this table."""
        self._tell(self._listener, table)
        self.tell_watchers(table)

    def tell_watchers(self, table: Table) -> None:
        """Tell those who watch of this table, which may have ended long ago."""
        for watcher in self._watchers:
            self._tell(watcher, table)

    @staticmethod
    def _tell(listener: Listener, table: Table) -> None:
        try:
            listener(table)
        except Exception:  # what is stored is done: who shows it must not undo it
            log.exception("table %s could not be told", table.id)

    def _set_alarm(self, live: _LiveTable) -> None:
        """Let the table's one alarm ring when there is next something to do."""
        rings_at = live.table.rings_at
        self._ring_in(live, None if rings_at is None else max(0.0, rings_at - self._flow.clock()))

    def _try_again(self, live: _LiveTable) -> None:
        """Let the alarm ring in AGAIN seconds, as something has failed; one that rings sooner stays."""
        if not live.alarm or live.alarm.rings_at > asyncio.get_running_loop().time() + RETRY_AFTER:
            self._ring_in(live, RETRY_AFTER)

    def _ring_in(self, live: _LiveTable, seconds: float | None) -> None:
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        if seconds is not None:
            live.alarm = self._presence.alarm(seconds, lambda: self._ring(live))

    def _ring(self, live: _LiveTable) -> None:
        live.alarm = None
        self._work.start(self._apply_automatic_change(live, "timer", self._flow.ring))

    def _let_think(self, live: _LiveTable) -> None:
        """Let computers to move think, unless they already do; their moves come when they are found."""
        if self._mind.is_asked(live.table) and not live.thinking and not self._is_closed:
            live.thinking = asyncio.create_task(self._think(live))

    async def _think(self, live: _LiveTable) -> None:
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

        await self._work.to_the_end(self._apply_automatic_change(live, "computers", move))

    async def _apply_automatic_change(self, live: _LiveTable, whose: str, change: Change) -> None:
        """Make a change that nobody asked for: a timer's, or the computers'."""
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


# What strong computers think of while their table's lock is free


class StrongComputers:
    """Thinks for the strong computers of all tables.

    `clock` and `sleep` measure and let pass the seconds that thoughts take; by default they are the loop's.
    """

    def __init__(
        self,
        flow: Flow,
        thinking: Thinking | None,
        rng: Random,
        *,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._flow = flow
        self._thinking = thinking
        self._rng = rng
        self._clock = clock or _now
        self._sleep = sleep
        #: The seconds that the latest thoughts took, by the number of cards in hand, on which they depend.
        self._took: dict[int, deque[float]] = {}

    def is_asked(self, table: Table) -> bool:
        """Whether there is something to think about; if there soon will be, prepare for it."""
        will_be = table.seats.has_strong or (table.game and table.gives_hints)
        if self._thinking and table.is_live and will_be:
            self._thinking.prepare()
        return bool(self._flow.thoughtful(table))

    async def think(self, table: Table) -> Thought:
        """The computers' moves, one after another, until a person is waited for or the deal is over."""
        begun, until = table, self._clock() + LONGEST_ROUND
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
        """The move of the strong computer in this seat, or of a weaker one if that cannot be asked."""
        assert table.game is not None
        assert self._thinking is not None
        view = seat_view(table.game, seat)
        if view.deal.phase is Phase.PLAYING and len(set(view.legal)) == 1:
            await self._sleep(min(self._usual_seconds(len(view.hand)), max(0.0, until - self._clock())))
            return Played(seat, view.legal[0])
        began = self._clock()
        manner, vigilance = table.seats[seat].manner, table.seats.vigilance
        move = await self._thinking.move(view, manner, vigilance, self._rng.getrandbits(62), until - began)
        if view.deal.phase is Phase.PLAYING:
            took = self._took.setdefault(len(view.hand), deque(maxlen=THOUGHTS_KEPT))
            took.append(self._clock() - began)
        if move is not None:
            try:
                table.after(move)
            except Refusal as refusal:
                log.error("a strong computer wanted to do what it may not: %s", refusal)
                move = None
        return move or self._flow.move(table, seat)

    def _usual_seconds(self, cards: int) -> float:
        """How long a thought over a hand of this size takes, by chance one of the latest."""
        if not self._took:
            return self._rng.choice(FIRST_THOUGHTS)
        return self._rng.choice(self._took[min(self._took, key=lambda known: abs(known - cards))])


@dataclass(frozen=True, slots=True)
class Thought:
    """The next moves of the computers from one position of a table."""

    table: Table
    moves: tuple[SeatMove, ...]

    def on(self, table: Table) -> Table:
        """The table after these moves, unchanged if they no longer fit it."""
        try:
            after = table
            for move in self._left(table):
                after = after.after(move)
        except Refusal:
            return table
        return after

    def _left(self, table: Table) -> Sequence[SeatMove]:
        """The thoughts that still fit the table: none if anything has happened that counts.

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


def _now() -> float:
    """Seconds by the loop's clock."""
    return asyncio.get_running_loop().time()


# Work in the background


class Work:
    """Tasks that run to their end even if their caller goes away."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start this in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of this work, which goes on even if the caller is cancelled."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Wait until no task is left."""
        while self._tasks:
            await asyncio.wait(self._tasks)
