"""/preferences."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.common import command
from bot.delivery import Reply
from bot.render.preferences import form
from bot.services import Services


def preferences_command(services: Services) -> app_commands.Command[Any, ..., None]:
    """What a player prefers, at whatever table."""

    @command
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def preferences(reply: Reply) -> None:
        """Choose when you are mentioned, and which of your cards play themselves."""
        await reply.ask(form(services.tables.preferences.of(reply.person)))

    return preferences
