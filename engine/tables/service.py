"""The table service: whatever people ask of a table, and whatever shows tables, comes through here."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any, Concatenate, ParamSpec, TypeVar

from engine.errors import Refusal
from engine.loading import Load, in_thread
from engine.play.deal import Deal, Phase
from engine.play.moves import SeatMove
from engine.players import Computer, Strength, computer
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.results import prepare_standings
from engine.tables import changes, voting
from engine.tables.days import Days, date_of
from engine.tables.flow import Flow
from engine.tables.live import Listener, LiveTables, StrongComputers
from engine.tables.preferences import Preference, Preferences
from engine.tables.store import Damaged, TableStore
from engine.tables.table import Hints, Moment, Motion, Pace, Person, Seat, Seats, State, Table, TableInfo
from engine.thinking import Thinking

P = ParamSpec("P")
T = TypeVar("T", bound=TableInfo)


def _by_id(
    change: Callable[Concatenate[Table, P], Table],
) -> Callable[Concatenate[Tables, int, P], Coroutine[Any, Any, Table]]:
    """A method of `Tables` that makes this change to the live table with an id; Refusal if there is none."""

    async def changed(self: Tables, id: int, /, *given: P.args, **named: P.kwargs) -> Table:
        return await self._live.change(id, lambda table: change(table, *given, **named))

    changed.__doc__ = change.__doc__
    return changed


class Tables:
    """All tables. Chance, time, the computer players, what people prefer and how to load are handed in.

    `listener` is told of each table that has changed, `save_failed` of one whose change could not be saved.
    A table, the server and the channel where it is, and people have whole numbers as ids. Whatever a table
    does not allow is a Refusal; so is whatever could not be saved, which then has not happened. `clock`
    gives seconds since 1970.

    A player's first pass in a game with three computers, which choose and play by themselves:

    >>> from engine.play.moves import Passed
    >>> from engine.play.views import seat_view
    >>> async def first_pass(path):
    ...     database = await Database.open(path)
    ...     tables = Tables(database)
    ...     await tables.resume()
    ...     person = Person(7, "North")
    ...     table = await tables.open(guild=1, channel=2, host=person, rules=Ruleset.of("classic", 4))
    ...     table = await tables.start(table.id, person.id)
    ...     hand = seat_view(table.game, table.seat_of(person.id)).hand
    ...     await tables.act(table.id, person.id, lambda seat: Passed(seat, hand[:3]), Moment(deal=1))
    ...     phase = tables.get(table.id).game.deal.phase
    ...     await tables.close()
    ...     await database.close()
    ...     return phase
    >>> import asyncio, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     asyncio.run(first_pass(f"{folder}/hearts.db"))
    <Phase.PLAYING: 'playing'>
    """

    def __init__(
        self,
        database: Database,
        listener: Listener = lambda table: None,
        save_failed: Listener = lambda table: None,
        *,
        rng: Random | None = None,
        computer: Computer = computer,
        thinking: Thinking | None = None,
        clock: Callable[[], float] = time.time,
        preferences: Preferences | None = None,
        load: Load = in_thread,
    ) -> None:
        self.preferences = preferences or Preferences(database)
        self.days = Days(database)
        self._clock = clock
        self._database = database
        rng = rng or SystemRandom()
        self._store = TableStore(database, load)
        computers = Random(rng.getrandbits(128))
        flow = Flow(
            rng, computers, computer, clock, self.preferences.of, self.days.of, thinks=thinking is not None
        )
        self._live = LiveTables(
            self._store, flow, StrongComputers(flow, thinking, computers), listener, save_failed
        )
        self.games = Games(self._live, self._store, clock)

    async def resume(self) -> list[Table]:
        """Take up every live table of the database again, where its log ends.

        Returned are these, and those that have ended without anybody seeing it. Those that cannot be read are
        `damaged`: they are left as they are, and their channels are free.
        """
        await self.preferences.load()
        await prepare_standings(self._database)
        tables = await self._live.read()
        await self.days.load([table.daily.day for table in tables if table.daily])  # before one is played on
        return await self._live.resume(tables)

    @property
    def damaged(self) -> list[Damaged]:
        """The tables that could not be taken up."""
        return self._live.damaged

    @property
    def ended(self) -> Counter[State]:
        """How many games have ended since the start, by how."""
        return self._live.ended

    async def close(self) -> None:
        """Finish what is in hand, and let no timer ring any more."""
        await self._live.close()

    # Finding a table; `games` finds those of before

    @property
    def live(self) -> list[Table]:
        """All live tables."""
        return self._live.tables

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        return or_table_gone(self._live.get(id))

    async def find(self, id: int) -> TableInfo:
        """What everyone may know of this table, live or ended; Refusal if there is none any more."""
        return or_table_gone(self._live.get(id) or await self._store.find(id))

    def in_guild(self, guild: int) -> list[Table]:
        """The live tables of this server's channels."""
        return [table for table in self.live if table.guild == guild and not table.daily]

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        return self._live.in_channel(channel)

    def at(self, channel: int) -> Table:
        """The live table of this channel; Refusal if there is none."""
        table = self.in_channel(channel)
        if table is None:
            raise Refusal("no_table")
        return table

    # Opening one

    async def open(
        self,
        guild: int,
        channel: int,
        host: Person,
        rules: Ruleset,
        pace: Pace = Pace.NONE,
        strength: Strength = Strength.MEDIUM,
    ) -> Table:
        """A new table in its lobby, with the host seated, for computers of this strength."""
        return await self._live.open(
            Table(
                id=0,
                guild=guild,
                channel=channel,
                host=host.id,
                rules=rules,
                seats=Seats([Seat(host.id, host.name)]),
                pace=pace,
                strength=strength,
            )
        )

    async def begin(self, table: Table) -> Table:
        """A new table whose game goes on at once; Refusal if people still play at another in its place."""
        return await self._live.open(table)

    async def rematch(self, id: int, person: Person) -> Table:
        """A new lobby with an ended table's rules and seats; the person who asks is its host.

        The seats of those who had left are free: they may join again.
        """
        old = await self.find(id)
        lobby = changes.rematch(old, person)
        try:
            return await self._live.open(lobby)
        except Refusal as refusal:
            now = self.in_channel(old.channel)
            if refusal.id == "table_in_channel" and now and old.seat_of(now.host) is not None:
                raise Refusal("rematch_open") from None
            raise

    # What people do at one: what each of these takes and does is told where it is defined

    join = _by_id(changes.join)
    leave = _by_id(changes.leave_or_stay_out)
    get_up = _by_id(changes.get_up)
    add_computer = _by_id(changes.add_computer)
    remove_computer = _by_id(changes.remove_computer)
    take_seat = _by_id(changes.take_seat)
    stay_out = _by_id(changes.stay_out)
    start = _by_id(changes.start)
    act = _by_id(changes.act)
    pick = _by_id(changes.pick)
    give_hint = _by_id(changes.give_hint)
    answer = _by_id(voting.answer)
    stop = _by_id(changes.stop)

    async def propose(self, id: int, person: int, motion: Motion) -> Table:
        """Ask everybody at the table to agree on this."""
        return await self._live.change(id, lambda table: voting.propose(table, person, motion, self._clock()))

    def check_may_propose(self, table: Table, person: int, motion: Motion) -> None:
        """Refusal unless this person may ask everybody at the table."""
        voting.check_may_propose(table, person, motion, self._clock())

    def check_may_act(self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment) -> None:
        """Refusal unless a person could make this move now."""
        changes.act(self.get(id), person, move, at)

    # What its host decides

    change_rules = _by_id(changes.change_rules)
    change_pace = _by_id(changes.change_pace)
    change_hints = _by_id(changes.change_hints)
    change_strength = _by_id(changes.change_strength)
    change_latecomers = _by_id(changes.change_latecomers)

    async def set_up(
        self,
        id: int,
        person: int,
        rules: Callable[[Ruleset], Ruleset],
        pace: Pace,
        hints: Hints,
        *,
        finishes_early: bool,
        first: int | None,
    ) -> Table:
        """All of this in the lobby or, if something is refused, nothing.

        With `first` 0 the oldest leads the first deal, with None it stays who was named (C3).
        """

        def change(table: Table) -> Table:
            table = changes.change_rules(table, person, rules)
            table = changes.change_pace(table, person, pace)
            table = changes.change_finishing(table, person, finishes_early)
            table = changes.change_hints(table, person, hints)
            return table if first is None else changes.name_first(table, person, first or None)

        return await self._live.change(id, change)

    # What happens around it

    close_for = _by_id(changes.close)
    pause = _by_id(changes.pause)
    unpause = _by_id(changes.unpause)
    tell = _by_id(changes.tell)

    async def prefer(self, person: int, preference: Preference) -> None:
        """What this person prefers from now on, at every table."""
        await self.preferences.put(person, preference)
        # A card that is to be played now may play itself, or no longer.
        await self._live.change_all(
            lambda table: replace(table) if table.seat_of(person) is not None else table
        )

    def knows(self, person: int) -> bool:
        """Whether a live table tells of this person."""
        return any(changes.forget(table, person) is not table for table in self.live)

    async def forget(self, person: int) -> bool:
        """Take this person out of every live table; whether none refused, and still tells of them."""
        return await self._live.change_all(lambda table: changes.forget(table, person))


