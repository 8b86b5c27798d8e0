"""A player that counts cards and weighs its choices by what they will bring under the table's rules."""

from __future__ import annotations

from random import Random

from engine.play.deal import Phase
from engine.play.moves import MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.exposing import exposing_move
from engine.players.memory import recall
from engine.players.moon import choose
from engine.players.prospects import Prospects
from engine.players.turn import Turn
from engine.players.worth import worths


def sensible_move(view: SeatView, rng: Random) -> SeatMove:
    """The best move by this player's own estimate; among equals, chance decides."""
    if view.deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(view.seat, choose(view))
    if view.deal.phase is Phase.PLAYING and len(set(view.legal)) == 1:
        return Played(view.seat, view.legal[0])
    memory = recall(view)
    prospects = Prospects(view.rules, memory, worths(view, memory))
    match view.deal.phase:
        case Phase.PASSING:
            return _pass(view, prospects, rng)
        case Phase.EXPOSING:
            return exposing_move(view, prospects)
        case Phase.PLAYING:
            return _play(view, prospects, rng)
        case _:
            raise ValueError("the deal is done")


def _play(view: SeatView, prospects: Prospects, rng: Random) -> Played:
    turn = Turn.of(view, prospects)
    faces = list(dict.fromkeys(view.legal))
    rng.shuffle(faces)
    return Played(view.seat, max(faces, key=turn.merit))


def _pass(view: SeatView, prospects: Prospects, rng: Random) -> Passed:
    """One card after the other, each time the one without which the hand looks best."""
    hand = list(view.hand)
    rng.shuffle(hand)
    chosen = []
    for _ in range(view.rules.pass_cards):
        looks = [prospects.outlook((*hand[:index], *hand[index + 1 :])) for index in range(len(hand))]
        chosen.append(hand.pop(looks.index(max(looks))))
    return Passed(view.seat, tuple(chosen))
