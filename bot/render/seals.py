"""A deal's seal: posted as the cards are dealt, before anybody has chosen; opened when the deal is over."""

from __future__ import annotations

from bot.messages import Button, Colour, Link, Row, Whisper, action
from engine.play.public import PublicDeal
from engine.play.seal import sealed_text
from engine.tables import PublicTable


def sealed(deal: PublicDeal) -> str:
    """The seal, as the post says it that opens the deal."""
    return f"-# 🔒 Deal {deal.number} is sealed: `{deal.seal}`"


def button(table: PublicTable, deal: PublicDeal) -> Row:
    """Opens the seal of a deal that is done."""
    return (Button("Check the deal", action("check", table.id, deal.number)),)


def opened(deal: PublicDeal, link: str | None) -> Whisper:
    """The cards and the salt of a deal that is done, and how to see that its seal was theirs."""
    assert deal.dealt is not None
    outcome = (
        f"### Deal {deal.number} and its seal\n"
        f"The cards as they were dealt, with their salt, give the seal\n`{deal.seal}`\n"
        "If the post from before the deal shows the same one, and Discord does not mark that post as "
        "edited, no card was changed after it."
    )
    how = (
        f"Salt: `{deal.salt}`\n"
        "The seal is the SHA-256 of the line between the quotes, so you can check it without me:\n"
        f"```sh\nprintf %s '{sealed_text(deal.number, deal.dealt)}' | sha256sum\n```\n"
        "-# Hands stand in the order of the seats. `/hearts record` has every deal of the game, "
        "and `python -m engine verify FILE` checks them all."
    )
    row: tuple[Row, ...] = ((Link("The sealed post", link),),) if link else ()
    return Whisper((outcome, how, *row), Colour.DONE)
