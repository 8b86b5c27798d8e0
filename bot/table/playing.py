"""The hand from which cards are played."""

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

#: Seconds before a hand is repainted for a card that plays itself, or because it's empty then.
PASSING_BY = 2.0


class Play(DealAction, verb="play", who=Who.HOLDER, where=HAND, private=True):
    """Play a card to the trick after this number of tricks; it is named by its slot, such as `QS.0`."""

    trick: int
    slot: str


class ConfirmPlay(Play, verb="confirm", who=Who.HOLDER, where=HAND, private=True):
    """Play the card that the first tap raised, for players who tap each card twice."""


def playing(
    table: PublicTable,
    view: SeatView,
    advice: Advice | None = None,
    asking: Card | None = None,
    *,
    plays_itself: bool = False,
    beside_table: bool = False,
) -> Whisper:
    """The playing hand: on this player's turn the trick so far and any hint, and a button for each card.

    With `beside_table`, a picture of the table right above shows the trick and the points, and no fan is
    needed: the enabled buttons show what can be played. The card `asking` is raised: a second tap plays it.
    """
    deal = view.deal
    is_turn, own = deal.turn == view.seat, view.played
    changed = [] if own and beside_table else _changed_hands(table, view, is_news=not own)
    top = heading(table, deal.number, beside_table=True) if beside_table else head(table, view)
    above = [top, *changed, *lying_open(table, view)]
    parts: list[Part] = ["\n".join(above)]
    if is_turn:
        turn = (
            _playing_itself(table, view)
            if plays_itself
            else _your_turn(table, view, asking, lies_above=beside_table)
        )
        hints = [hint(table, view, advice)] if advice else []
        parts.append("\n".join([turn, *([on_hold(deal, table.language)] if deal.on_hold else []), *hints]))
    elif view.hand or deal.face_up[view.seat]:
        parts.append(f"-# {table.say('Not your turn yet.')}")
    else:
        parts.append("-# " + table.say("You've played all your cards."))
    # The opening lead doesn't count: the hand it belongs to is new, so it has to be shown anyway.
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
    return Whisper(tuple(parts), Colour.TURN if is_turn else Colour.TABLE, patience)


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

    The question about the card `asking` replaces the first line, so that no button moves under the finger.
    """
    deal, language = view.deal, table.language
    words = {"card": view.legal[0]}
    why = [refusal(id, words, language) for id in _surprising(view)]
    instruction = language.sentences([_instruction(table, view), *why])
    if asking:
        instruction = table.say("**Your turn**: tap {card} again to play it.", card=chip(asking))
    text = with_deadline(table, instruction)
    if not deal.trick.cards or lies_above:
        return text
    cards = [
        f"{struck(card) if card in deal.cancelled else chip(card)} "
        + player(table, seat, stressed=index == deal.winning)
        for index, (seat, card) in enumerate(deal.trick.laid(view.rules.players))
    ]
    return f"{text}\n{' · '.join(cards)}"


def _instruction(table: PublicTable, view: SeatView) -> str:
    """Whether to lead, to follow suit, or to play anything."""
    trick, led = view.deal.trick, view.deal.trick.led_suit
    if not trick.cards:
        return table.say("**Your turn**: you lead.")
    suits = {card.suit for card in view.legal}
    if led is None:  # W4: only jokers lie there
        return table.say("**Your turn**: only jokers so far, so play any suit.")
    if led not in suits:
        no_suit = N_("**Your turn**: you have no {suit}, so play any card.")
        words = N_("**Your turn**: you have no {suit}.") if view.reasons else no_suit
        return table.say(words, suit=led.sign)
    if None in suits:
        return table.say("**Your turn**: follow {suit} or play a joker.", suit=led.sign)
    return table.say("**Your turn**: follow {suit}.", suit=led.sign)


def _surprising(view: SeatView) -> Sequence[str]:
    """The ids of the refusals that explain why some cards can't be played, if that isn't obvious."""
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
    """A button for each card: legal cards are enabled; those of a hint and the raised one stand out."""
    hinted = advice.best.cards if advice else ()
    exposed = view.deal.face_up[view.seat]
    # The ids name the trick that this player plays to next, so the buttons needn't be repainted before it.
    ids = (table.id, view.deal.number, own)
    return rows(
        [
            (
                card,
                Button(
                    table.say("{card} (exposed)", card=card.symbol) if card in exposed else card.symbol,
                    ConfirmPlay(*ids, slot) if card is asking else Play(*ids, slot),
                    Style.GOOD if card is asking else Style.MAIN if card in hinted else Style.PLAIN,
                    enabled=card in view.legal,
                    card=card,
                ),
            )
            for card, slot in slots(view.hand + exposed)
        ]
    )
