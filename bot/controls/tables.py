"""The buttons of a game's public messages."""

from __future__ import annotations

from bot.click import Click
from bot.messages import Whisper
from bot.permissions import may_manage_channel
from bot.seating import show_lobby


async def come_back(click: Click) -> None:
    """Take one's seat back from the computer."""
    tables = click.services.tables
    if click.details:  # the button stands in a hand, which then shows the cards
        async with click.on_hand(click.number(0)):
            await tables.join(click.table, click.person)
        return
    if not click.in_dm:
        await tables.join(click.table, click.person)
        await click.show_hand()
        return
    # There the hand itself is brought up to date: a second one would only be in its way.
    async with click.services.delivery.dms.answering_letter(click.table, click.reply) as is_letter:
        await tables.join(click.table, click.person)
    if not is_letter:
        await click.edit(Whisper(("You are back: your cards are yours again.",)))


async def try_again(click: Click) -> None:
    """Let a paused game go on, if we may write in its channel again."""
    click.check_private()
    await click.services.tables.unpause(click.table)
    await click.edit(Whisper(("I have tried: if I may write there again, the game goes on.",)))


async def stop(click: Click) -> None:
    """Stop the game at once, after the question that /hearts stop asks."""
    click.check_private()
    person, may_manage = click.person, may_manage_channel(click.interaction)
    await click.services.tables.stop(click.table, person.id, may_manage=may_manage, name=person.name)
    await click.edit(Whisper(("You stopped it.",)))


async def keep(click: Click) -> None:
    """Stop nothing after all."""
    await click.edit(Whisper(("Nothing was stopped.",)))


async def rematch(click: Click) -> None:
    """The same seats again, in a new lobby."""
    table = await click.services.tables.rematch(click.table, click.person)
    await show_lobby(click.services, click.reply, table)
