"""A quick advisor, which rates options by the medium player's estimates, without a search."""

from random import Random

from engine.cards import Hand, sort_hand, without
from engine.play.deal import Phase
from engine.play.moves import Exposed
from engine.play.views import SeatView
from engine.players.advice import Advice, Option, Vigilance
from engine.players.estimate import Prospects, worths
from engine.players.medium import Turn, exposing_move, medium_move
from engine.players.memory import recall

#: The standard error of each estimate, in points.
ERROR = 0.1


async def advise(view: SeatView, playouts: int, seed: int, also: Hand, vigilance: Vigilance) -> Advice:
    """The options of this choice, as a table's advisor returns them."""
    return estimate(view, also)


def estimate(view: SeatView, also: Hand = ()) -> Advice:
    """The options of this choice, best first, including `also`."""
    memory = recall(view)
    prospects = Prospects(view.rules, memory, worths(view, memory))
    found = {
        Phase.PASSING: _passes,
        Phase.EXPOSING: _exposures,
        Phase.PLAYING: _plays,
    }[view.deal.phase](view, prospects, also)
    best_first = sorted(found, key=lambda option: -option.merit)
    return Advice(view.deal.phase, tuple(best_first), worlds=100)


def _option(view: SeatView, cards: Hand, merit: float, takes: float = 0.0) -> Option:
    expected = view.rules.winner.sign * merit
    return Option(cards, expected, ERROR, merit, margin=ERROR, takes=takes, worlds=100)


def _plays(view: SeatView, prospects: Prospects, also: Hand) -> list[Option]:
    turn, trick = Turn.of(view, prospects), view.deal.trick
    return [
        _option(
            view,
            (card,),
            turn.merit(card),
            prospects.win(card, trick.cards, trick.led_suit or card.suit, turn.after, prospects.eager),
        )
        for card in dict.fromkeys(view.legal)
    ]


def _passes(view: SeatView, prospects: Prospects, also: Hand) -> list[Option]:
    best = sort_hand(medium_move(view, Random(1)).cards)
    choices = {best, sort_hand(also) or best}
    return [_option(view, cards, prospects.outlook(without(view.hand, cards))) for cards in choices]


def _exposures(view: SeatView, prospects: Prospects, also: Hand) -> list[Option]:
    move = exposing_move(view, prospects)
    best = (move.card,) if isinstance(move, Exposed) else ()
    choices = [(), *((card,) for card in view.exposable)]
    return [_option(view, cards, 10.0 if cards == best else 0.0) for cards in choices]
