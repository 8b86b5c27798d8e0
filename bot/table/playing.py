"""The hand from which cards are played."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.exposing import lying_open
from bot.table.hand_header import fan, head, heading, rows, slots
from bot.table.hints import ask, hint
from bot.table.tricks import on_hold
from bot.vocabulary.controls import HAND, DealAction, Who
from bot.vocabulary.messages import Button, Colour, Part, Style, Whisper
from bot.words.buttons import beside
from bot.words.deadlines import with_deadline
from bot.words.text import bold, chip, chips, player, struck
from engine.cards import Card, sort_hand
from engine.languages import N_
from engine.play.views import SeatView
from engine.players.advice import Advice
from engine.sentences import sentence as refusal
from engine.tables import PublicTable

#: Seconds for which a hand whose card plays itself is not painted for that, nor for its being empty then.
PASSING_BY = 2.0


class Play(DealAction, verb="play", who=Who.HOLDER, where=HAND, private=True):
    """Play a card to the trick after this number of tricks; it is named by its slot, such as `QS.0`."""

    trick: int
    slot: str


class ConfirmPlay(Play, verb="confirm", who=Who.HOLDER, where=HAND, private=True):
    """Play the card that was tapped before, where its player taps each card twice."""


def playing(
    table: PublicTable,
    view: SeatView,
    advice: Advice | None = None,
    asking: Card | None = None,
    *,
    plays_itself: bool = False,
    beside_table: bool = False,
) -> Whisper:
    """The trick as it lies when it is this player's turn, a hint that was given, a button for each card.

    Above it, a hand `beside_table` has a picture that shows the trick, the points, and the cards that can be
    played as enabled buttons below. The card `asking` is raised: a second tap plays it.
    """
    deal = view.deal
    mine, own = deal.turn == view.seat, view.played
    changed = [] if own and beside_table else _changed_hands(table, view, is_news=not own)
    top = heading(table, deal.number, beside_table=True) if beside_table else head(table, view)
    above = [top, *changed, *lying_open(table, view)]
    parts: list[Part] = ["\n".join(above)]
    if mine:
        turn = (
            _playing_itself(table, view)
            if plays_itself
            else _your_turn(table, view, asking, lies_above=beside_table)
        )
        told = [hint(table, view, advice)] if advice else []
        parts.append("\n".join([turn, *([on_hold(deal, table.language)] if deal.on_hold else []), *told]))
    elif view.hand or deal.face_up[view.seat]:
        parts.append(f"-# {table.say('Not your turn yet.')}")
    else:
        parts.append("-# " + table.say("You've played all your cards."))
    # The opening lead belongs to a hand that has to be shown anyway, as it is the first.
    is_passing_by = bool(own) and (plays_itself or not view.hand)
    patience = PASSING_BY if is_passing_by else 0.0
    held = sort_hand(view.hand + deal.face_up[view.seat])
    if held and not beside_table:
        up = (asking,) if asking else view.legal
        raised = frozenset([place for place, card in enumerate(held) if card in up])
        parts.append(fan(held, table.language, raised, beside_buttons=True))
    parts += _cards(table, view, own, advice, asking)
    if held and not plays_itself:
        parts = [*beside(parts, ask(table, view, advice))]
    return Whisper(tuple(parts), Colour.TURN if mine else Colour.TABLE, patience)


def _changed_hands(table: PublicTable, view: SeatView, *, is_news: bool) -> list[str]:
    """The cards that were passed and received before play: news at first, small print later."""
    lines = []
    if view.received and view.passed:
        giver = bold(table, (view.seat - view.deal.offset) % view.rules.players)
        lines.append(
            table.say(
                "You passed {passed} and received {received} from {who}.",
                passed=chips(view.passed),
                received=chips(view.received),
                who=giver,
            )
        )
    if view.kitty:
        lines.append(table.say("From the kitty you took {cards}.", cards=chips(view.kitty)))
    return lines if is_news else [f"-# {line}" for line in lines]


def _your_turn(table: PublicTable, view: SeatView, asking: Card | None, *, lies_above: bool) -> str:
    """What to do and why some cards can't be played, the deadline, and the trick so far.

    A question takes the place of the first line, so that no button moves under the finger.
    """
    deal, language = view.deal, table.language
    words = {"card": view.legal[0]}
    why = [refusal(id, words, language) for id in _surprising(view)]
    asked = language.sentences([_asked(table, view), *why])
    if asking:
        asked = table.say("**Your turn**: tap {card} again to play it.", card=chip(asking))
    told = with_deadline(table, asked)
    if not deal.trick.cards or lies_above:
        return told
    cards = [
        f"{struck(card) if card in deal.cancelled else chip(card)} "
        + player(table, seat, stressed=index == deal.winning)
        for index, (seat, card) in enumerate(deal.trick.laid(view.rules.players))
    ]
    return f"{told}\n{' · '.join(cards)}"


def _asked(table: PublicTable, view: SeatView) -> str:
    """Whether to lead, to follow suit, or to play anything."""
    trick, led = view.deal.trick, view.deal.trick.led_suit
    if not trick.cards:
        return table.say("**Your turn**: you lead.")
    suits = {card.suit for card in view.legal}
    if led is None:  # W4: only jokers lie there
        return table.say("**Your turn**: only jokers so far, so play any suit.")
    if led not in suits:
        no_suit = N_("**Your turn**: you have no {suit}, so play any card.")
        told = N_("**Your turn**: you have no {suit}.") if view.reasons else no_suit
        return table.say(told, suit=led.sign)
    if None in suits:
        return table.say("**Your turn**: follow {suit} or play a joker.", suit=led.sign)
    return table.say("**Your turn**: follow {suit}.", suit=led.sign)


def _surprising(view: SeatView) -> Sequence[str]:
    """The reasons to name why some cards can't be played, as ids of refusals."""
    if view.reasons or view.deal.trick.cards or len(view.legal) == len(view.hand):
        return [id for id in view.reasons if id != "follow_suit"]
    return ["opening_lead"]


def _playing_itself(table: PublicTable, view: SeatView) -> str:
    card = chip(view.legal[0])
    if view.deal.trick.cards:
        return table.say("**You have no choice:** {card}, which plays itself in a second.", card=card)
    return table.say("**You lead with** {card}, which plays itself in a second.", card=card)


def _cards(
    table: PublicTable, view: SeatView, own: int, advice: Advice | None, asking: Card | None
) -> list[Part]:
    """A button for each card: legal cards are enabled; what a hint names or is asked about stands out."""
    named = advice.best.cards if advice else ()
    exposed = view.deal.face_up[view.seat]
    # Named for the trick that this player plays to next: until then the buttons need no repainting.
    here = (table.id, view.deal.number, own)
    return rows(
        [
            (
                card,
                Button(
                    table.say("{card} (exposed)", card=card.symbol) if card in exposed else card.symbol,
                    ConfirmPlay(*here, slot) if card is asking else Play(*here, slot),
                    Style.GOOD if card is asking else Style.MAIN if card in named else Style.PLAIN,
                    enabled=card in view.legal,
                    card=card,
                ),
            )
            for card, slot in slots(view.hand + exposed)
        ]
    )
