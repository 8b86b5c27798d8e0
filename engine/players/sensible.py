"""A player that counts cards and weighs its choices by what they will bring under the table's rules."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.cards import Card, without
from engine.play.deal import Phase
from engine.play.moves import MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.exposing import exposing_move
from engine.players.manners import Manner
from engine.players.memory import Memory, recall
from engine.players.moon import moon_choice
from engine.players.prospects import Prospects
from engine.players.turn import Turn
from engine.players.worth import Worth, worths

#: Cards are about equally good whose merits differ by no more than this share of all that counts in a deal.
ABOUT = 0.02


def sensible_move(
    view: SeatView,
    rng: Random,
    manner: Manner | None = None,
    weigh: Callable[[SeatView, Memory], Worth] = worths,
) -> SeatMove:
    """The best move by its own estimate of what cards are worth; manner or chance decides among equals."""
    if view.deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(view.seat, moon_choice(view))
    if view.deal.phase is Phase.PLAYING and len(set(view.legal)) == 1:
        return Played(view.seat, view.legal[0])
    memory = recall(view)
    prospects = Prospects(view.rules, memory, weigh(view, memory))
    match view.deal.phase:
        case Phase.PASSING:
            return _pass(view, prospects, rng, manner)
        case Phase.EXPOSING:
            return exposing_move(view, prospects)
        case Phase.PLAYING:
            return _play(view, prospects, rng, manner)
        case _:
            raise ValueError("the deal is done")


def _play(view: SeatView, prospects: Prospects, rng: Random, manner: Manner | None) -> Played:
    turn = Turn.of(view, prospects)
    faces = list(dict.fromkeys(view.legal))
    rng.shuffle(faces)
    return Played(view.seat, _choose(view, {card: turn.merit(card) for card in faces}, manner))


def _choose(view: SeatView, merits: dict[Card, float], manner: Manner | None) -> Card:
    """The best of these cards; one that the manner likes may be worse by a little."""
    if manner is None:
        return max(merits, key=lambda card: merits[card])
    counts = view.rules.at_stake
    return max(merits, key=lambda card: merits[card] + ABOUT * counts * manner.likes(view, card))


def _pass(view: SeatView, prospects: Prospects, rng: Random, manner: Manner | None) -> Passed:
    """One card after the other, each time the one without which the hand looks best."""
    hand = list(view.hand)
    rng.shuffle(hand)
    chosen: list[Card] = []
    for _ in range(view.rules.pass_cards):
        looks = {card: prospects.outlook(without(tuple(hand), (card,))) for card in hand}
        chosen.append(_choose(view, looks, manner))
        hand.remove(chosen[-1])
    return Passed(view.seat, tuple(chosen))
