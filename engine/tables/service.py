"""The table service, through which everything goes that people ask of a table or that shows tables."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random, SystemRandom
from typing import ClassVar, Concatenate, ParamSpec, TypeVar

from engine.errors import Refusal
from engine.languages import ENGLISH, Language
from engine.loading import Load, in_thread
from engine.play.deal import Deal, Phase
from engine.play.moves import SeatMove
from engine.play.par import Par
from engine.players import Computer, Strength, computer
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.privacy import Naming
from engine.storage.tables import alone_place
from engine.tables import changes, inviting, planning, store, voting
from engine.tables.days import Days, date_of
from engine.tables.flow import Flow
from engine.tables.live import Listener, LiveTables, StrongComputers
from engine.tables.pars import Pars
from engine.tables.preferences import Preference, Preferences
from engine.tables.presence import Presence
from engine.tables.seats import Seat, Seats, Way
from engine.tables.store import Damaged, TableStore
from engine.tables.table import Hint, Hints, Moment, NoticeKind, Pace, Person, State, Table, TableInfo
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
        resumed = await self._live.resume(tables)
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
        return self._live.tables

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        return or_table_gone(self._live.get(id))

    async def find(self, id: int) -> TableInfo:
        """What everyone may know of this table, live or ended; Refusal if there is none any more."""
        return or_table_gone(self._live.get(id) or await self._store.find(id))

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

    # What people do at one; `changes` and `voting` say who may, and what is refused

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or one's own seat back from the computer."""
        async with self.preferences.sitting_down(person):
            return await self._live.change(id, lambda table: self._with_joined(table, person))

    def _with_joined(self, table: Table, person: Person) -> Table:
        return planning.notice_presence(changes.join(table, person), person.id, self._clock())

    async def leave(self, id: int, person: int, why: NoticeKind = NoticeKind.LEFT) -> Table:
        """Leave one's seat, which in a game goes to a computer, or give up the seat that one waited for."""
        return await self._change(id, changes.leave_or_stay_out, person, why)

    async def get_up(self, id: int, person: int) -> Table:
        """Leave one's seat in the lobby; Refusal once the game has started."""
        return await self._change(id, changes.get_up, person)

    async def add_computer(self, id: int, person: int, strength: Strength) -> Table:
        """Seat a computer in the lobby; the seats still empty at the start get ones as strong."""
        return await self._change(id, changes.add_computer, person, strength)

    async def remove_computer(self, id: int, person: int) -> Table:
        """Remove the computer that was added last from the lobby."""
        return await self._change(id, changes.remove_computer, person)

    async def take_seat(self, id: int, person: Person, seat: int) -> Table:
        """Play from the next deal on in a seat where a computer plays until then."""
        async with self.preferences.sitting_down(person):
            return await self._change(id, changes.take_seat, person, seat)

    async def stay_out(self, id: int, person: int) -> Table:
        """Give up the seat that one was waiting for."""
        return await self._change(id, changes.stay_out, person)

    async def invite(self, id: int, person: int, guests: Sequence[Person]) -> Table:
        """Invite these people to the lobby, and keep a seat for each."""
        return await self._change(id, inviting.invite, person, guests, self._clock())

    async def call(self, id: int, person: int, told: Sequence[tuple[Person, Way]]) -> Table:
        """Tell these people, who wanted to be told, that the lobby has room."""
        return await self._change(id, inviting.call, person, told, self._clock())

    async def begin_dm(self, id: int, person: int) -> Table:
        """Note that the DM which tells this person of the lobby is being sent; Refusal if it shouldn't be."""
        return await self._change(id, inviting.begin_dm, person)

    async def put_off_dm(self, id: int, person: int) -> Table:
        """Note that this DM wasn't sent after all."""
        return await self._change(id, inviting.put_off_dm, person)

    async def start(self, id: int, person: int) -> Table:
        """Start the game, as its host; computers take the empty seats."""
        return await self._change(id, changes.start, person)

    async def plan_start(self, id: int, person: int, at: float) -> Table:
        """Let the game start by itself at that moment (seconds since 1970), as its host."""
        return await self._live.change(
            id, lambda table: planning.plan_start(table, person, at, self._clock())
        )

    async def drop_plan(self, id: int, person: int) -> Table:
        """Let the game start by hand again, as its host."""
        return await self._change(id, planning.drop_plan, person)

    async def be_here(self, id: int, person: int) -> Table:
        """Say that one is there for the planned start."""
        return await self._change(id, planning.be_here, person)

    async def notice_presence(self, id: int, person: int) -> None:
        """Notice that this person does something at the table, if that counts for its planned start."""
        table = self._live.get(id)
        if table and planning.notice_presence(table, person, self._clock()) is not table:
            await self._live.change(id, lambda table: planning.notice_presence(table, person, self._clock()))

    async def act(self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment) -> Table:
        """Make the move that `move` returns for one's seat; Refusal if the game has moved on from `at`."""
        return await self._change(id, changes.act, person, move, at)

    async def pick(self, id: int, person: int, place: int, at: Moment, *, wanted: bool) -> Table:
        """Pick the card at this place (from 0) of one's hand for the pass, or put it back."""
        return await self._change(id, changes.pick, person, place, at, wanted=wanted)

    async def give_hint(self, id: int, hint: Hint) -> Table:
        """Show a player this hint, and let the table know, unless the game has moved on."""
        return await self._change(id, changes.give_hint, hint)

    async def answer(self, id: int, person: int, number: int, *, agrees: bool) -> Table:
        """Answer the vote of this number, or change one's answer while it is open."""
        return await self._change(id, voting.answer, person, number, agrees=agrees)

    async def end(self, id: int, person: int) -> Table:
        """End the game or close the lobby, or ask everyone at the table to agree to that."""
        return await self._live.change(id, lambda table: voting.end(table, person, self._clock()))

    def check_may_end(self, table: Table, person: int) -> None:
        """Refusal unless this person may do that."""
        voting.check_may_end(table, person, self._clock())

    async def stop(self, id: int, person: int, *, may_manage: bool, name: str | None = None) -> Table:
        """End the table without a result, as this moderator called `name`."""
        return await self._change(id, changes.stop, person, may_manage=may_manage, name=name)

    def check_may_act(self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment) -> None:
        """Refusal unless a person could make this move now."""
        changes.act(self.get(id), person, move, at)

    # What its host decides

    async def change_rules(self, id: int, person: int, rules: Callable[[Ruleset], Ruleset]) -> Table:
        """Change the house rules in the lobby: `rules` returns the new ones for the old."""
        return await self._change(id, changes.change_rules, person, rules)

    async def change_pace(self, id: int, person: int, pace: Pace) -> Table:
        """Change how long a turn may take, at any time."""
        return await self._change(id, changes.change_pace, person, pace)

    async def change_hints(self, id: int, person: int, hints: Hints) -> Table:
        """Change in the lobby who may ask for hints."""
        return await self._change(id, changes.change_hints, person, hints)

    async def change_strength(self, id: int, person: int, strength: Strength) -> Table:
        """Change the strength of all computers in the lobby, and of those still to come."""
        return await self._change(id, changes.change_strength, person, strength)

    async def change_latecomers(self, id: int, person: int, *, welcome: bool) -> Table:
        """Open or close, at any time, computers' seats to latecomers."""
        return await self._change(id, changes.change_latecomers, person, welcome=welcome)

    async def set_up(
        self,
        id: int,
        person: int,
        rules: Callable[[Ruleset], Ruleset],
        pace: Pace,
        strength: Strength,
        language: Language,
    ) -> Table:
        """Change all of this in the lobby or, if something is refused, nothing.

        Computers of several strengths stay as they are where `strength` is already that of those to come.
        """

        def change(table: Table) -> Table:
            table = changes.change_rules(table, person, rules)
            table = changes.change_pace(table, person, pace)
            table = changes.change_language(table, person, language)
            is_new = strength is not table.strength
            return changes.change_strength(table, person, strength) if is_new else table

        return await self._live.change(id, change)

    async def set_up_deals(
        self,
        id: int,
        person: int,
        hints: Hints,
        *,
        finishes_early: bool,
        points_out_moons: bool,
        first: int | None,
    ) -> Table:
        """Change in the lobby who may ask for hints and how deals begin and end or, if refused, nothing.

        With `first` 0 the oldest leads the first deal, with None it stays who was named (C3).
        """

        def change(table: Table) -> Table:
            table = changes.change_finishing(table, person, finishes_early)
            table = changes.change_pointing_out(table, person, points_out_moons)
            table = changes.change_hints(table, person, hints)
            return table if first is None else changes.name_first(table, person, first or None)

        return await self._live.change(id, change)

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
        if (await self.games.done_deal(id, deal)).points is None:
            raise Refusal("stale")
        table = await self._live.put_par(id, deal, par)
        if table is None:
            ended = or_table_gone(await self._store.ended(id))
            table = await self._store.put_par(ended, deal, par)
            self._live.tell_watchers(table)
        self._par_found(table, deal)
        return table

    # What happens around it

    async def close_for(self, id: int, why: NoticeKind) -> Table:
        """End the table without a result, for a reason outside it."""
        return await self._change(id, changes.close, why)

    async def pause(self, id: int) -> Table:
        """Stop the table's clock while nobody can follow the game."""
        return await self._change(id, changes.pause)

    async def unpause(self, id: int) -> Table:
        """Go on where the game was paused; nothing if it was not."""
        return await self._change(id, changes.unpause)

    async def tell(self, id: int, kind: NoticeKind, person: int) -> Table:
        """Give the table a notice about one of its players, if they still have a seat."""
        return await self._change(id, changes.tell, kind, person)

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
        return any(changes.tells_of(table, person) for table in self.live)

    async def forget(self, person: int) -> bool:
        """Take this person out of every live table; whether none refused, and still tells of them."""
        return await self._live.change_all(lambda table: changes.forget(table, person))

    async def _change(
        self, id: int, change: Callable[Concatenate[Table, P], Table], *given: P.args, **named: P.kwargs
    ) -> Table:
        """Make this change to the live table with this id; Refusal if there is none."""
        return await self._live.change(id, lambda table: change(table, *given, **named))


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
