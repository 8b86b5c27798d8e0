"""Tables in trouble: Discord refuses something, players leave the server, or SQLite fails."""

import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any

import discord
from discord.ext import tasks

from bot.delivery import Delivery, Urgency, until_done
from bot.delivery.posts import Posts
from bot.discord.background import Background, repeated, watched
from bot.discord.faults import Fault
from bot.discord.permissions import bot_may_post, has_left
from bot.table.notices import cannot_be_read, cannot_save, late, moves_taken_back, paused
from bot.vocabulary.messages import Whisper
from engine.languages import ENGLISH
from engine.tables import Damaged, NoticeKind, PublicTable, State, Table, Tables, changes

#: What the background tasks here do, for the log.
DOING = "dealing with what Discord refused"
#: Seconds before a table is told again that its changes cannot be saved.
TELL_AGAIN_AFTER = 60.0
#: Seconds before a lobby's host is looked for again because others press the host's buttons.
CHECK_HOST_AFTER = 60.0
#: The key of the post about a table whose rows can't be read.
DAMAGED_KEY = "damaged"


class Trouble:
    """Reacts to delivery's failures, tables' notices, and the gateway's news of servers."""

    def __init__(self, client: discord.Client, tables: Tables, delivery: Delivery) -> None:
        self._client = client
        self._tables = tables
        self._delivery = delivery
        self._background = Background()
        self._looked_at: dict[int, float] = {}  # when each lobby's host was looked for last
        self._stages: dict[int, object] = {}  # how far each table's game was at the last check

    def post_taken_back(self, channels: Mapping[int, int]) -> None:
        """Tell the channel of each of these tables that an older copy of the database was put in place."""
        live = {table.id: table.language for table in self._tables.live}
        for table, channel in channels.items():
            post = moves_taken_back(live.get(table, ENGLISH))
            self._start(table, self._delivery.send_once(channel, post, f"taken back {table} {time.time()}"))

    def refused(self, table: int, fault: Fault, person: int | None) -> None:
        """React to a failure of delivery."""
        match fault:
            case Fault.FORBIDDEN | Fault.ARCHIVED:
                self._start(table, self._pause(table, paused))
            case Fault.CHANNEL_GONE:
                self._start(table, self._tables.change(table, changes.close, NoticeKind.CHANNEL_GONE))
            case Fault.DM_REFUSED if person is not None:
                self._start(table, self._dms_closed(table, person))
            case Fault.LATER if person is not None:
                self._start(table, self._dms_late(table, person))
            case _:
                self._start(table, self._pause(table, late))

    def posted(self, table: int) -> None:
        """Resume a game whose post has been sent at last."""
        self._start(table, self._tables.change(table, changes.unpause))

    def noticed(self, table: Table) -> None:
        """When a notice reminds players, check that they are still in the server."""
        notice = table.notice
        if table.is_live and notice and notice.kind is NoticeKind.REMINDER:
            self._start(table.id, self._look_for(table, set(notice.seats) & set(table.awaited)))

    @tasks.loop(minutes=10)
    async def check_members(self) -> None:
        """Find players who have left the server, so that others don't wait and they don't play on by DM."""
        await repeated("looking for players who have left", self._check_members())

    async def _check_members(self) -> None:
        public = [table for table in self._tables.live if not table.paused and not table.is_private]
        before, self._stages = self._stages, {table.id: table.stage for table in public}
        for table in public:
            earlier = before.get(table.id)
            # One after another: all at once would use up the calls for a while.
            if table.state is State.LOBBY:
                await self._look_for(table, range(len(table.seats)) if earlier == table.stage else ())
            elif earlier == table.stage and not table.timer:
                await self._look_for(table, table.awaited)
            elif earlier not in (None, table.stage):
                await self._look_for(table, range(len(table.seats)))

    async def _look_for(self, table: Table, seats: Iterable[int]) -> None:
        for number in seats:
            seat = table.seats[number]
            if seat.person is not None and not seat.away:
                await watched(table.id, DOING, self._leave_if_gone(table, seat.person))

    async def pass_on(self, id: int) -> bool:
        """Make the next person host if a lobby's host has left the server; False if they haven't."""
        table, now = self._tables.get(id), self._tables.now
        if now - self._looked_at.get(id, -CHECK_HOST_AFTER) < CHECK_HOST_AFTER:
            return False
        self._looked_at = {one: at for one, at in self._looked_at.items() if now - at < CHECK_HOST_AFTER}
        self._looked_at[id] = now
        return await self._leave_if_gone(table, table.host)

    def channel_gone(self, channel: int) -> None:
        """Close the table of a deleted channel or thread."""
        if table := self._tables.in_channel(channel):
            self._start(table.id, self._tables.change(table.id, changes.close, NoticeKind.CHANNEL_GONE))

    def server_left(self, guild: int) -> None:
        """Pause the tables of a server that removed us."""
        for table in self._tables.in_guild(guild):
            self._start(table.id, self._tables.change(table.id, changes.pause))

    def server_changed(self, guild: discord.Guild) -> None:
        """Resume paused tables after we came back or our permissions changed."""
        for table in self._tables.in_guild(guild.id):
            if table.paused:
                self._start(table.id, self._unpause_if_allowed(guild, table))

    async def _unpause_if_allowed(self, guild: discord.Guild, table: Table) -> None:
        # discord.py doesn't know archived threads; a post would unarchive it.
        channel: discord.abc.GuildChannel | discord.Thread | None = guild.get_channel_or_thread(table.channel)
        if channel is None:
            try:
                channel = await until_done(
                    f"table {table.id}: going on", partial(self._channel_of, table, guild)
                )
            except discord.DiscordException:
                return
        if channel and bot_may_post(guild, channel):
            await self._tables.change(table.id, changes.unpause)

    async def _channel_of(
        self, table: Table, guild: discord.Guild
    ) -> discord.abc.GuildChannel | discord.Thread | None:
        """A paused table's channel, as Discord knows it; None if the table has gone on meanwhile."""
        await self._delivery.budget.turn(Urgency.LOW)
        return await guild.fetch_channel(table.channel) if self._tables.get(table.id).paused else None

    async def _pause(self, id: int, why: Callable[[PublicTable], Whisper]) -> None:
        """Pause this table and tell its host why; nothing if it's already paused."""
        if self._tables.get(id).paused:
            return
        table = await self._tables.change(id, changes.pause)
        if table.seat_of(table.host) is None:
            return
        public = self._tables.preferences.told_to(table.host, table.public)
        tables = self._tables
        await self._delivery.dms.of(id, table.host).report_problem(why(public), lambda: tables.get(id).paused)

    async def _dms_closed(self, id: int, person: int) -> None:
        table = self._tables.get(id)
        if not table.is_private and not await self._leave_if_gone(table, person):
            await self._tables.change(id, changes.add_notice, NoticeKind.DMS_CLOSED, person)

    async def _dms_late(self, id: int, person: int) -> None:
        if not self._tables.get(id).is_private:
            await self._tables.change(id, changes.add_notice, NoticeKind.DMS_LATE, person)

    async def _leave_if_gone(self, table: Table, person: int) -> bool:
        """Take this person out of the table if they have left the server; False if they haven't."""
        guild = self._client.get_guild(table.guild)
        if guild is None:
            return False
        await self._delivery.budget.turn(Urgency.LOW)
        if not await has_left(guild, person):
            return False
        await self._tables.change(table.id, changes.leave_or_stay_out, person, NoticeKind.LEFT_SERVER)
        return True

    def _start(self, table: int, work: Coroutine[Any, Any, Any]) -> None:
        self._background.start(table, DOING, work)


class SaveFailures:
    """Tells tables whose changes couldn't be saved to wait, at most once a minute."""

    def __init__(self, delivery: Delivery, clock: Callable[[], float] = time.time) -> None:
        self._delivery = delivery
        self._clock = clock
        self._told_at: dict[int, float] = {}

    def __call__(self, table: Table) -> None:
        """Tell this table that a change couldn't be saved; at a private table the player knows already."""
        if table.is_private:
            return
        now = self._clock()
        self._told_at = {id: at for id, at in self._told_at.items() if now - at < TELL_AGAIN_AFTER}
        if table.id not in self._told_at:
            self._told_at[table.id] = now
            # A new key each time, for a new message rather than an edit of one far above.
            self._delivery.posts.at(table.id, table.channel).show(
                f"wait{int(now)}", cannot_save(table.language)
            )


def post_damaged(posts: Posts, damaged: Iterable[Damaged]) -> None:
    """Tell the channel of each damaged table, unless an earlier start did."""
    for table in damaged:
        if table.channel is not None and table.channel > 0:  # a private table has no channel
            # Its language can't be read either.
            posts.at(table.id, table.channel).show(DAMAGED_KEY, cannot_be_read(table.id, ENGLISH))
