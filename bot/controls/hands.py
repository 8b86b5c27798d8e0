"""The controls of a player's hand: the same in a DM and under My hand."""

from __future__ import annotations

from bot.click import Click
from engine.cards import Card
from engine.errors import Refusal
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played
from engine.rules.options import MoonChoice


async def show(click: Click) -> None:
    """My hand."""
    await click.show_hand()


async def choose_pass(click: Click) -> None:
    """Choose the cards to pass."""
    cards = tuple(_card(click, value) for value in click.values)
    await click.move(lambda seat: Passed(seat, cards))


async def expose(click: Click) -> None:
    """Lay a card face up."""
    card = _card(click, click.details[1])
    await click.move(lambda seat: Exposed(seat, card))


async def decline(click: Click) -> None:
    """Expose nothing more."""
    await click.move(Declined)


async def play(click: Click) -> None:
    """Play a card."""
    _, trick, slot = click.details
    card = _card(click, slot)
    await click.move(lambda seat: Played(seat, card), int(trick))


async def choose_moon(click: Click) -> None:
    """Decide what a moon does."""
    choice = MoonChoice(click.details[1])
    await click.move(lambda seat: MoonChosen(seat, choice))


def _card(click: Click, slot: str) -> Card:
    """The card of a slot such as `QS.0`, which is its code and the number of its copy."""
    card = click.bot.tables.get(click.table).rules.pack.faces.get(slot.partition(".")[0])
    if card is None:
        raise Refusal("stale")
    return card
