"""The buttons under the question that /privacy delete asks."""

from __future__ import annotations

from bot.click import Click
from bot.components import layout
from bot.delivery import NOBODY
from bot.messages import Whisper
from bot.render.privacy import DELETED, KEPT
from engine.storage import privacy


async def forget(click: Click) -> None:
    """Delete all that is stored about who clicked."""
    # It may take longer than the three seconds that Discord gives for an answer.
    await click.interaction.response.defer()
    for table in await click.bot.tables.forget(click.person.id):
        # A DM that is on its way is noted down under the player's id: after this none is.
        await click.bot.delivery.dms.leave(table, click.person.id)
    await privacy.delete(click.bot.database, click.person.id, click.person.name)
    await click.interaction.edit_original_response(view=layout(Whisper((DELETED,))), allowed_mentions=NOBODY)


async def remember(click: Click) -> None:
    """Delete nothing after all."""
    await click.edit(Whisper((KEPT,)))
