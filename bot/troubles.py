"""What is done about a table when Discord refuses us something, or somebody leaves the server."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import TYPE_CHECKING, Any

import discord
from discord.ext import tasks

from bot.background import Background
from bot.faults import NETWORK, Fault
from bot.messages import Button, Link, Style, Whisper, action
from bot.render.text import channel_link
from engine.tables import NoticeKind, Table

if TYPE_CHECKING:
    from bot.client import HeartsBot

#: Unknown member, unknown user: somebody who is not, or no longer, in the server.
NOT_A_MEMBER = (10007, 10013)


class Troubles:
    """Takes what delivery reports, and what the gateway says about channels and servers."""

    def __init__(self, bot: HeartsBot) -> None:
        self._bot = bot
        self._background = Background()
        self._heard: dict[int, int] = {}  # the number of each table's last reminder
        self._stages: dict[int, object] = {}  # what each table without a limit waited for at the last look

    def __call__(self, table: int, fault: Fault, person: int | None) -> None:
        """Delivery could not do its work."""
        match fault:
            case Fault.FORBIDDEN | Fault.ARCHIVED:
                self._start(table, self._pause(table))
            case Fault.CHANNEL_GONE:
                self._start(table, self._bot.tables.close_for(table, NoticeKind.CHANNEL_GONE))
            case Fault.DM_REFUSED if person is not None:
                self._start(table, self._dms_closed(table, person))

    def told(self, table: Table) -> None:
        """A reminder goes out: whoever has left the server need not be waited for."""
        notice = table.notice
        if not table.is_live:
            self._heard.pop(table.id, None)
            return
        if notice is None or notice.kind is not NoticeKind.REMINDER:
            return
        if self._heard.get(table.id) == notice.number:
            return
        self._heard[table.id] = notice.number
        self._look_for(table, set(notice.seats) & set(table.awaited))

    @tasks.loop(minutes=10)
    async def look_around(self) -> None:
        """Where no limit brings a reminder: whoever has left the server need not be waited for either."""
        waiting = [one for one in self._bot.tables.live if one.awaited and not (one.timer or one.paused)]
        for table in waiting:
            if self._stages.get(table.id) == table.stage:
                self._look_for(table, table.awaited)
        self._stages = {table.id: table.stage for table in waiting}

    def _look_for(self, table: Table, seats: Iterable[int]) -> None:
        for seat in seats:
            person = table.seats[seat].person
            if person is not None:
                self._start(table.id, self._leave_if_gone(table, person))

    def channel_gone(self, channel: int) -> None:
        """This channel or thread was deleted."""
        if table := self._bot.tables.in_channel(channel):
            self._start(table.id, self._bot.tables.close_for(table.id, NoticeKind.CHANNEL_GONE))

    def server_left(self, guild: int) -> None:
        """We were removed from this server: its tables wait."""
        for table in self._bot.tables.in_guild(guild):
            self._start(table.id, self._bot.tables.pause(table.id))

    def server_changed(self, guild: discord.Guild) -> None:
        """We came back, or what we may do has changed: tables that waited for it go on."""
        for table in self._bot.tables.in_guild(guild.id):
            if table.paused:
                self._start(table.id, self._unpause_if_allowed(guild, table))

    async def _unpause_if_allowed(self, guild: discord.Guild, table: Table) -> None:
        try:
            # A sleeping thread is not among those that the library knows; a post would wake it.
            known = guild.get_channel_or_thread(table.channel)
            place = known or await guild.fetch_channel(table.channel)
        except (discord.DiscordException, *NETWORK):
            return
        if self._may_post(guild, place):
            await self._bot.tables.unpause(table.id)

    @staticmethod
    def _may_post(guild: discord.Guild, place: discord.abc.GuildChannel | discord.Thread) -> bool:
        if isinstance(place, discord.Thread):
            if place.parent is None:  # we do not see the channel that it hangs on
                return False
            may = place.permissions_for(guild.me)
            is_open = may.manage_threads or not place.locked
            return may.view_channel and may.send_messages_in_threads and is_open
        may = place.permissions_for(guild.me)
        return may.view_channel and may.send_messages

    async def _pause(self, id: int) -> None:
        table = await self._bot.tables.pause(id)
        text = (
            f"### The game is paused\n{table.rules.preset.title} in <#{table.channel}>: I may no longer "
            "write there. When I may view it and send messages again, the game goes on where it was; "
            "after a week it is closed."
        )
        row = (
            Button("Try again", action("retry", table.id), Style.MAIN),
            Link("Go to the table", channel_link(table.public)),
        )
        if table.seat_of(table.host) is not None:
            await self._bot.delivery.dms.greet(table.id, table.host, Whisper((text, row)))

    async def _dms_closed(self, id: int, person: int) -> None:
        table = self._bot.tables.get(id)
        if not await self._leave_if_gone(table, person):
            await self._bot.tables.tell(id, NoticeKind.DMS_CLOSED, person)

    async def _leave_if_gone(self, table: Table, person: int) -> bool:
        """Whether this person is no longer in the server, and so no longer at the table."""
        guild = self._bot.get_guild(table.guild)
        if guild is None:
            return False
        try:
            await guild.fetch_member(person)
        except (discord.HTTPException, *NETWORK) as error:
            if getattr(error, "code", None) not in NOT_A_MEMBER:
                return False
            await self._bot.tables.leave(table.id, person)
            return True
        return False

    def _start(self, table: int, work: Coroutine[Any, Any, Any]) -> None:
        self._background.start(table, "dealing with trouble", work)
