"""The table service, through which everything goes that people ask of a table or that shows tables."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom
from typing import ClassVar, Concatenate, ParamSpec, TypeVar

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
from engine.tables.table import Hints, Pace, Person, State, Table, TableInfo
from engine.thinking import Thinking

#: Seconds for which a table is kept that closed without a finished deal.
UNPLAYED_KEPT = 24 * 60 * 60.0
P = ParamSpec("P")
T = TypeVar("T", bound=TableInfo)


class Tables:
    """All tables, given chance, time, the computer players, people's preferences and a way to load.

    `listener` is told of each table that has changed, `save_failed` of one whose change could not be saved,
    `par_found` of each finished deal whose par is known from now on. The pars of tables that `par_first`
    names are computed before all others.
    A table, the server and the channel where it is, and people have whole numbers as ids. Whatever a table
    does not allow is a Refusal; so is whatever could not be saved, which then has not happened. `clock`
    gives seconds since 1970.

    A player's first pass in a game with three computers, which choose and play by themselves:

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
            self._store, flow, mind, self.presence, self._tell, save_failed, database.leaving
        )
        self._pars = Pars(database, self._store, thinking, self.put_par, par_first, clock)
        self._par_found = par_found
        self.games = Games(self._live, self._store, clock)

    async def resume(self) -> list[Table]:
        """Take up every live table of the database again, where its log ends.

        Returned are these, and those that have ended without anybody seeing it. Those that cannot be read are
        `damaged`: they are left as they are, and their channels are free.
        """
        await self.preferences.load()
        tables = await self._live.read()
        await self.days.load([table.daily.day for table in tables if table.daily])  # before one is played on
        resumed = await self._live.take_up(tables)
        await self._pars.resume(resumed)
        return resumed

    def _tell(self, table: Table) -> None:
        self._pars.notice(table)
        self._listener(table)

    def watch(self, watcher: Listener) -> None:
        """Tell this one too of each table that has changed, after the listener; and of late pars."""
        self._live.watch(watcher)

    @property
    def damaged(self) -> list[Damaged]:
        """The tables that could not be taken up."""
        return self._live.damaged

    @property
    def ended(self) -> Counter[State]:
        """The number of games that have ended since the start, by the way they ended."""
        return self._live.ended

    async def close(self) -> None:
        """Finish what is in hand, and let no timer ring any more."""
        self.presence.close()
        await self._pars.close()
        await self._live.close()

    @property
    def now(self) -> float:
        """Seconds since 1970, by the clock of the tables."""
        return self._clock()

    # Finding a table; `games` finds those of before

    @property
    def live(self) -> list[Table]:
        """All live tables."""
        return self._live.live

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        return or_table_gone(self._live.find_live(id))

    async def find(self, id: int) -> TableInfo:
        """What everyone may know of this table, live or ended; Refusal if there is none any more."""
        return or_table_gone(self._live.find_live(id) or await self._store.find(id))

    def in_guild(self, guild: int) -> list[Table]:
        """The live tables of this server's channels."""
        return [table for table in self.live if table.guild == guild and not table.is_private]

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        return self._live.in_channel(channel)

    def alone(self, person: int) -> Table | None:
        """This person's live table alone."""
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
        """A new table in its lobby, with the host seated, for computers of this strength.

        With `starts`, its game starts by itself at that moment (seconds since 1970).
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
        """A new private table of this person, in its lobby; Refusal if they still play at another."""
        place = alone_place(person.id)
        return await self.open(0, place, person, rules, pace, strength, language=language)

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
            async with self.preferences.sitting_down(person):
                return await self._live.open(lobby)
        except Refusal as refusal:
            if refusal.id == "table_in_channel" and await self._is_followed_by_live(old):
                raise Refusal("rematch_open") from None
            raise

    async def _is_followed_by_live(self, old: TableInfo) -> bool:
        """Whether the channel's live table is its rematch: opened by one of its players right after it."""
        now = self.in_channel(old.channel)
        if now is None or old.seat_of(now.host) is None:
            return False
        before = await self._store.latest_game(old.channel, but=now.id)
        return before is None or before.id <= old.id

    # What people do at one: `changes`, `inviting`, `planning` and `voting` say who may, and what is refused

    async def change(
        self, id: int, change: Callable[Concatenate[Table, P], Table], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """Apply `change` to the live table with this id, and these arguments; returns the new table.

        Refusal if there is no such table, or if `change` refuses. The methods below are for the changes that
        need more: the time once the table is locked, or the locale of a person who sits down.
        """
        return await self._live.change_live(id, lambda table: change(table, *args, **kwargs))

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or one's own seat back from the computer."""
        async with self.preferences.sitting_down(person):
            return await self._live.change_live(id, lambda table: self._with_joined(table, person))

    def _with_joined(self, table: Table, person: Person) -> Table:
        return planning.notice_presence(changes.join(table, person), person.id, self._clock())

    async def take_seat(self, id: int, person: Person, seat: int) -> Table:
        """Play from the next deal on in a seat where a computer plays until then."""
        async with self.preferences.sitting_down(person):
            return await self.change(id, changes.take_seat, person, seat)

    async def plan_start(self, id: int, person: int, at: float) -> Table:
        """Let the game start by itself at that moment (seconds since 1970), as its host."""
        return await self._live.change_live(
            id, lambda table: planning.plan_start(table, person, at, self._clock())
        )

    async def notice_presence(self, id: int, person: int) -> None:
        """Notice that this person does something at the table, if that counts for its planned start."""
        table = self._live.find_live(id)
        if table and planning.notice_presence(table, person, self._clock()) is not table:
            await self._live.change_live(
                id, lambda table: planning.notice_presence(table, person, self._clock())
            )

    async def end(self, id: int, person: int) -> Table:
        """End the game or close the lobby, or ask everyone at the table to agree to that."""
        return await self._live.change_live(id, lambda table: voting.end(table, person, self._clock()))

    # Par of finished deals, which the thinking processes compute

    @property
    def pars_waiting(self) -> int:
        """The number of finished deals that wait for their par, as far as they are known."""
        return self._pars.waiting

    async def want_day_pars(self) -> None:
        """Have the pars of the last days' daily deals computed, as far as these days are over."""
        await self._pars.want_days(self.days, date_of(self._clock()))

    async def put_par(self, id: int, deal: int, par: Par) -> Table:
        """Store the par of this table's deal (from 1), live or ended; Refusal unless that deal is finished.

        A live table then goes to the listener, as after any change. `par_found` is told of every par: of an
        ended table too, as it was shown at its end.
        """
        table = await self._live.put_par(id, deal, par)
        if table is None:
            ended = or_table_gone(await self._store.ended(id))
            check_done(ended, deal)
            table = await self._store.put_par(ended, deal, par)
            self._live.tell_watchers(table)
        self._par_found(table, deal)
        return table

    # What happens around it

    async def drop_unplayed(self) -> None:
        """Delete tables that closed a day ago without a finished deal."""
        await self._store.drop_unplayed(self._clock() - UNPLAYED_KEPT)

    async def drop_invitations(self, before: float) -> None:
        """Forget who was asked before then (seconds since 1970) to tables that are over."""
        await self._store.drop_invitations(before)

    async def prefer(self, person: int, preference: Preference) -> None:
        """What this person prefers from now on, at every table."""
        await self.preferences.put(person, preference)
        # A card that is to be played now may play itself, or no longer.
        await self._live.change_all(
            lambda table: replace(table) if table.seat_of(person) is not None else table
        )

    # What is known of people: see `engine.tables.forgetting`

    stored: ClassVar[Naming] = Naming("tables", store.about, store.forget)

    def knows(self, person: int) -> bool:
        """Whether a live table tells of this person."""
        return self._live.knows(person)

    async def forget(self, person: int) -> bool:
        """Take this person out of every live table; whether none refused, and still tells of them."""
        return await self._live.forget(person)


class Games:
    """Finds them at their table or in the database; that of a daily deal is secret until its day is over."""

    def __init__(self, live: LiveTables, store: TableStore, clock: Callable[[], float]) -> None:
        self._live = live
        self._store = store
        self._clock = clock

    async def whole(self, id: int) -> Table:
        """This table with its game, live or ended; Refusal if there is none any more."""
        table = or_table_gone(self._live.find_live(id) or await self._store.whole(id))
        self._check_day_is_over(table)
        return table

    async def done_deal(self, id: int, number: int) -> Deal:
        """This table's deal of this number (from 1), however long ago; Refusal unless it is done."""
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
