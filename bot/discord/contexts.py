"""The kind of place that a click or command comes from.

A person who has added the app to their account uses it anywhere. Where the bot itself isn't, only answers to
interactions arrive: every request with its token fails.
"""

from enum import Enum, auto
from typing import Any

import discord

from bot.discord.permissions import invitation, may_manage_server
from engine.errors import Refusal

Interaction = discord.Interaction[Any]


class Context(Enum):
    """The kinds of places in Discord that the bot has to tell apart."""

    SERVER = auto()  # a server that the bot is a member of
    FOREIGN_SERVER = auto()  # another server, or one where the bot's own commands are turned off
    BOT_DM = auto()  # between a person and the bot
    PRIVATE_CHANNEL = auto()  # a DM or group DM between people


def context_of(interaction: Interaction) -> Context:
    """Where this interaction comes from."""
    if interaction.guild_id is None:
        is_private = interaction.context.private_channel
        return Context.PRIVATE_CHANNEL if is_private else Context.BOT_DM
    is_member = interaction.client.get_guild(interaction.guild_id) is not None
    # Discord may leave out who authorized the app where only the server can have (discord-api-docs 6752).
    is_users_alone = interaction.is_user_integration() and not interaction.is_guild_integration()
    return Context.SERVER if is_member and not is_users_alone else Context.FOREIGN_SERVER


def check_server(interaction: Interaction) -> None:
    """Refusal, with the address for adding the bot, unless this is a server that the bot is in."""
    where = context_of(interaction)
    if where is Context.FOREIGN_SERVER:
        address = invitation(interaction.application_id, guild=interaction.guild_id)
        raise Refusal("bot_not_here", invitation=address)
    if where is not Context.SERVER:
        raise Refusal("needs_server", invitation=invitation(interaction.application_id))


def check_server_manager(interaction: Interaction) -> None:
    """Refusal unless this is a server that the bot is in, and the person may manage it."""
    check_server(interaction)
    if not may_manage_server(interaction):
        raise Refusal("server_manager_only")
