"""The button that opens a deal's seal."""

from __future__ import annotations

from bot.click import Click
from bot.render import seals
from bot.render.board import opening_key
from bot.render.text import message_link
from engine.errors import Refusal
from engine.play.public import public_deal
from engine.storage import message_ids


async def check(click: Click) -> None:
    """Show the cards and the salt of a deal that is done, however long ago."""
    done = await click.services.tables.games.done_deal(click.table, click.number(0))
    if done.dealt.salt is None:
        raise Refusal("stale")
    await click.reply.whisper(seals.opened(public_deal(done), await _link(click, done.number)))


async def _link(click: Click, deal: int) -> str | None:
    table = await click.services.tables.find(click.table)
    sent = await message_ids.message(click.services.database, table.id, opening_key(deal))
    return message_link(table.guild, *sent) if sent else None
