"""/help."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.common import command
from bot.delivery import Reply
from bot.render.help import help_page
from bot.render.how_to_play import USUAL
from bot.services import Services


def help_command(services: Services) -> app_commands.Command[Any, ..., None]:
    """How to play, by the rules of this channel's table."""

    @command
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(reply: Reply) -> None:
        """How to play, and what every command does."""
        table = services.tables.in_channel(reply.channel)
        await reply.whisper(help_page(table.rules if table else USUAL, table.id if table else 0))

    return help
