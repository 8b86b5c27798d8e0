"""A deal's seal: posted as the cards are dealt, before anyone chooses one; opened when the deal is over."""

from bot.vocabulary.controls import HAND, PAGES, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Link, Row, Whisper
from engine.languages import Language
from engine.play.moves import Dealt
from engine.play.public import PublicDeal
from engine.play.seal import seal, sealed_text
from engine.tables import PublicTable

#: Digits of a seal that fit into a line on a phone. Finding two deals that share them takes 2**60 tries.
_POSTED = 30


class CheckSeal(DealAction, verb="check", who=Who.ANYONE, where=HAND, cost=PAGES):
    """Show the cards and the salt of this deal."""


def sealed(deal: PublicDeal, language: Language) -> str:
    """The seal, below the heading of the post that opens the deal: one line of small print, covered."""
    assert deal.seal is not None
    return f"-# {language.say('🔒 Seal {seal}', seal=covered(deal.seal))}"


def covered(seal: str) -> str:
    """The posted beginning of a seal, behind a spoiler that shows it when pressed."""
    return f"||{seal[:_POSTED]}||"


def button(table: PublicTable, deal: PublicDeal) -> Row:
    """The button that opens the seal of a deal that is over; none if it has no seal."""
    label = table.language.say_as("for everyone", "Check the deal")
    return (Button(label, CheckSeal(table.id, deal.number)),) if deal.seal else ()


def how_to_check(deal: int, dealt: Dealt, language: Language) -> str:
    """The cards and the salt with which anyone can check the seal of a deal."""
    lines = (
        language.say("You can check it without me. The seal is the SHA-256 of the line between the quotes:"),
        f"```sh\nprintf %s '{sealed_text(deal, dealt)}' | sha256sum\n```",
        language.say("Seal: {seal}", seal=f"`{seal(deal, dealt)}`"),
        language.say("Salt: {salt}", salt=f"`{dealt.salt}`"),
        f"-# {language.say('Hands are in the order of the seats.')}",
    )
    return "\n".join(lines)


def opened(deal: PublicDeal, link: str | None, language: Language, *, is_private: bool) -> Whisper:
    """What a deal's seal proves, and the cards and the salt with which anyone can check it.

    At a private table, the message with the hand showed the seal, and there is no post to link to.
    """
    assert deal.dealt is not None
    assert deal.seal is not None
    beginning = deal.seal[:_POSTED]
    heading = f"### {language.say('The deal checks out')}"
    if is_private:
        proof = language.say(
            "Deal {deal} was played with the cards that were sealed before anyone chose one. The "
            "beginning of the seal, 🔒 Seal {seal}, was shown above your hand from the first card to the "
            "last.",
            deal=deal.number,
            seal=beginning,
        )
    else:
        proof = language.say(
            "Deal {deal} was played with the cards that were sealed before anyone chose one. "
            "The post from before the deal shows how the seal begins, 🔒 Seal {seal}, "
            "and Discord marks every edited post.",
            deal=deal.number,
            seal=beginning,
        )
    record = language.say(
        "{record} has every deal of the game, and {command} checks them all.",
        record="`/hearts record`",
        command="`python -m engine verify FILE`",
    )
    how = language.sentences([how_to_check(deal.number, deal.dealt, language), record])
    row: tuple[Row, ...] = ((Link(language.say("The sealed post"), link),),) if link else ()
    return Whisper((f"{heading}\n{proof}", how, *row), Colour.DONE)
