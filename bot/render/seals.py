"""A deal's seal: posted as the cards are dealt, before anybody has chosen; opened when the deal is over."""

from __future__ import annotations

from bot.controls import CheckSeal
from bot.messages import Button, Colour, Link, Row, Whisper
from engine.play.moves import Dealt
from engine.play.public import PublicDeal
from engine.play.seal import seal, sealed_text
from engine.tables import PublicTable

#: Digits of a seal that fit on a line of a telephone: to find two deals that begin alike takes 2**60 tries.
_SHOWN = 30


def sealed(deal: PublicDeal) -> str:
    """The seal, below the heading of the post that opens the deal: one line of small print."""
    return f"-# 🔒 Seal {_of(deal)}"


def _of(deal: PublicDeal) -> str:
    assert deal.seal is not None
    return beginning(deal.seal)


def beginning(seal: str) -> str:
    """As much of a seal as is posted."""
    return seal[:_SHOWN]


def button(table: PublicTable, deal: PublicDeal) -> Row:
    """Opens the seal of a deal that is done, where it has one."""
    return (Button("Check the deal", CheckSeal(table.id, deal.number)),) if deal.seal else ()


def how_to_check(deal: int, dealt: Dealt) -> str:
    """The cards and the salt with which anybody can check the seal of a deal."""
    return (
        "You can check it without me. The seal is the SHA-256 of the line between the quotes:\n"
        f"```sh\nprintf %s '{sealed_text(deal, dealt)}' | sha256sum\n```\n"
        f"Seal: `{seal(deal, dealt)}`\nSalt: `{dealt.salt}`\n"
        "-# Hands are in the order of the seats."
    )


def opened(deal: PublicDeal, link: str | None) -> Whisper:
    """What a deal's seal proves, and then the cards and the salt with which anybody can check it."""
    assert deal.dealt is not None
    outcome = (
        f"### The deal checks out\nDeal {deal.number} was played with the cards that were sealed before "
        "anyone chose one. The post from before the deal shows how the seal begins, "
        f"🔒 Seal {_of(deal)}, and Discord marks every edited post."
    )
    how = (
        f"{how_to_check(deal.number, deal.dealt)} `/hearts record` has every deal of the game, "
        "and `python -m engine verify FILE` checks them all."
    )
    row: tuple[Row, ...] = ((Link("The sealed post", link),),) if link else ()
    return Whisper((outcome, how, *row), Colour.DONE)
