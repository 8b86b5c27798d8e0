"""Tables in threads of their own: how such a thread opens and closes.

A thread is started from a post in the channel, and has the id of that message. An hour after the last thing
happened in it, and with no table going on, it is archived; anyone who writes there or presses **Rematch**
brings it back. Players aren't added to it: that would ping them, and each time leave a message in the thread.
They have a link to it, and Discord adds them when they write there or are mentioned because they are late.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import discord
from discord.ext import tasks

from bot.delivery import Delivery, Reply, Urgency, until_done
from bot.delivery.building import Address
from bot.discord.background import Background, repeated
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.table import thread_lines as render
from bot.table.board import LOBBY
from bot.table.lobby import lobby
from bot.vocabulary.messages import Post
from engine.errors import Refusal
from engine.storage.database import Database
from engine.storage.threads import TableThread, drop_thread, every_thread, put_thread
from engine.tables import Table, TableInfo, Tables

log = logging.getLogger(__name__)
#: Minutes without messages after which Discord archives a thread: the longest that it allows.
AUTO_ARCHIVE: Final = 10_080
#: Seconds without activity after which a thread without a table is archived.
QUIET = 3600.0
#: Discord's error codes: the message has a thread already, and the server has too many active threads.
EXISTS, TOO_MANY = 160004, 160006
#: What the background tasks here do, for the log.
DOING = "looking after its thread"
#: Edits a post so that it shows this state.
Edit = Callable[[Post], Awaitable[object]]


class _Line(NamedTuple):
    """The post from which a thread is started, with how to edit and delete it."""

    id: int
    edit: Edit
    delete: Callable[[], Awaitable[object]]


class Threads:
    """The threads that were opened for tables."""

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        tables: Tables,
        delivery: Delivery,
        clock: Callable[[], float],
    ) -> None:
        self._client = client
        self._database = database
        self._tables = tables
        self._delivery = delivery
        self._clock = clock
        self._background = Background()
        self._threads: dict[int, TableThread] = {}
        self._opening: set[int] = set()
        self._closed: dict[int, int] = {}  # the last table of each thread that is shown as closed
        self._quiet_since: dict[int, float] = {}

    async def load(self) -> None:
        """Load the threads from before the bot stopped."""
        self._threads = {one.id: one for one in await every_thread(self._database)}

    # Threads of tournaments

    async def keep(self, thread: TableThread) -> None:
        """Store a tournament's thread, to archive it once it's quiet; its tables are announced elsewhere."""
        if thread.id not in self._threads:
            await put_thread(self._database, thread)
            self._threads[thread.id] = thread
        self._quiet_since.pop(thread.id, None)

    async def wait_for_servers(self) -> None:
        """Wait until we see our servers: before that, discord.py can't start threads."""
        await self._client.wait_until_ready()

    async def is_there(self, id: int) -> bool:
        """Whether this thread still exists: it may have been deleted while we were away."""
        if self._client.get_channel(id):
            return True
        await self._delivery.budget.turn(Urgency.NEW)
        try:
            await self._client.fetch_channel(id)
        except discord.NotFound as error:
            if fault_of(error) is not Fault.CHANNEL_GONE:
                raise
            return False
        return True

    async def create(self, thread: TableThread, names: Sequence[str]) -> None:
        """Start a tournament's thread from its message, unless it exists already."""
        await self.keep(thread)
        await self._create(thread, names)

    # Where they are

    def parent(self, thread: int) -> int | None:
        """The channel of a thread that was opened for a table; None for any other channel."""
        opened = self._threads.get(thread)
        return opened.channel if opened else None

    def tables_of(self, channel: int) -> list[Table]:
        """The live tables in the threads of this channel."""
        return [table for table in self._tables.live if self.parent(table.channel) == channel]

    def tables_hosted(self, guild: int, person: int) -> int:
        """The number of live tables in threads of this server that this person hosts."""
        own = self._tables.in_guild(guild)
        hosted = (table for table in own if table.host == person and not table.tournament)
        return sum(table.channel in self._threads for table in hosted)

    # Opening one

    async def open(
        self,
        reply: Reply,
        opening: Post,
        names: Sequence[str],
        begin: Callable[[int], Awaitable[Table]],
    ) -> Table:
        """Answer with a post for everyone, start a thread from it, and `begin` a table there.

        If Discord or the table refuses, the post is deleted.
        """
        line = await self._answer(reply, opening)
        id = line.id
        thread = TableThread(id, reply.guild, reply.channel, None)
        self._opening.add(id)
        self._threads[id] = thread
        is_created = False
        try:
            # Stored before it exists, so that we know of it even if we're killed in between.
            await put_thread(self._database, thread)
            await self._create(thread, names)
            is_created = True
            table = await begin(id)
        except BaseException:
            await line.delete()
            self._background.start(0, DOING, self._withdraw(thread, is_created=is_created))
            raise
        finally:
            self._opening.discard(id)
        self._delivery.posts.at(table.id, table.channel).show(LOBBY, lobby(table.public))
        self._background.start(table.id, DOING, self._announce(thread, table, line.edit))
        return table

    async def _answer(self, reply: Reply, opening: Post) -> _Line:
        """Post this for everyone, where the click or command was."""
        id = await reply.publish(opening)
        if id is None and reply.clicked:
            id = await reply.publish(opening, below=True)
        if id is not None:
            return _Line(id, partial(reply.edit, id), partial(reply.delete, id))
        # The command was acknowledged in private, and what follows that would be private too.
        address = await self._delivery.send_once(reply.channel, opening, f"thread {reply.interaction.id}")
        edit, delete = partial(self._delivery.edit, address), partial(self._take_back, address)
        return _Line(address[1], edit, delete)

    async def _create(self, thread: TableThread, names: Sequence[str]) -> None:
        """Start the thread from its message, with the first of these names that Discord takes."""
        channel = self._client.get_partial_messageable(thread.channel, guild_id=thread.guild)
        message = channel.get_partial_message(thread.id)
        name, *others = names
        await self._delivery.budget.turn(Urgency.NEW)
        try:
            await message.create_thread(name=name, auto_archive_duration=AUTO_ARCHIVE)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if error.code == EXISTS:  # an answer was lost
                return
            if error.code == TOO_MANY:
                raise Refusal("too_many_threads") from error
            if fault in (Fault.FORBIDDEN, Fault.CHANNEL_GONE):
                raise Refusal("may_not_open_threads") from error
            if others and fault is Fault.INVALID:
                await self._create(thread, others)
                return
            raise

    async def _announce(self, thread: TableThread, table: Table, edit: Edit) -> None:
        """Show in the channel that there is a table in this thread."""
        self._threads[thread.id] = now = replace(thread, table=table.id)

        async def show() -> None:
            if self._threads.get(thread.id) == now:  # else the next table has its own
                await edit(render.line(table.public))

        with suppress(discord.HTTPException):  # it stays as it was
            await until_done("the post about a thread's table", show)
        with suppress(Refusal):  # the table is open all the same
            await put_thread(self._database, now)  # until then, the next start tries again
        if self._tables.in_channel(thread.id) is None:  # closed meanwhile
            await self._close(now, table)

    async def _withdraw(self, thread: TableThread, *, is_created: bool = True) -> None:
        """Give up a thread in which no table was opened."""
        if not is_created or await self._archive(thread.id):
            await self._forget(thread)

    # What happens there

    def changed(self, table: Table) -> None:
        """Update the post about this table's thread, if the table is new there or closed."""
        thread = self._threads.get(table.channel)
        if thread is None or thread.id in self._opening or table.tournament:
            return
        if table.is_live:
            if thread.table != table.id:
                edit = partial(self._delivery.edit, (thread.channel, thread.id))
                self._threads[thread.id] = replace(thread, table=table.id)
                self._background.start(table.id, DOING, self._announce(thread, table, edit))
        elif thread.table == table.id:
            self._background.start(table.id, DOING, self._close(thread, table))

    async def _close(self, thread: TableThread, table: TableInfo) -> None:
        """Show in the channel that the table in this thread is closed."""
        closing = self._delivery.edit((thread.channel, thread.id), render.closed(table))
        if await _is_final(closing, "the post about a closed table"):
            self._closed[thread.id] = table.id

    def note_activity(self, channel: int) -> None:
        """Note that someone has done something in this channel or thread."""
        if channel in self._quiet_since:
            self._quiet_since[channel] = self._clock()

    async def returns_to(self, channel: object) -> None:
        """If this channel is an archived thread of ours, look after it again, before a table opens there."""
        us = self._client.user
        if not isinstance(channel, discord.Thread) or us is None or channel.owner_id != us.id:
            return
        if channel.id not in self._threads:
            thread = TableThread(channel.id, channel.guild.id, channel.parent_id, 0)
            await put_thread(self._database, thread)
            self._threads[thread.id] = thread

    def thread_deleted(self, id: int) -> None:
        """Forget this thread, which was deleted, and delete the post about it."""
        if thread := self._threads.pop(id, None):
            self._background.start(thread.table or 0, DOING, self._clear(thread))

    async def _clear(self, thread: TableThread) -> None:
        """Delete the post about a deleted thread, unless its channel is gone too."""
        if self._client.get_channel(thread.channel):
            take_back = partial(self._delivery.delete, (thread.channel, thread.id))
            with suppress(discord.HTTPException):  # it stays
                await until_done("deleting the post about a thread", take_back)
        await self._forget(thread)

    # Closing them

    @tasks.loop(minutes=10)
    async def archive_quiet(self) -> None:
        """Archive threads without a table where nothing has happened for a while."""
        await repeated("archiving threads", self._archive_quiet())

    async def _archive_quiet(self) -> None:
        for thread in list(self._threads.values()):
            if thread.id in self._opening or self._tables.in_channel(thread.id):
                self._quiet_since.pop(thread.id, None)
            elif thread.table is None:  # we were killed while it opened
                if await self._take_back((thread.channel, thread.id)):
                    await self._withdraw(thread)
            else:
                await self._look_at(thread, thread.table)

    async def _look_at(self, thread: TableThread, table: int) -> None:
        """Archive a thread without a live table if it's quiet, or else show that its table is closed."""
        if self._is_quiet(thread.id) and await self._archive(thread.id):
            await self._forget(thread)
        elif table and self._closed.get(thread.id) != table:  # we stopped before showing it
            with suppress(Refusal):
                await self._close(thread, await self._tables.find(table))

    def _is_quiet(self, id: int) -> bool:
        now = self._clock()
        return now - self._quiet_since.setdefault(id, now) >= QUIET

    async def _archive(self, id: int) -> bool:
        """Archive this thread, unless someone has written there lately; False if it has to wait."""
        try:
            await self._delivery.budget.turn(Urgency.LOW)
            thread = await self._client.fetch_channel(id)
            if not isinstance(thread, discord.Thread) or thread.archived:
                return True
            written = discord.utils.snowflake_time(thread.last_message_id or id).timestamp()
            if self._clock() - written < QUIET and id in self._quiet_since:
                self._quiet_since[id] = max(self._quiet_since[id], written)
                return False
            await self._delivery.budget.turn(Urgency.LOW)
            if self._tables.in_channel(id):  # a rematch has just opened
                return False
            await thread.edit(archived=True)
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is Fault.LATER:
                return False
            log.info("channel %s stays as it is: %s", id, error)
        return True

    async def _take_back(self, address: Address) -> bool:
        return await _is_final(self._delivery.delete(address), "deleting the post about a thread")

    async def _forget(self, thread: TableThread) -> None:
        await drop_thread(self._database, thread.id)
        self._threads.pop(thread.id, None)
        self._closed.pop(thread.id, None)
        self._quiet_since.pop(thread.id, None)


async def _is_final(work: Awaitable[object], what: str) -> bool:
    """Do this, and return whether it's done or refused for good; False if it has to be tried again."""
    try:
        await work
    except (discord.HTTPException, *NETWORK) as error:
        log.info("%s failed: %s", what, error)
        return fault_of(error) is not Fault.LATER
    return True
