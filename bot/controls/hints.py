"""What a strong player would do, and how one has played."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.click import Click
from bot.messages import Whisper
from bot.render import hints
from bot.render.refusals import refused
from engine.errors import Refusal
from engine.tables import Moment


async def ask(click: Click) -> None:
    """Show a hint in the hand, once it is found; where the game has moved on by then, the hand as it is."""
    click.check_private()
    at = Moment(click.number(0), click.number(1))
    hint = click.services.teacher.hint(click.table, click.person.id, at)
    [found] = await asyncio.gather(hint, return_exceptions=True)  # meanwhile the hand may change
    async with click.on_hand(at.deal):
        if isinstance(found, BaseException):
            raise found
        await click.services.tables.give_hint(click.table, found)


async def ask_back(click: Click) -> None:
    """Tell which of one's own choices in a deal cost most."""
    deal = click.number(0)

    async def found() -> Whisper:
        return hints.review(await click.services.teacher.review(click.table, click.person.id, deal))

    await look_back(click, deal, found)


async def look_back(click: Click, deal: int, find: Callable[[], Awaitable[Whisper]]) -> None:
    """Tell that this takes a while, and then show in the same message what was found."""
    message = await click.reply.whisper(hints.LOOKING_BACK.format(deal=deal))
    try:
        told = await find()
    except Refusal as refusal:
        told = refused(refusal)
    await click.reply.edit(message, told)
