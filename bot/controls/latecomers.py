"""Taking a seat in the middle of a game, and who lets others do so."""

from __future__ import annotations

from bot.click import Click, number
from bot.messages import Whisper
from bot.render.latecomers import STAYS_OUT
from bot.render.rules import rules_page
from bot.seating import offer_seat, take_seat


async def ask(click: Click) -> None:
    """Take the one seat that is free, or ask which."""
    await offer_seat(click.services, click.reply, click.services.tables.get(click.table), click.person)


async def choose(click: Click) -> None:
    """Take the seat that was chosen."""
    click.check_private()
    seat = number(click.value)
    await click.edit(await take_seat(click.services, click.table, click.person, seat))


async def stay_out(click: Click) -> None:
    """Take no seat after all."""
    click.check_private()
    await click.services.tables.stay_out(click.table, click.person.id)
    await click.edit(Whisper((STAYS_OUT,)))


async def open_or_close(click: Click) -> None:
    """The host lets others take seats, or does so no longer; the answer is the rules as they are then."""
    click.check_private()
    welcome = click.detail(0) == "open"
    table = await click.services.tables.change_latecomers(click.table, click.person.id, welcome=welcome)
    await click.edit(rules_page(table.public, click.person.id))
