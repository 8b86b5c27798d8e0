"""The buttons under the question that /privacy delete asks."""

from __future__ import annotations

from bot.click import Click
from bot.messages import Whisper
from bot.render.privacy import FORGOTTEN, KEPT


async def forget(click: Click) -> None:
    """Delete all that is stored about the person who clicked, and tell them how far that has come."""
    click.check_private()
    forgotten = await click.services.forgetting.forget(click.person)
    await click.edit(Whisper((FORGOTTEN[forgotten],)))


async def remember(click: Click) -> None:
    """Delete nothing after all."""
    await click.edit(Whisper((KEPT,)))
