"""A regular, who has learned by playing: it plays the card that appeals most (`engine.numbers.appeal`)."""

from random import Random

from engine.cards import Card, Hand
from engine.numbers.appeal import (
    PARTS,
    SCALE,
    appeal_of,
    look_to_expose,
    losers_in_hand,
)
from engine.numbers.rows import bit_of, face, first_code, suit_of
from engine.numbers.weights import weights_of
from engine.numbers.worths import rows_with, values_of
from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.manners import Manner
from engine.players.moon import moon_choice
from engine.players.sight import Copies, appeals, appeals_to_pass

#: How much more a card appeals if its player's manner likes it.
TASTE = 3 * SCALE


def medium_move(view: SeatView, rng: Random, manner: Manner | None = None) -> SeatMove:
    """The move that appeals most, taking the manner's taste into account; `rng` isn't used."""
    match view.deal.phase:
        case Phase.PASSING:
            return Passed(view.seat, _pass(view, manner))
        case Phase.EXPOSING:
            return _expose(view)
        case Phase.PLAYING:
            return Played(view.seat, _play(view, manner))
        case Phase.CHOOSING_MOON:
            return MoonChosen(view.seat, moon_choice(view))
        case Phase.DONE:
            raise ValueError("the deal is over")


def _play(view: SeatView, manner: Manner | None) -> Card:
    if len(set(view.legal)) == 1:
        return view.legal[0]
    by_card = appeals(view, manner.daring if manner else 0)
    return max(by_card, key=lambda card: by_card[card] + _taste(view, card, manner))


def _pass(view: SeatView, manner: Manner | None) -> Hand:
    """The cards to pass, chosen one by one: each time the one that the player most wants to be rid of."""
    rest, chosen = list(rows_with(Copies().take(view.hand))), list[Card]()
    for remaining in range(view.rules.pass_cards, 0, -1):
        by_code = appeals_to_pass(view, rest, remaining)
        liked = {code: by_code[code] + _taste(view, face(code), manner) for code in by_code}
        code = max(liked, key=lambda code: liked[code])
        rest[suit_of(code)] &= ~bit_of(code)
        chosen.append(face(code))
    return tuple(chosen)


def _expose(view: SeatView) -> Exposed | Declined:
    """Expose the card that gains most by it, if any gains."""
    laws, weights, seen = values_of(view.rules), weights_of(view.rules), [0] * (2 * PARTS)
    hand = rows_with(map(first_code, (*view.hand, *view.deal.face_up[view.seat])))
    losers, gains = losers_in_hand(laws, hand), dict[Card, int]()
    for card in view.exposable:
        look_to_expose(laws, hand, losers, first_code(card), seen)
        gains[card] = appeal_of(weights, seen, 1)
    best = max(gains, key=lambda card: gains[card])
    return Exposed(view.seat, best) if gains[best] > 0 else Declined(view.seat)


def _taste(view: SeatView, card: Card, manner: Manner | None) -> float:
    return TASTE * manner.likes(view, card) if manner else 0.0
