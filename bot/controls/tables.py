"""The buttons of a game's public messages."""

from __future__ import annotations

from bot.click import Click, may_manage
from bot.messages import Whisper
from bot.seating import present


async def come_back(click: Click) -> None:
    """Take one's seat back from the computer."""
    await click.bot.tables.join(click.table, click.person)
    if click.in_dm:
        # There the hand itself is brought up to date: a second one would only be in its way.
        await click.edit(Whisper(("You are back: your cards are yours again.",)))
    else:
        await click.show_hand()


async def try_again(click: Click) -> None:
    """Let a paused game go on, if we may write in its channel again."""
    await click.bot.tables.unpause(click.table)
    await click.edit(Whisper(("I have tried: if I may write there again, the game goes on.",)))


async def stop(click: Click) -> None:
    """Stop the game, after the question that /hearts stop asks."""
    await click.bot.tables.stop(click.table, click.person.id, may_manage=may_manage(click.interaction))
    await click.edit(Whisper(("You stopped it.",)))


async def go_on(click: Click) -> None:
    """Stop nothing after all."""
    await click.edit(Whisper(("Nothing was stopped.",)))


async def rematch(click: Click) -> None:
    """The same seats again, in a new lobby."""
    table = await click.bot.tables.rematch(click.table, click.person)
    await present(click.bot, click.interaction, table)
