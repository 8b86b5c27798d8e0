"""The controls of a player's hand: the same in a DM and under My hand."""

from __future__ import annotations

from bot.click import Click, member, show_hand
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played
from engine.rules.options import MoonChoice
from engine.tables import Moment


async def show(click: Click) -> None:
    """My hand, in the game that goes on in this channel now, whichever the post with the button is of."""
    tables, reply = click.services.tables, click.reply
    table = tables.get(click.table) if click.in_dm else tables.at(reply.channel)
    await show_hand(click.services, reply, table)


async def pick(click: Click) -> None:
    """Pick a card to pass."""
    await _pick(click, wanted=True)


async def unpick(click: Click) -> None:
    """Put it back."""
    await _pick(click, wanted=False)


async def _pick(click: Click, *, wanted: bool) -> None:
    at, place = Moment(click.number(0)), click.number(1)
    async with click.on_hand(at.deal):
        await click.services.tables.pick(click.table, click.reply.person, place, at, wanted=wanted)


async def choose_pass(click: Click) -> None:
    """Pass the cards that the button names."""
    cards = tuple(click.card(code) for code in click.detail(1).split("-"))
    await click.move(lambda seat: Passed(seat, cards))


async def expose(click: Click) -> None:
    """Ask whether this card shall really be exposed."""
    at, card = Moment(click.number(0)), click.card(click.detail(1))
    async with click.on_hand(at.deal):
        click.services.tables.check_may_act(
            click.table, click.reply.person, lambda seat: Exposed(seat, card), at
        )
        click.show_newest(at.deal, asking=card)


async def lay(click: Click) -> None:
    """Lay a card face up."""
    card = click.card(click.detail(1))
    await click.move(lambda seat: Exposed(seat, card))


async def wait(click: Click) -> None:
    """Ask no more for now."""
    deal = click.number(0)
    async with click.on_hand(deal):
        click.show_newest(deal)


async def decline(click: Click) -> None:
    """Expose nothing more, unless somebody else has done so meanwhile."""
    await click.move(Declined, exposures=click.number(1))


async def play(click: Click) -> None:
    """Play a card."""
    card = click.card(click.detail(2))
    await click.move(lambda seat: Played(seat, card), trick=click.number(1))


async def choose_moon(click: Click) -> None:
    """Decide what a moon does."""
    choice = member(MoonChoice, click.detail(1))
    await click.move(lambda seat: MoonChosen(seat, choice))
