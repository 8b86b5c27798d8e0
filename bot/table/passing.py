"""The hand during the pass: tapping a card picks it or puts it back, and one button passes."""

from bot.table.hand_header import fan, head, rows
from bot.table.hints import ask, hint
from bot.vocabulary.controls import HAND, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Part, Picture, Row, Style, Whisper
from bot.words.deadlines import with_deadline
from bot.words.text import bold, chips, names, plain, symbols
from engine.play.views import SeatView
from engine.players.advice import Advice
from engine.rules.wording import TO_YOUR, direction
from engine.tables import PublicTable
from engine.tables.picks import places_in_hand

#: Seconds before a hand shows changes that aren't the answer to its own player's tap.
WATCHING = 3.0


class PickCard(DealAction, verb="pick", who=Who.HOLDER, where=HAND, private=True):
    """Pick the card at this place in the hand (from 0), to pass it."""

    place: int


class PutBackCard(DealAction, verb="unpick", who=Who.HOLDER, where=HAND, private=True):
    """Put back the card at this place in the hand (from 0)."""

    place: int


class PassCards(DealAction, verb="pass", who=Who.HOLDER, where=HAND, private=True):
    """Pass the cards with these codes."""

    cards: tuple[str, ...]


def passing(
    table: PublicTable, view: SeatView, picked: tuple[int, ...], advice: Advice | None = None
) -> Whisper:
    """The hand with a button for each card; `picked` holds the places of those picked to pass."""
    text = "\n".join([_instruction(table, view), *([hint(table, view, advice)] if advice else [])])
    cards = _cards(table, view, picked, advice)
    parts: list[Part] = [head(table, view), _fan(table, view), text, *cards]
    below: Row = (*_confirm(table, view, picked), *ask(table, view, advice))
    if advice and not picked and view.passed is None:
        below = (*below, _as_hinted(table, view, advice))
    if below:
        parts.append(below)
    colour = Colour.TURN if view.passed is None else Colour.TABLE
    is_new = view.passed is None and not picked
    return Whisper(tuple(parts), colour, patience=0.0 if is_new else WATCHING)


def _fan(table: PublicTable, view: SeatView) -> Picture:
    """The hand with the passed cards raised; raising picked ones would take a new picture each time."""
    raised = frozenset(places_in_hand(view.hand, view.passed or ()))
    return fan(view.hand, table.language, raised)


def _instruction(table: PublicTable, view: SeatView) -> str:
    receiver = bold(table, _receiver(view))
    way = direction(view.deal.offset, view.rules.players, table.language, TO_YOUR)
    if view.passed is None:
        sentence = table.say_count(
            view.rules.pass_cards,
            "Choose one card to pass to {who}, {direction}.",
            "Choose {count} cards to pass to {who}, {direction}.",
            who=receiver,
            direction=way,
        )
        return with_deadline(table, sentence)
    sentence = table.say(
        "You pass {cards} to {who}, {direction}. You may still choose others.",
        cards=chips(view.passed),
        who=receiver,
        direction=way,
    )
    choosing = [seat for seat, has_chosen in enumerate(view.deal.has_chosen) if not has_chosen]
    waiting = table.say("Still choosing: {who}.", who=names(table, choosing))
    return with_deadline(table, f"{sentence}\n-# {waiting}")


def _receiver(view: SeatView) -> int:
    return (view.seat + view.deal.offset) % view.rules.players


def _cards(table: PublicTable, view: SeatView, picked: tuple[int, ...], advice: Advice | None) -> list[Part]:
    """A button for each card; once enough are picked, the others are disabled."""
    hinted = places_in_hand(view.hand, advice.best.cards) if advice else ()
    is_full = len(picked) >= view.rules.pass_cards
    ids = (table.id, view.deal.number)
    return rows(
        (
            card,
            Button(card.symbol, PutBackCard(*ids, place), Style.GOOD, card=card)
            if place in picked
            else Button(
                card.symbol,
                PickCard(*ids, place),
                Style.MAIN if place in hinted else Style.PLAIN,
                enabled=not is_full,
                card=card,
            ),
        )
        for place, card in enumerate(view.hand)
    )


def _as_hinted(table: PublicTable, view: SeatView, advice: Advice) -> Button:
    """The button that passes the hint's cards: last in its row, so that no other button moves."""
    cards = advice.best.cards
    label = table.say("Pass {cards} as suggested", cards=symbols(cards))
    return Button(label, PassCards(table.id, view.deal.number, tuple([card.code for card in cards])))


def _confirm(table: PublicTable, view: SeatView, picked: tuple[int, ...]) -> Row:
    """The button that passes the picked cards; its id names them, so it can't pass any others."""
    cards, count = tuple([view.hand[place] for place in picked]), view.rules.pass_cards
    if cards == view.passed:
        return ()
    if len(cards) < count:
        label = table.say("Choose {count} more", count=count - len(cards))
    elif view.passed is not None:
        label = table.say("Pass these instead")
    else:
        receiver = plain(table.names[_receiver(view)], table.language)
        label = table.say("Pass {count} to {who}", count=count, who=receiver)
    action = PassCards(table.id, view.deal.number, tuple([card.code for card in cards]))
    return (Button(label, action, Style.MAIN, enabled=len(cards) == count),)
