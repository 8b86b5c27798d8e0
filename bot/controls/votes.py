"""The buttons with which people agree on how their game ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.click import Click, member
from bot.messages import Whisper
from bot.render.votes import ASKED, vote_key
from engine.errors import Refusal
from engine.tables import Motion, Table


async def propose(click: Click) -> None:
    """Ask everybody at the table."""
    click.check_private()
    await click.services.tables.propose(click.table, click.person.id, member(Motion, click.detail(0)))
    await click.edit(Whisper((ASKED,)))


async def answer(click: Click) -> None:
    """Answer the question; the message with the button takes along what it looks like then."""
    tables, number, said = click.services.tables, click.number(0), click.detail(1)
    table = tables.get(click.table)
    if said not in ("yes", "no") or table.vote is None or table.vote.number != number:
        raise Refusal("vote_over")
    async with _carrying(click, table, vote_key(table.vote)):
        await tables.answer(table.id, click.person.id, number, agrees=said == "yes")


@asynccontextmanager
async def _carrying(click: Click, table: Table, key: str) -> AsyncIterator[None]:
    """While an answer is dealt with that was given in the channel, or by DM."""
    delivery, reply = click.services.delivery, click.reply
    if not click.in_dm:
        async with delivery.posts.answering(table.id, table.channel, key, reply):
            yield
        return
    async with delivery.dms.answering_letter(table.id, reply) as is_letter:
        yield
    if not is_letter:
        await reply.update(None)
