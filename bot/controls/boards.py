"""The leaderboard's pages."""

from __future__ import annotations

from bot.click import Click
from bot.leaderboards import page
from bot.render.boards import kind_of


async def turn(click: Click) -> None:
    """Show another page, or another game."""
    key, *rest = click.values or click.details
    number = int(rest[0]) if rest else 0
    await click.edit(await page(click.bot.database, click.interaction.guild_id or 0, kind_of(key), number))
