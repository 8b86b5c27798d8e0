"""The bot itself: its services wired together, and the one place where whatever goes wrong is answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.announcer import Announcer
from bot.click import Click, Interaction, whisper
from bot.commands.hearts import Hearts
from bot.commands.privacy import Privacy
from bot.commands.standings import commands as standing_commands
from bot.components import PATTERN, Control, parse_action
from bot.controls import CONTROLS
from bot.delivery import Delivery
from bot.faults import NETWORK, Fault, fault_of
from bot.render.board import LOBBY
from bot.render.lobby import lobby
from bot.render.refusals import refused
from bot.troubles import Troubles
from bot.waiting import Waiting
from engine.errors import Refusal
from engine.storage import notes, privacy
from engine.storage.database import Database
from engine.tables import State, Tables

log = logging.getLogger(__name__)

# The library warns that it cannot speak; nobody at a card table minds.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

SORRY = "Something went wrong here. Nothing is lost: try again, or press **My hand** at the table."
#: The same where no table is concerned.
SORRY_ELSEWHERE = "Something went wrong here. Wait a little and try again."
#: Seconds in which what is still to be shown may be shown when we stop, and those that a farewell may take.
FLUSH, LEAVE = 3.0, 1.0
#: Where the hash of the commands that Discord knows is kept.
SYNCED = "commands synced"


class HeartsBot(commands.AutoShardedBot):
    """Plays at the tables of one database. The guilds intent is all it asks for."""

    def __init__(
        self, database: Database, *, rng: Random | None = None, shard_count: int | None = None
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=shard_count,
            tree_cls=Tree,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.database = database
        self.troubles = Troubles(self)
        self.delivery = Delivery(self, database, self.troubles)
        self.announce = Announcer(self.delivery, self.troubles)
        self.tables = Tables(database, self.announce, Waiting(self.delivery, now), rng=rng, clock=now)

    async def setup_hook(self) -> None:
        """Take up the tables of before, and tell Discord the commands if they have changed."""
        self.add_dynamic_items(Control)
        self.tree.add_command(Hearts(self))
        self.tree.add_command(Privacy(self))
        for command in standing_commands(self):
            self.tree.add_command(command)
        await privacy.finish(self.database)
        await self.delivery.places.take_up()
        for table in await self.tables.resume():
            if table.state is State.LOBBY:
                # Whoever opened it may never have been answered.
                self.delivery.posts.show(table.public, LOBBY, lobby(table.public))
            self.announce(table)
        self.troubles.look_around.start()
        await self._sync()

    async def press(self, interaction: Interaction, verb: str, table: int, details: Sequence[str]) -> None:
        """A control was used."""
        try:
            handler = CONTROLS.get(verb)
            if handler is None:
                raise Refusal("stale")
            await handler(Click(interaction, table, details))
        except Exception as error:
            sorry = SORRY if table else SORRY_ELSEWHERE
            await answer_for(interaction, error, f"control {verb} of table {table}", sorry)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A table's channel may be gone; for the threads of a channel, the next one is called."""
        self.troubles.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A table's thread may be gone."""
        self.troubles.channel_gone(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """We were removed from a server."""
        self.troubles.server_left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """We are in a server, perhaps again."""
        self.troubles.server_changed(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """We see a server, perhaps after an absence in which what we may do has changed."""
        self.troubles.server_changed(guild)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """What we may do in a channel may have changed."""
        self.troubles.server_changed(after.guild)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """A thread may have been unlocked."""
        self.troubles.server_changed(after.guild)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """We see a thread again, for instance one that has been woken."""
        self.troubles.server_changed(thread.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """What we may do in a server may have changed."""
        self.troubles.server_changed(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """What we may do in a server may have changed: a role can forbid as well."""
        self.troubles.server_changed(role.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """We may have been given a role; of others we hear nothing without the members intent."""
        self.troubles.server_changed(after.guild)

    async def on_interaction(self, interaction: Interaction) -> None:
        """A form was sent: it is read by its custom id like any control, so it outlives a restart."""
        custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit and PATTERN.fullmatch(custom_id):
            await self.press(interaction, *parse_action(custom_id))

    async def close(self) -> None:
        """Finish what is in hand, leave Discord, then close the database."""
        self.troubles.look_around.cancel()
        try:
            await self.tables.close()
            await self.delivery.flush(FLUSH)
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE):
                    await super().close()
        finally:
            await self.database.close()

    async def _sync(self) -> None:
        described = json.dumps([command.to_dict(self.tree) for command in self.tree.get_commands()])
        # Another application on the same database knows none of them.
        fingerprint = hashlib.sha256(f"{self.application_id} {described}".encode()).hexdigest()
        if await notes.setting(self.database, SYNCED) != fingerprint:
            await self.tree.sync()
            await notes.put_setting(self.database, SYNCED, fingerprint)


def now() -> float:
    """Seconds since 1970 by the library's clock, which a simulated Discord can set."""
    return discord.utils.utcnow().timestamp()


class Tree(app_commands.CommandTree[Any]):
    """The commands; what they raise is answered like what controls raise."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer for a command that failed."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        name = interaction.command.qualified_name if interaction.command else "unknown"
        sorry = SORRY if name.startswith("hearts") else SORRY_ELSEWHERE
        await answer_for(interaction, cause, f"/{name}", sorry)


async def answer_for(interaction: Interaction, error: Exception, doing: str, sorry: str) -> None:
    """Tell the person privately: a refusal's own sentence, or that we are sorry for what is logged."""
    if fault_of(error) is Fault.EXPIRED:
        # What was done is done and will be shown by other means; only this answer came too late.
        log.warning("%s was done, but could not be answered: %s", doing, error)
        return
    if fault_of(error) is Fault.LATER:
        log.warning("%s: Discord did not answer: %s", doing, error)
    elif not isinstance(error, Refusal):
        log.error("%s failed", doing, exc_info=error)
    try:
        await whisper(interaction, refused(error) if isinstance(error, Refusal) else sorry)
    except (discord.HTTPException, *NETWORK) as failed:
        log.warning("%s could not be answered: %s", doing, failed)
