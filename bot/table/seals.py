"""A deal's seal: posted as the cards are dealt, before anybody has chosen; opened when the deal is over."""

from __future__ import annotations

from bot.vocabulary.controls import HAND, PAGES, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Link, Row, Whisper
from engine.languages import Language
from engine.play.moves import Dealt
from engine.play.public import PublicDeal
from engine.play.seal import seal, sealed_text
from engine.tables import PublicTable

#: Digits of a seal that fit on a line of a telephone: to find two deals that begin alike takes 2**60 tries.
_SHOWN = 30


class CheckSeal(DealAction, verb="check", who=Who.ANYONE, where=HAND, cost=PAGES):
    """Show the cards and the salt of this deal."""


def sealed(deal: PublicDeal, language: Language) -> str:
    """The seal, below the heading of the post that opens the deal: one line of small print, covered."""
    assert deal.seal is not None
    return f"-# {language.say('🔒 Seal {seal}', seal=covered(deal.seal))}"


def covered(seal: str) -> str:
    """As much of a seal as is posted, behind a spoiler: it is there, and shows when it's pressed."""
    return f"||{seal[:_SHOWN]}||"


def _of(deal: PublicDeal) -> str:
    assert deal.seal is not None
    return deal.seal[:_SHOWN]


def button(table: PublicTable, deal: PublicDeal) -> Row:
    """Opens the seal of a deal that is done, where it has one."""
    label = table.language.say_as("for everyone", "Check the deal")
    return (Button(label, CheckSeal(table.id, deal.number)),) if deal.seal else ()


def how_to_check(deal: int, dealt: Dealt, language: Language) -> str:
    """The cards and the salt with which anybody can check the seal of a deal."""
    lines = (
        language.say("You can check it without me. The seal is the SHA-256 of the line between the quotes:"),
        f"```sh\nprintf %s '{sealed_text(deal, dealt)}' | sha256sum\n```",
        language.say("Seal: {seal}", seal=f"`{seal(deal, dealt)}`"),
        language.say("Salt: {salt}", salt=f"`{dealt.salt}`"),
        f"-# {language.say('Hands are in the order of the seats.')}",
    )
    return "\n".join(lines)


def opened(deal: PublicDeal, link: str | None, language: Language, *, is_private: bool) -> Whisper:
    """What a deal's seal proves, and then the cards and the salt with which anybody can check it.

    Of a private table no post shows the seal, but the message with the hand.
    """
    assert deal.dealt is not None
    heading = f"### {language.say('The deal checks out')}"
    if is_private:
        proof = language.say(
            "Deal {deal} was played with the cards that were sealed before anyone chose one. The "
            "beginning of the seal, 🔒 Seal {seal}, was shown above your hand from the first card to the "
            "last.",
            deal=deal.number,
            seal=_of(deal),
        )
    else:
        proof = language.say(
            "Deal {deal} was played with the cards that were sealed before anyone chose one. "
            "The post from before the deal shows how the seal begins, 🔒 Seal {seal}, "
            "and Discord marks every edited post.",
            deal=deal.number,
            seal=_of(deal),
        )
    record = language.say(
        "{record} has every deal of the game, and {command} checks them all.",
        record="`/hearts record`",
        command="`python -m engine verify FILE`",
    )
    how = language.sentences([how_to_check(deal.number, deal.dealt, language), record])
    row: tuple[Row, ...] = ((Link(language.say("The sealed post"), link),),) if link else ()
    return Whisper((f"{heading}\n{proof}", how, *row), Colour.DONE)
