"""The buttons under the question that /privacy delete asks."""

from __future__ import annotations

from bot.click import Click
from bot.messages import Whisper
from bot.render.privacy import DELETED, KEPT
from engine.storage import privacy


async def forget(click: Click) -> None:
    """Delete all that is stored about who clicked."""
    click.check_private()
    await click.services.daily.will_forget(click.person.id)
    for table in await click.services.tables.forget(click.person.id):
        # A DM that is on its way is noted down under the player's id: after this none is.
        await click.services.delivery.dms.leave(table, click.person.id)
    await privacy.delete(click.services.database, click.person.id, click.person.name)
    await click.edit(Whisper((DELETED,)))


async def remember(click: Click) -> None:
    """Delete nothing after all."""
    await click.edit(Whisper((KEPT,)))
