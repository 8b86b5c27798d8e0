"""The leaderboard's pages."""

from __future__ import annotations

from bot.click import Click
from bot.leaderboards import page


async def turn(click: Click) -> None:
    """Show another page, or another game."""
    game, *rest = click.details
    number = int(rest[0]) if rest else 0
    if click.values:
        game = click.values[0]
    await click.edit(await page(click.bot.database, click.interaction.guild_id or 0, game, number))
