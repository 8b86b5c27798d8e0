"""The pages of How to play, and what else /help offers."""

from __future__ import annotations

from bot.click import Click
from bot.messages import Whisper
from bot.render.help import commands_page
from bot.render.how_to_play import USUAL, how_to_play


async def learn(click: Click) -> None:
    """Open the first page."""
    await click.reply.whisper(await _page(click, 0))


async def turn(click: Click) -> None:
    """Show another page in the same message."""
    await click.edit(await _page(click, click.number(0)))


async def commands(click: Click) -> None:
    """List every command."""
    await click.reply.whisper(commands_page())


async def _page(click: Click, number: int) -> Whisper:
    if not click.table:
        return how_to_play(USUAL, 0, number)
    table = await click.services.tables.find(click.table)
    return how_to_play(table.rules, table.id, number)
