"""The buttons with which people agree on how their game ends."""

from __future__ import annotations

from bot.click import Click, member
from bot.messages import Whisper
from bot.render.votes import ASKED, vote_key
from engine.errors import Refusal
from engine.tables import Motion


async def propose(click: Click) -> None:
    """Ask everybody at the table."""
    click.check_private()
    await click.services.tables.propose(click.table, click.person.id, member(Motion, click.detail(0)))
    await click.edit(Whisper((ASKED,)))


async def answer(click: Click) -> None:
    """Somebody's answer; theirs takes along what the question looks like then."""
    tables, posts, number = click.services.tables, click.services.delivery.posts, click.number(0)
    table, said = tables.get(click.table), click.detail(1)
    if said not in ("yes", "no") or table.vote is None or table.vote.number != number:
        raise Refusal("vote_over")
    async with posts.answering(table.id, table.channel, vote_key(table.vote), click.reply):
        await tables.answer(table.id, click.person.id, number, agrees=said == "yes")