class Games:
    """Finds them at their table or in the database; that of a daily deal is secret until its day is over."""

    def __init__(self, live: LiveTables, store: TableStore, clock: Callable[[], float]) -> None:
        self._live = live
        self._store = store
        self._clock = clock

    async def whole(self, id: int) -> Table:
        """This table with its game, live or ended; Refusal if there is none any more."""
        table = or_table_gone(self._live.get(id) or await self._store.whole(id))
        self._check_day_is_over(table)
        return table

    async def done_deal(self, id: int, number: int) -> Deal:
        """This table's deal of this number (from 1), however long ago; Refusal unless it is done."""
        live = self._live.get(id)
        table = or_table_gone(live or await self._store.find(id))
        self._check_day_is_over(table)
        if number < 1:
            deal = None
        elif live is None:
            deal = await self._store.deal(table, number)
        else:
            deal = next(iter(live.game.deals[number - 1 : number]), None) if live.game else None
        if deal is None or deal.phase is not Phase.DONE:
            raise Refusal("stale")
        return deal

    async def latest(self, channel: int) -> Table:
        """The game going on in this channel, or the last one there; Refusal if none has begun."""
        table = self._live.in_channel(channel)
        if table is None or table.game is None:
            table = await self._store.latest_game(channel)
        if table is None:
            raise Refusal("no_game_here")
        return table

    async def latest_done(self, channel: int) -> Table:
        """The last game of this channel with a deal that is done; Refusal if there is none."""
        table = await self.latest(channel)
        if table.is_live and not _has_done(table):
            table = await self._store.latest_game(channel, but=table.id) or table
        if not _has_done(table):
            raise Refusal("nothing_done")
        return table

    def _check_day_is_over(self, table: TableInfo) -> None:
        if table.daily and date_of(self._clock()) <= table.daily.day:
            raise Refusal("day_not_over")


def or_table_gone(table: T | None) -> T:
    """A table that was looked for; Refusal if there is none."""
    if table is None:
        raise Refusal("table_gone")
    return table


def _has_done(table: Table) -> bool:
    return table.game is not None and bool(table.game.points)
