"""The button that opens a deal's seal."""

from __future__ import annotations

from bot.click import Click
from bot.render import seals
from bot.render.board import opening_key
from bot.render.text import channel_link
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.public import public_deal
from engine.storage import notes
from engine.tables import Table


async def check(click: Click) -> None:
    """Show the cards and the salt of a deal that is done, however long ago."""
    table, number = await click.services.tables.find(click.table), click.number(0)
    deals = table.game.deals if table.game else ()
    done = next((deal for deal in deals if deal.number == number and deal.phase is Phase.DONE), None)
    if done is None or done.dealt.salt is None:
        raise Refusal("stale")
    await click.reply.whisper(seals.opened(public_deal(done), await _link(click, table, number)))


async def _link(click: Click, table: Table, deal: int) -> str | None:
    sent = await notes.message(click.services.database, table.id, opening_key(deal))
    return f"{channel_link(table.public)}/{sent[1]}" if sent else None
