"""The table service: whatever people ask of a table, and whoever shows them of all, comes through here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom

from engine.errors import Refusal
from engine.play.deal import Deal, Phase
from engine.play.moves import SeatMove
from engine.players import Computer, computer
from engine.players.strength import Strength
from engine.rules.ruleset import Ruleset
from engine.storage import rating_anew
from engine.storage.database import Database
from engine.tables import changes, hinting, taking, voting
from engine.tables.days import Days, after, date_of
from engine.tables.flow import Flow
from engine.tables.hints import Hint, Hints
from engine.tables.info import Person, Seat, TableInfo
from engine.tables.notices import NoticeKind
from engine.tables.pace import Pace
from engine.tables.preferences import Preference, Preferences
from engine.tables.room import Listener, Room
from engine.tables.store import Damaged, TableStore
from engine.tables.table import Moment, Table
from engine.tables.thoughts import Mind
from engine.tables.votes import Motion
from engine.thinking import Thinking


class Tables:
    """All tables. Chance, time, the computer players and what people prefer are handed in.

    `listener` is told of each table that has changed, `save_failed` of one whose change could not be saved.
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
    ) -> None:
        self.preferences = preferences or Preferences(database)
        self.days = Days(database)
        self._clock = clock
        self._database = database
        rng = rng or SystemRandom()
        self._store = TableStore(database)
        computers = Random(rng.getrandbits(128))
        flow = Flow(
            rng, computers, computer, clock, self.preferences.of, self.days.of, thinks=thinking is not None
        )
        self._room = Room(self._store, flow, Mind(flow, thinking, computers), listener, save_failed)

    async def resume(self) -> list[Table]:
        """Take up every live table of the database again, where its log ends.

        Returned are these, and those that have ended without anybody seeing it. Those that cannot be read are
        `damaged`: they are left as they are, and their channels are free.
        """
        await self.preferences.load()
        today = date_of(self._clock())
        await self.days.load([today, after(today, -1)])  # games of earlier days are given up
        await rating_anew.prepare(self._database)
        return await self._room.resume()

    @property
    def damaged(self) -> list[Damaged]:
        """The tables that could not be taken up."""
        return self._room.damaged

    async def close(self) -> None:
        """Finish what is in hand, and let no timer ring any more."""
        await self._room.close()

    # Finding a table

    @property
    def live(self) -> list[Table]:
        """All live tables."""
        return self._room.tables

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        table = self._room.get(id)
        if table is None:
            raise Refusal("table_gone")
        return table

    async def find(self, id: int) -> TableInfo:
        """What everyone may know of this table, live or ended; Refusal if there is none any more."""
        table = self._room.get(id) or await self._store.find(id)
        if table is None:
            raise Refusal("table_gone")
        return table

    async def whole(self, id: int) -> Table:
        """This table with its game, live or ended; Refusal if there is none any more.

        That of a daily deal is nobody's business before the day is over.
        """
        table = self._room.get(id) or await self._store.whole(id)
        if table is None:
            raise Refusal("table_gone")
        self._check_day_is_over(table)
        return table

    async def done_deal(self, id: int, number: int) -> Deal:
        """This table's deal of this number (from 1), however long ago; Refusal unless it is done."""
        table = self._room.get(id)
        self._check_day_is_over(table or await self.find(id))
        if number < 1:
            deal = None
        elif table is None:
            deal = await self._store.deal(await self.find(id), number)
        else:
            deal = next(iter(table.game.deals[number - 1 : number]), None) if table.game else None
        if deal is None or deal.phase is not Phase.DONE:
            raise Refusal("stale")
        return deal

    def _check_day_is_over(self, table: TableInfo) -> None:
        if table.daily and date_of(self._clock()) <= table.daily.day:
            raise Refusal("day_not_over")

    def in_guild(self, guild: int) -> list[Table]:
        """The live tables of this server's channels."""
        return [table for table in self.live if table.guild == guild and not table.daily]

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        return self._room.in_channel(channel)

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
            table = await self._store.latest_game(channel)
        if table is None:
            raise Refusal("no_game_here")
        return table

    async def latest_done(self, channel: int) -> Table:
        """The last game of this channel with a deal that is done; Refusal if there is none."""
        table = await self.latest_game(channel)
        if table.is_live and not _has_done(table):
            table = await self._store.latest_game(channel, but=table.id) or table
        if not _has_done(table):
            raise Refusal("nothing_done")
        return table

    # What people ask of it

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
        return await self._room.open(
            Table(
                id=0,
                guild=guild,
                channel=channel,
                host=host.id,
                rules=rules,
                seats=(Seat(host.id, host.name),),
                pace=pace,
                strength=strength,
            )
        )

    async def begin(self, table: Table) -> Table:
        """A new table whose game goes on at once; Refusal if people still play at another in its place."""
        return await self._room.open(table)

    async def rematch(self, id: int, person: Person) -> Table:
        """A new lobby with an ended table's rules and seats; the person who asks is its host.

        The seats of those who had left are free: they may join again.
        """
        old = await self.find(id)
        lobby = changes.rematch(old, person)
        try:
            return await self._room.open(lobby)
        except Refusal as refusal:
            now = self.in_channel(old.channel)
            if refusal.id == "table_in_channel" and now and old.seat_of(now.host) is not None:
                raise Refusal("rematch_open") from None
            raise

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or take one's own seat back from the computer."""
        return await self._room.change(id, lambda table: changes.join(table, person))

    async def add_computer(self, id: int, person: int, strength: Strength) -> Table:
        """Give an empty seat of the lobby to a computer; those that `start` adds are like the last one."""
        return await self._room.change(id, lambda table: changes.add_computer(table, person, strength))

    async def change_strength(self, id: int, person: int, strength: Strength) -> Table:
        """The host gives all computers this strength in the lobby, and those that are still to come."""
        return await self._room.change(id, lambda table: changes.change_strength(table, person, strength))

    async def leave(self, id: int, person: int, why: NoticeKind = NoticeKind.LEFT) -> Table:
        """Get up: in the lobby the seat is free again; in a game a computer plays on, and it is told.

        Who was about to take a seat in the middle of the game does not.
        """
        return await self._room.change(id, lambda table: taking.leave(table, person, why))

    async def take_seat(self, id: int, person: Person, seat: int) -> Table:
        """Play from the next deal on, in a seat where a computer plays until then."""
        return await self._room.change(id, lambda table: taking.take_seat(table, person, seat))

    async def take_latecomers(self, id: int, person: int, *, welcome: bool) -> Table:
        """The host decides, at any time, whether seats may be taken in the middle of the game."""
        return await self._room.change(
            id, lambda table: taking.take_latecomers(table, person, welcome=welcome)
        )

    async def change_rules(self, id: int, person: int, change: Callable[[Ruleset], Ruleset]) -> Table:
        """The host changes the house rules in the lobby; `change` makes the new ones of the old."""
        return await self._room.change(id, lambda table: changes.change_rules(table, person, change))

    async def name_first(self, id: int, person: int, first: int | None) -> Table:
        """The host names who leads the first deal (C3); with None it is the oldest."""
        return await self._room.change(id, lambda table: changes.name_first(table, person, first))

    async def change_pace(self, id: int, person: int, pace: Pace) -> Table:
        """The host changes how long a turn may take."""
        return await self._room.change(id, lambda table: changes.change_pace(table, person, pace))

    async def change_finishing(self, id: int, person: int, early: bool) -> Table:
        """The host decides in the lobby whether computers finish a deal in which no points are left."""
        return await self._room.change(id, lambda table: changes.change_finishing(table, person, early))

    async def change_hints(self, id: int, person: int, hints: Hints) -> Table:
        """The host decides in the lobby who may ask for hints."""
        return await self._room.change(id, lambda table: hinting.change_hints(table, person, hints))

    async def start(self, id: int, person: int) -> Table:
        """The host starts the game; computers take the seats that are still empty."""
        return await self._room.change(id, lambda table: changes.start(table, person))

    async def stop(self, id: int, person: int, *, may_manage: bool, name: str | None = None) -> Table:
        """End the table without a result and without asking, if this person may; others hear their name."""
        return await self._room.change(
            id, lambda table: changes.stop(table, person, may_manage=may_manage, name=name)
        )

    async def propose(self, id: int, person: int, motion: Motion) -> Table:
        """Ask everybody at the table to agree on this."""
        return await self._room.change(id, lambda table: voting.propose(table, person, motion, self._clock()))

    def check_may_propose(self, table: Table, person: int, motion: Motion) -> None:
        """Refusal unless this person may ask everybody at the table."""
        voting.check_may_propose(table, person, motion, self._clock())

    async def answer(self, id: int, person: int, vote: int, *, agrees: bool) -> Table:
        """Somebody's answer to the table's vote of this number."""
        return await self._room.change(id, lambda table: voting.answer(table, person, vote, agrees=agrees))

    async def act(
        self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment | None = None
    ) -> Table:
        """Make a person's move; `move` is called with their seat. Refusal if the rules forbid it.

        With `at`, refused as stale if the game has moved on from there.
        """
        return await self._room.change(id, lambda table: changes.act(table, person, move, at))

    def check(self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment) -> None:
        """Refusal unless a person could make this move now."""
        changes.act(self.get(id), person, move, at)

    async def pick(self, id: int, person: int, place: int, at: Moment, *, wanted: bool) -> Table:
        """Pick the card at this place (from 0) of a person's hand to pass it, or put it back."""
        return await self._room.change(
            id, lambda table: changes.pick(table, person, place, at, wanted=wanted)
        )

    async def give_hint(self, id: int, hint: Hint) -> Table:
        """Show a player this hint, of which the table may be told; nothing if it holds no longer."""
        return await self._room.change(id, lambda table: hinting.give_hint(table, hint))

    async def prefer(self, person: int, preference: Preference) -> None:
        """What this person prefers from now on, at every table."""
        await self.preferences.put(person, preference)
        # A card that is to be played now may play itself, or no longer.
        await self._room.change_all(
            lambda table: replace(table) if table.seat_of(person) is not None else table
        )

    async def forget(self, person: int) -> list[int]:
        """Take this person out of every live table; returns the tables' ids."""
        self.preferences.forget(person)
        forgotten = await self._room.change_all(lambda table: taking.forget(table, person))
        return [table.id for table in forgotten]

    # What happens around it

    async def close_for(self, id: int, why: NoticeKind) -> Table:
        """End the table without a result, for a reason outside it."""
        return await self._room.change(id, lambda table: changes.close(table, why))

    async def pause(self, id: int) -> Table:
        """Let the game and its time stand still."""
        return await self._room.change(id, changes.pause)

    async def unpause(self, id: int) -> Table:
        """Let it go on."""
        return await self._room.change(id, changes.unpause)

    async def tell(self, id: int, kind: NoticeKind, person: int) -> Table:
        """Tell the table something about one of its players."""
        return await self._room.change(id, lambda table: changes.tell(table, kind, person))


def _has_done(table: Table) -> bool:
    return table.game is not None and bool(table.game.points)
