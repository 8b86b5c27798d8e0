"""Watch, for whoever looks on: the deals that are done, one after another."""

from __future__ import annotations

from bot.click import Click
from bot.render.watching import watching
from engine.errors import Refusal
from engine.tables import Table


async def watch(click: Click) -> None:
    """Show the last deal that is done."""
    await click.reply.whisper(watching(await _table(click)))


async def look(click: Click) -> None:
    """Show another in the same message."""
    await click.edit(watching(await _table(click), max(1, click.number(0))))


async def _table(click: Click) -> Table:
    table = await click.services.tables.games.whole(click.table)
    if table.daily:
        raise Refusal("stale")  # others have still to play these cards
    return table
