"""The hand while cards may be exposed before play, each confirmed first."""

from bot.table.deal_breakdown import exposures, still_face_up
from bot.table.hand_header import fan, head
from bot.table.hints import ask, hint
from bot.vocabulary.controls import HAND, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Part, Row, Style, Whisper
from bot.words.text import chip, chipped, chips
from engine.cards import Card
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.advice import Advice
from engine.rules import wording
from engine.tables import PublicTable


class AskToExpose(DealAction, verb="expose", who=Who.HOLDER, where=HAND, private=True):
    """Ask the player to confirm that they expose this card."""

    card: str


class Expose(DealAction, verb="lay", who=Who.HOLDER, where=HAND, private=True):
    """Expose this card."""

    card: str


class DontExpose(DealAction, verb="wait", who=Who.HOLDER, where=HAND, private=True):
    """Close the question of whether to expose a card."""


class Decline(DealAction, verb="decline", who=Who.HOLDER, where=HAND, private=True):
    """Expose nothing more; `exposures` is the number of cards exposed so far, by anyone."""

    exposures: int


def exposing(
    table: PublicTable, view: SeatView, asking: Card | None, advice: Advice | None = None
) -> Whisper:
    """The cards that may be exposed, or the question of whether to expose the card `asking`."""
    parts: list[Part] = [head(table, view), fan(view.hand, table.language)]
    face_up = view.deal.face_up[view.seat]
    # When others expose cards, only the hands of players who are asked again need repainting.
    if lines := lying_open(table, view) if view.exposable else []:
        parts.append("\n".join(lines))
    elif face_up:
        parts.append(table.say("You have exposed {cards}.", cards=chips(face_up)))
    if advice:
        parts.append(hint(table, view, advice))
    if asking in view.exposable:
        return Whisper((*parts, *_question(table, view, asking)), Colour.TURN)
    if not view.exposable:
        parts.append(f"-# {table.say('Play begins once everyone has decided what to expose.')}")
        return Whisper(tuple(parts))
    ids = (table.id, view.deal.number)
    row: Row = tuple(
        Button(
            table.say("Expose {card}", card=card.symbol),
            AskToExpose(*ids, card.code),
            Style.GOOD,
            card=card,
        )
        for card in view.exposable
    )
    if view.declined:
        parts.append(
            table.say("You expose nothing more. While others are deciding, you can still change your mind.")
        )
        return Whisper((*parts, row))
    parts.append(chipped(wording.exposing(view.rules, table.dialect)))
    decline = table.say("No more") if face_up else table.say("Don't expose")
    below: Row = (Button(decline, Decline(*ids, len(view.deal.exposures))), *ask(table, view, advice))
    return Whisper((*parts, row, below), Colour.TURN)


def lying_open(table: PublicTable, view: SeatView) -> list[str]:
    """Lines about exposed cards and their effects; on the player's turn also which are still face up."""
    deal = view.deal
    is_playing = deal.phase is Phase.PLAYING
    if not deal.exposures:
        is_news = is_playing and table.rules.preset.exposable
        return [f"-# {table.say('Nothing is exposed.')}"] if is_news else []
    lines = [*exposures(table, deal, view.seat)]
    if is_playing and deal.turn == view.seat:
        lines += still_face_up(table, deal, view.seat)
    return [f"-# {line}" for line in lines]


def _question(table: PublicTable, view: SeatView, card: Card) -> tuple[str, Row]:
    ids = (table.id, view.deal.number)
    question = table.say("**Expose {card}?**", card=chip(card))
    effect = wording.exposed(view.rules, card, table.language)
    return table.language.sentences([question, effect]), (
        Button(table.say("Yes, expose"), Expose(*ids, card.code), Style.GOOD),
        Button(table.say("Not now"), DontExpose(*ids)),
    )
