"""/leaderboard and /stats."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot import careers
from bot.commands.common import command
from bot.delivery import Reply
from bot.leaderboards import page
from bot.services import Services
from engine.tables import Person


def standing_commands(services: Services) -> list[app_commands.Command[Any, ..., None]]:
    """How players of a server stand."""

    @command
    @app_commands.guild_only()
    async def leaderboard(reply: Reply) -> None:
        """Who is ahead in this server."""
        shown = await page(services.database, reply)
        if await reply.publish(shown) is None:
            await reply.whisper(shown)

    @command
    @app_commands.guild_only()
    @app_commands.describe(
        player="Whose statistics; yours, if you name nobody",
        against="Head to head with this player, in the games that both have played",
    )
    async def stats(
        reply: Reply,
        player: discord.Member | discord.User | None = None,
        against: discord.Member | discord.User | None = None,
    ) -> None:
        """One player's statistics in this server, or two players head to head."""
        guild, user = reply.guild, player or reply.interaction.user
        of = Person(user.id, user.display_name)
        if against and against.id != of.id:
            rival = Person(against.id, against.display_name)
            await reply.whisper(await careers.rivals(services.database, guild, of, rival))
        else:
            await reply.whisper(await careers.stats(services.database, guild, of, asker=reply.person))

    return [leaderboard, stats]
