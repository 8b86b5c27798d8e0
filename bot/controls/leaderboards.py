"""The leaderboard's pages."""

from __future__ import annotations

from bot.click import Click, number
from bot.leaderboards import page
from bot.render.kinds import kind_of


async def turn(click: Click) -> None:
    """Show another page, or another game."""
    key, *rest = click.values or (click.detail(0), *click.details[1:])
    first = number(rest[0]) if rest else 0
    await click.edit(await page(click.services.database, click.guild, kind_of(key), first))
