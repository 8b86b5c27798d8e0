"""Where people use the app: on their account, in DMs between people, in servers that add the bot later."""

from typing import Any

import discord
from simcord import actors
from simcord.backend import serializers
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.enums import ChannelType
from simcord.env import Env
from simcord.results import InteractionResult

from bot.local.contexts import GROUP_DM, installed_by


def uninstall(env: Env, user: int) -> None:
    """Have this person remove the app from their account."""
    installed_by(env.backend).discard(user)


def add_bot(env: Env, guild: GuildHandle) -> None:
    """Add the bot to a server, with all permissions but Administrator."""
    backend, stored = env.backend, env.backend.get_guild(guild.id)
    allowed = discord.Permissions(discord.Permissions.all().value, administrator=False)
    role = guild.create_role("The bot", permissions=allowed)
    backend.add_member(guild.id, backend.bot_user.id, roles=[role.id])
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, stored))


def create_private_channel(env: Env, *people: UserHandle) -> ChannelHandle:
    """Create a DM between two people, or a group DM; the bot is in neither."""
    kind = ChannelType.DM if len(people) == 2 else GROUP_DM
    channel = env.backend.create_channel(None, None, type=kind)
    channel.recipient_ids = [one.id for one in people]
    channel.owner_id = people[0].id
    return ChannelHandle(env, None, channel)


async def slash(user: UserHandle, channel: ChannelHandle, name: str, /, **options: Any) -> InteractionResult:
    """Use a slash command in any DM or group DM."""
    user._env._begin_operation("slash")
    try:
        return await actors._slash(user, channel, name, options)
    finally:
        user._env._end_operation()
