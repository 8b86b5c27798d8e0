"""/leaderboard, /stats and /help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.click import Interaction, whisper
from bot.commands.answering import command
from bot.components import layout
from bot.delivery import NOBODY
from bot.leaderboards import page
from bot.render import boards
from bot.render.help import help_page
from engine.storage import standings

if TYPE_CHECKING:
    from bot.client import HeartsBot


def commands(bot: HeartsBot) -> list[app_commands.Command[Any, ..., None]]:
    """The commands that need no table."""

    @command
    @app_commands.guild_only()
    async def leaderboard(interaction: Interaction) -> None:
        """Who wins most in this server."""
        shown = await page(bot.database, interaction.guild_id or 0)
        await interaction.response.send_message(view=layout(shown), allowed_mentions=NOBODY)

    @command
    @app_commands.guild_only()
    @app_commands.describe(player="Whose record; yours, if you name nobody")
    async def stats(interaction: Interaction, player: discord.Member | discord.User | None = None) -> None:
        """One player's record in this server."""
        person = player or interaction.user
        records = await standings.records(bot.database, interaction.guild_id or 0, person.id)
        await whisper(interaction, boards.record(person.display_name, records))

    @command
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(interaction: Interaction) -> None:
        """How to play, and what every command does."""
        await whisper(interaction, help_page())

    return [leaderboard, stats, help]
