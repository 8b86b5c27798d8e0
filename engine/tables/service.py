"""The table service: whatever people do at tables, and whatever shows tables, goes through it."""

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom
from typing import ClassVar, Concatenate, ParamSpec, TypeVar

from prometheus_client import Counter

from engine.errors import Refusal
from engine.languages import ENGLISH, Language
from engine.loading import Load, in_thread
from engine.play.deal import Deal, Phase
from engine.play.par import Par
from engine.players import Computer, Strength, computer
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.privacy import Naming
from engine.storage.tables import alone_place
from engine.tables import changes, planning, store, voting
from engine.tables.days import Days, date_of
from engine.tables.flow import Flow
from engine.tables.live import Listener, LiveTables, StrongComputers, check_done
from engine.tables.pars import Pars
from engine.tables.preferences import Preference, Preferences
from engine.tables.presence import Presence
from engine.tables.seats import Seat, Seats
from engine.tables.store import Damaged, TableStore
from engine.tables.table import Hints, Pace, Person, Table, TableInfo
from engine.thinking import Thinking

#: Seconds for which a closed table without a finished deal is kept.
UNPLAYED_KEPT = 24 * 60 * 60.0
P = ParamSpec("P")
T = TypeVar("T", bound=TableInfo)


class Tables:
    """All tables, given chance, time, the computer players, people's preferences and a way to load.

    `listener` is called with each changed table, `save_failed` with one whose change couldn't be saved, and
    `par_found` with each finished deal whose par has arrived. The pars of tables that `par_first` accepts are
    computed before all others.
    Ids of tables, servers, channels and people are whole numbers. Whatever a table doesn't allow is a
    Refusal, and so is a change that can't be saved, which then has no effect. `clock` returns seconds since
    1970.

    A player's first pass in a game with three computers, which move automatically:

    >>> from engine.play.moves import Passed
    >>> from engine.play.views import seat_view
    >>> from engine.tables import Moment, changes
    >>> async def first_pass(path):
    ...     database = await Database.open(path)
    ...     tables = Tables(database)
    ...     await tables.resume()
    ...     person = Person(7, "North")
    ...     table = await tables.open(guild=1, channel=2, host=person, rules=Ruleset.of("classic", 4))
    ...     table = await tables.change(table.id, changes.start, person.id)
    ...     hand = seat_view(table.game, table.seat_of(person.id)).hand
    ...     passes = lambda seat: Passed(seat, hand[:3])
    ...     await tables.change(table.id, changes.act, person.id, passes, Moment(deal=1))
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
        par_found: Callable[[Table, int], None] = lambda table, deal: None,
        par_first: Callable[[Table], bool] = lambda table: False,
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
        self._listener = listener
        #: Knows when people can't reach these tables; their times don't run out then.
        self.presence = Presence(clock)
        mind = StrongComputers(flow, thinking, computers)
        self._live = LiveTables(
            self._store, flow, mind, self.presence, self._notify, save_failed, database.leaving
        )
        self._pars = Pars(database, self._store, thinking, self.put_par, par_first, clock)
        self._par_found = par_found
        self.games = Games(self._live, self._store, clock)

    async def resume(self) -> list[Table]:
        """Resume every live table of the database where its log ends.

        Returns these, and those whose end hasn't been shown. Tables that can't be read go to `damaged`: they
        are left unchanged, and their channels are free.
        """
        await self.preferences.load()
        tables = await self._live.read()
        await self.days.load(
            [table.daily.day for table in tables if table.daily]
        )  # needed as soon as one goes on
        resumed = await self._live.resume_values(tables)
        await self._pars.resume(resumed)
        return resumed

    def _notify(self, table: Table) -> None:
        self._pars.notice(table)
        self._listener(table)

    def watch(self, watcher: Listener) -> None:
        """Also call `watcher` with each changed table, after the listener, and when a late par arrives."""
        self._live.watch(watcher)

    @property
    def damaged(self) -> list[Damaged]:
        """The tables that couldn't be read or resumed."""
        return self._live.damaged

    @property
    def games_ended(self) -> Counter:
        """The number of games that have ended since the start, by their final state."""
        return self._live.games_ended

    async def close(self) -> None:
        """Finish pending work, and let no timer ring any more."""
        self.presence.close()
        await self._pars.close()
        await self._live.close()

    @property
    def now(self) -> float:
        """Seconds since 1970, by the clock of the tables."""
        return self._clock()

    # Finding a table; `games` also finds past ones

    @property
    def live(self) -> list[Table]:
        """All live tables."""
        return self._live.live

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        return or_table_gone(self._live.find_live(id))

    async def find(self, id: int) -> TableInfo:
        """What everyone may know of this table, live or ended; Refusal if it is gone."""
        return or_table_gone(self._live.find_live(id) or await self._store.find(id))

    def in_guild(self, guild: int) -> list[Table]:
        """The live tables of this server's channels."""
        return [table for table in self.live if table.guild == guild and not table.is_private]

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel; None if there is none."""
        return self._live.in_channel(channel)

    def alone(self, person: int) -> Table | None:
        """This person's live table alone; None if there is none."""
        return self.in_channel(alone_place(person))

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
        hints: Hints = Hints.ALONE,
        language: Language = ENGLISH,
        starts: float | None = None,
    ) -> Table:
        """Open a table in its lobby, with the host seated; new computers have this strength.

        With `starts`, its game starts automatically at that time (seconds since 1970).
        """
        lobby = Table(
            id=0,
            guild=guild,
            channel=channel,
            host=host.id,
            rules=rules,
            seats=Seats([Seat(host.id, host.name)]),
            pace=pace,
            strength=strength,
            hints=hints,
            language=language,
        )
        if starts is not None:
            lobby = planning.plan_start(lobby, host.id, starts, self._clock())
        async with self.preferences.sitting_down(host):
            return await self._live.open(lobby)

    async def open_alone(
        self,
        person: Person,
        rules: Ruleset,
        pace: Pace = Pace.NONE,
        strength: Strength = Strength.MEDIUM,
        language: Language = ENGLISH,
    ) -> Table:
        """Open a private table for this person, in its lobby; Refusal if they still play at another."""
        place = alone_place(person.id)
        return await self.open(0, place, person, rules, pace, strength, language=language)

    async def begin(self, table: Table) -> Table:
        """Open a table whose game has begun; Refusal if people still play at another in its place."""
        return await self._live.open(table)

    async def rematch(self, id: int, person: Person) -> Table:
        """Open a new lobby with an ended table's rules and seats; the person who asks is its host.

        The seats of players who had left are free; they may join again.
        """
        old = await self.find(id)
        lobby = changes.rematch(old, person)
        try:
            async with self.preferences.sitting_down(person):
                return await self._live.open(lobby)
        except Refusal as refusal:
            if refusal.id == "table_in_channel" and await self._is_followed_by_live(old):
                raise Refusal("rematch_open") from None
            raise

    async def _is_followed_by_live(self, old: TableInfo) -> bool:
        """Whether the channel's live table is its rematch: opened by one of its players right after it."""
        new = self.in_channel(old.channel)
        if new is None or old.seat_of(new.host) is None:
            return False
        before = await self._store.latest_game(old.channel, but=new.id)
        return before is None or before.id <= old.id

    # What people do at a table: `changes`, `inviting`, `planning` and `voting` decide who may do what

    async def change(
        self, id: int, change: Callable[Concatenate[Table, P], Table], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """Call `change` with the live table with this id and these arguments; returns the new table.

        Refusal if there is no such table, or if `change` refuses. The methods below are for changes that
        need more: the time once the table is locked, or the locale of a person who sits down.
        """
        return await self._live.change_live(id, lambda table: change(table, *args, **kwargs))

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or one's own seat back from the computer."""

        def change(table: Table) -> Table:
            return planning.notice_presence(changes.join(table, person), person.id, self._clock())

        async with self.preferences.sitting_down(person):
            return await self._live.change_live(id, change)

    async def take_seat(self, id: int, person: Person, seat: int) -> Table:
        """Claim a seat from the next deal on; until then a computer plays there."""
        async with self.preferences.sitting_down(person):
            return await self.change(id, changes.take_seat, person, seat)

    async def plan_start(self, id: int, person: int, at: float) -> Table:
        """Plan the start of the game for that time (seconds since 1970), as the host."""
        return await self._live.change_live(
            id, lambda table: planning.plan_start(table, person, at, self._clock())
        )

    async def notice_presence(self, id: int, person: int) -> None:
        """Count an action at the table as being there for its planned start, if that is near."""
        table = self._live.find_live(id)
        if table and planning.notice_presence(table, person, self._clock()) is not table:
            await self._live.change_live(
                id, lambda table: planning.notice_presence(table, person, self._clock())
            )

    async def end(self, id: int, person: int) -> Table:
        """End the game or close the lobby, or open a vote on ending the game."""
        return await self._live.change_live(id, lambda table: voting.end(table, person, self._clock()))

    # Par of finished deals, which the thinking processes compute

    @property
    def pars_waiting(self) -> int:
        """The number of finished deals that are known to wait for their par."""
        return self._pars.waiting

    async def want_day_pars(self) -> None:
        """Have missing pars of recent past days computed."""
        await self._pars.want_days(self.days, date_of(self._clock()))

    async def put_par(self, id: int, deal: int, par: Par) -> Table:
        """Store the par of this table's deal (from 1), live or ended; Refusal unless that deal is finished.

        A live table then goes to the listener, as after any change. `par_found` is called for every par, with
        an ended table as it was shown at its end.
        """
        table = await self._live.put_par(id, deal, par)
        if table is None:
            ended = or_table_gone(await self._store.ended(id))
            check_done(ended, deal)
            table = await self._store.put_par(ended, deal, par)
            self._live.notify_watchers(table)
        self._par_found(table, deal)
        return table

    # Cleaning up, and preferences

    async def drop_unplayed(self) -> None:
        """Delete tables that closed a day ago without a finished deal."""
        await self._store.drop_unplayed(self._clock() - UNPLAYED_KEPT)

    async def drop_invitations(self, before: float) -> None:
        """Forget invitations from before then (seconds since 1970) to tables that have ended."""
        await self._store.drop_invitations(before)

    async def prefer(self, person: int, preference: Preference) -> None:
        """Store this person's preferences, which hold at every table."""
        await self.preferences.put(person, preference)
        # A copy makes each table settle again: the card to be played may now play itself, or no longer.
        await self._live.change_all(
            lambda table: replace(table) if table.seat_of(person) is not None else table
        )

    # Personal data: see `engine.tables.forgetting`

    stored: ClassVar[Naming] = Naming("tables", store.about, store.names, store.forget)

    def mentions(self, person: int) -> bool:
        """Whether a live table names this person."""
        return self._live.mentions(person)

    async def forget(self, person: int) -> bool:
        """Remove this person from every live table; returns whether none failed."""
        return await self._live.forget(person)


class Games:
    """Finds games at live tables or in the database; a daily game is secret until its day is over."""

    def __init__(self, live: LiveTables, store: TableStore, clock: Callable[[], float]) -> None:
        self._live = live
        self._store = store
        self._clock = clock

    async def whole(self, id: int) -> Table:
        """This table with its game, live or ended; Refusal if it is gone."""
        table = or_table_gone(self._live.find_live(id) or await self._store.whole(id))
        self._check_day_is_over(table)
        return table

    async def done_deal(self, id: int, number: int) -> Deal:
        """This table's deal (from 1), of a live or an ended game; Refusal unless it is done."""
        live = self._live.find_live(id)
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

    async def latest_finished(self, channel: int) -> Table:
        """The last game of this channel with a finished deal; Refusal if there is none."""
        table = await self.latest(channel)
        if table.is_live and not _has_finished_deal(table):
            table = await self._store.latest_game(channel, but=table.id) or table
        if not _has_finished_deal(table):
            raise Refusal("nothing_done")
        return table

    def _check_day_is_over(self, table: TableInfo) -> None:
        if table.daily and date_of(self._clock()) <= table.daily.day:
            raise Refusal("day_not_over")


def or_table_gone(table: T | None) -> T:
    """Return a table that was looked up; Refusal if it is None."""
    if table is None:
        raise Refusal("table_gone")
    return table


def _has_finished_deal(table: Table) -> bool:
    return table.game is not None and bool(table.game.points)
