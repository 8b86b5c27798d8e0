"""The table service: every change to a table comes through here, from people, computers, timers and restarts.

Each call takes the table's lock, asks the rules, stores what changed in one transaction, and only
then changes what it holds in memory, tells the listener and answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from random import Random, SystemRandom
from typing import Any, Concatenate, ParamSpec, TypeVar

from engine.errors import Refusal
from engine.play import moves as moves_
from engine.play.moves import Move, SeatMove
from engine.players import Player, sensible_move
from engine.rules.ruleset import Ruleset
from engine.storage import standings
from engine.storage import tables as storage
from engine.storage.database import Database
from engine.tables import changes
from engine.tables.flow import Flow, after_absence
from engine.tables.log import restore, results, store
from engine.tables.pace import NoticeKind, Pace
from engine.tables.table import Moment, Person, Seat, State, Table

log = logging.getLogger(__name__)

Listener = Callable[[Table], None]
P = ParamSpec("P")
T = TypeVar("T")
Method = Callable[Concatenate["Tables", P], Coroutine[Any, Any, T]]


def _to_the_end(method: Method[P, T]) -> Method[P, T]:
    """Goes on when whoever called is cancelled: what is stored by then must be known here as well."""

    @wraps(method)
    async def shielded(self: Tables, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(self._work(method(self, *args, **kwargs)))

    return shielded


@dataclass(slots=True)
class _Live:
    table: Table
    moves: int = 0  # how many lie in the log
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    alarm: asyncio.TimerHandle | None = None


class Tables:
    """All live tables. Chance, time and the computer player are handed in.

    `listener` is told of each table that has changed, `stuck` of one whose change could not be saved.
    """

    def __init__(
        self,
        database: Database,
        listener: Listener = lambda table: None,
        stuck: Listener = lambda table: None,
        *,
        rng: Random | None = None,
        player: Player = sensible_move,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._listener = listener
        self._stuck = stuck
        chance = rng or SystemRandom()
        self._flow = Flow(chance, Random(chance.getrandbits(128)), player, clock)
        self._live: dict[int, _Live] = {}
        self._by_channel: dict[int, int] = {}
        self._opening = asyncio.Lock()
        self._working: set[asyncio.Task[Any]] = set()

    async def resume(self) -> list[Table]:
        """Take up every live table of the database again, where its log ends.

        Returned are these, and those that have ended without anybody seeing it.
        """
        unseen = await storage.unseen_tables(self._database)
        tables = {stored.id: restore(stored) for stored in unseen}
        for stored in unseen:
            if tables[stored.id].is_live:
                self._keep(_Live(tables[stored.id], len(stored.moves)))
        for live in list(self._live.values()):
            late = after_absence(live.table, self._flow.clock())
            if late is not live.table:
                await self._save(live, late, [])
            self._set_alarm(live)
        return list((tables | {live.table.id: live.table for live in self._live.values()}).values())

    async def close(self) -> None:
        """Finish what is in hand, and let no timer ring any more."""
        while self._working:
            await asyncio.wait(self._working)
        for live in self._live.values():
            if live.alarm:
                live.alarm.cancel()

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        if id not in self._live:
            raise Refusal("table_gone")
        return self._live[id].table

    async def find(self, id: int) -> Table:
        """The table with this id, live or ended; Refusal if there is none any more."""
        if id in self._live:
            return self._live[id].table
        stored = await storage.table(self._database, id)
        if stored is None:
            raise Refusal("table_gone")
        return restore(stored)

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        id = self._by_channel.get(channel)
        return self._live[id].table if id is not None else None

    def in_guild(self, guild: int) -> list[Table]:
        """The live tables of this server."""
        return [live.table for live in self._live.values() if live.table.guild == guild]

    @property
    def live(self) -> list[Table]:
        """All live tables."""
        return [live.table for live in self._live.values()]

    def at(self, channel: int) -> Table:
        """The live table of this channel; Refusal if there is none."""
        table = self.in_channel(channel)
        if table is None:
            raise Refusal("no_table")
        return table

    async def latest_game(self, channel: int) -> Table:
        """The game going on in this channel, or the last one there; Refusal if none has begun."""
        table = self.in_channel(channel)
        if table is None or table.game is None:
            stored = await storage.latest_game(self._database, channel)
            if stored is None:
                raise Refusal("no_game_here")
            table = restore(stored)
        return table

    async def open(
        self, guild: int, channel: int, host: Person, rules: Ruleset, pace: Pace = Pace.NONE
    ) -> Table:
        """A new table in its lobby, with the host seated."""
        seats = (Seat(host.id, host.name),)
        return await self._open(
            Table(id=0, guild=guild, channel=channel, host=host.id, rules=rules, seats=seats, pace=pace)
        )

    async def rematch(self, id: int, person: Person) -> Table:
        """A new lobby with an ended table's rules and seats; the person who asks is its host.

        The seats of those who had left are free: they may join again.
        """
        stored = await storage.table(self._database, id)
        if stored is None:
            raise Refusal("table_gone")
        old = restore(replace(stored, moves=()))
        if old.seat_of(person.id) is None:
            raise Refusal("not_seated")
        seats = tuple(
            Seat(seat.person, seat.name) for seat in old.seats if not seat.away or seat.person == person.id
        )
        return await self._open(
            replace(old, host=person.id, state=State.LOBBY, seats=seats, game=None, timer=None, notice=None)
        )

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or take one's own seat back from the computer."""
        return await self._change(id, lambda table: changes.join(table, person))

    async def add_computer(self, id: int, person: int) -> Table:
        """Give an empty seat of the lobby to a computer."""
        return await self._change(id, lambda table: changes.add_computer(table, person))

    async def leave(self, id: int, person: int) -> Table:
        """Get up: in the lobby the seat is free again, in a game a computer plays on."""
        return await self._change(id, lambda table: changes.leave(table, person))

    async def change_rules(self, id: int, person: int, change: Callable[[Ruleset], Ruleset]) -> Table:
        """The host changes the house rules in the lobby; `change` makes the new ones of the old."""
        return await self._change(id, lambda table: changes.change_rules(table, person, change))

    async def name_first(self, id: int, person: int, first: int | None) -> Table:
        """The host names who leads the first deal (C3); with None it is the oldest account."""
        return await self._change(id, lambda table: changes.name_first(table, person, first))

    async def change_pace(self, id: int, person: int, pace: Pace) -> Table:
        """The host changes how long a turn may take."""
        return await self._change(id, lambda table: changes.change_pace(table, person, pace))

    async def start(self, id: int, person: int) -> Table:
        """The host starts the game; computers take the seats that are still empty."""
        return await self._change(id, lambda table: changes.start(table, person))

    async def stop(self, id: int, person: int, *, may_manage: bool) -> Table:
        """End the table without a result: its host may, and whoever may manage the channel."""
        return await self._change(id, lambda table: changes.stop(table, person, may_manage=may_manage))

    @_to_the_end
    async def forget(self, person: int) -> list[int]:
        """Take this person out of every live table; returns the tables' ids."""
        forgotten = []
        for live in list(self._live.values()):
            async with live.lock:
                table = changes.forget(live.table, person)
                if live.table.is_live and table is not live.table:
                    await self._save(live, table, [])
                    forgotten.append(table.id)
        return forgotten

    async def close_for(self, id: int, why: NoticeKind) -> Table:
        """End the table without a result, for a reason outside it."""
        return await self._change(id, lambda table: replace(table, state=State.STOPPED).told(why))

    async def pause(self, id: int) -> Table:
        """Let the game and its time stand still."""
        return await self._change(id, changes.pause)

    async def unpause(self, id: int) -> Table:
        """Let it go on."""
        return await self._change(id, changes.unpause)

    async def tell(self, id: int, kind: NoticeKind, person: int) -> Table:
        """Tell the table something about one of its players."""

        def told(table: Table) -> Table:
            number = table.seat_of(person)
            return table if number is None else table.told(kind, [number])

        return await self._change(id, told)

    @_to_the_end
    async def act(
        self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment | None = None
    ) -> Table:
        """Make a person's move; `move` is called with their seat. Refusal if the rules forbid it.

        With `at`, refused as stale if the game has moved on from there.
        """
        async with self._changing(id) as live:
            table = live.table
            number = changes.check_may_play(table, person, at)
            assert table.game is not None
            made = move(number)
            seat = replace(table.seats[number], missed=0)
            table = replace(table, game=table.game.advance(made))
            if seat != table.seats[number]:
                table = table.with_seat(number, seat)
            return await self._save(live, table, [made])

    @_to_the_end
    async def _change(self, id: int, change: Callable[[Table], Table]) -> Table:
        async with self._changing(id) as live:
            return await self._save(live, change(live.table), [])

    @asynccontextmanager
    async def _changing(self, id: int) -> AsyncIterator[_Live]:
        live = self._live.get(id)
        if live is None:
            raise Refusal("table_gone")
        async with live.lock:
            if not live.table.is_live:  # it ended while we waited
                raise Refusal("table_gone")
            yield live

    @_to_the_end
    async def _open(self, table: Table) -> Table:
        async with self._opening:
            old = self.in_channel(table.channel)
            if old and old.people:
                raise Refusal("table_in_channel")
            if old:
                await self.close_for(old.id, NoticeKind.DESERTED)
            table = self._flow.wind(table, table)
            async with self._database.transaction() as connection:
                id = await storage.insert(connection, store(table), self._flow.clock())
            live = _Live(replace(table, id=id))
            self._keep(live)
            self._set_alarm(live)
            self._tell(self._listener, live.table)
            return live.table

    async def _save(self, live: _Live, table: Table, moves: list[Move]) -> Table:
        """Let computers and chance move on, store all of it together, and tell."""
        if table.state is State.PLAYING:
            table = self._flow.run_on(table, moves)
        table = self._flow.wind(live.table, table)
        try:
            await self._write(live, table, moves)
        except Refusal:
            self._tell(self._stuck, live.table)
            raise
        live.moves += len(moves)
        live.table = table
        self._set_alarm(live)
        if not table.is_live:
            del self._live[table.id]
            del self._by_channel[table.channel]
        self._tell(self._listener, table)
        return table

    async def _write(self, live: _Live, table: Table, moves: list[Move]) -> None:
        async with self._database.transaction() as connection:
            await storage.append_moves(
                connection, table.id, live.moves, [moves_.to_json(move) for move in moves]
            )
            await storage.update(connection, store(live.table), store(table))
            if table.state is State.OVER:
                await standings.insert(connection, table.id, results(table))

    def _work(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return task

    def _keep(self, live: _Live) -> None:
        self._live[live.table.id] = live
        self._by_channel[live.table.channel] = live.table.id

    @staticmethod
    def _tell(listener: Listener, table: Table) -> None:
        try:
            listener(table)
        except Exception:  # what is stored is done: who shows it must not undo it
            log.exception("table %s could not be told", table.id)

    def _set_alarm(self, live: _Live) -> None:
        if live.alarm:
            live.alarm.cancel()
        timer = live.table.timer
        live.alarm = None
        if timer:
            wait = max(0.0, timer.rings_at - self._flow.clock())
            live.alarm = asyncio.get_running_loop().call_later(wait, self._ring, live)

    def _ring(self, live: _Live) -> None:
        self._work(self._on_time(live))

    async def _on_time(self, live: _Live) -> None:
        try:
            async with self._changing(live.table.id):
                moves: list[Move] = []
                table = self._flow.ring(live.table, moves)
                if table is live.table:
                    self._set_alarm(live)  # the clocks disagreed by a little
                else:
                    await self._save(live, table, moves)
        except Exception as error:
            if isinstance(error, Refusal) and error.id == "table_gone":
                return  # it has just ended
            log.exception("the timer of table %s failed", live.table.id)
            live.alarm = asyncio.get_running_loop().call_later(60.0, self._ring, live)
