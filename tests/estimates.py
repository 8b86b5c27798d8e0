"""A quick advisor, which rates options as the medium player does, without a search."""

from random import Random

from engine.cards import Card, Hand, sort_hand
from engine.numbers.appeal import SCALE
from engine.play.deal import Phase
from engine.play.moves import Exposed
from engine.play.views import SeatView
from engine.players.advice import Advice, Option, Skills
from engine.players.medium import medium_move
from engine.players.sight import appeals

#: The standard error of each estimate, in points.
ERROR = 0.1


async def advise(view: SeatView, playouts: int, seed: int, also: Hand, skills: Skills) -> Advice:
    """The options of this choice, as a table's advisor returns them."""
    return estimate(view, also)


def estimate(view: SeatView, also: Hand = ()) -> Advice:
    """The options of this choice, best first, including `also`."""
    if view.deal.phase is Phase.PLAYING:
        found = [
            _option(view, (card,), appeal / SCALE, float(_wins(view, card)))
            for card, appeal in appeals(view).items()
        ]
    else:
        move = medium_move(view, Random(1))
        if view.deal.phase is Phase.PASSING:
            best = sort_hand(move.cards)
            choices = {best, sort_hand(also) or best}
        else:
            best = (move.card,) if isinstance(move, Exposed) else ()
            choices = [(), *((card,) for card in view.exposable)]
        found = [_option(view, cards, 10.0 if cards == best else 0.0) for cards in choices]
    best_first = sorted(found, key=lambda option: -option.merit)
    return Advice(view.deal.phase, tuple(best_first), worlds=100)


def _option(view: SeatView, cards: Hand, merit: float, takes: float = 0.0) -> Option:
    expected = view.rules.winner.sign * merit
    return Option(cards, expected, ERROR, merit, margin=ERROR, takes=takes, worlds=100)


def _wins(view: SeatView, card: Card) -> bool:
    trick, winning = view.deal.trick, view.deal.winning
    if winning is None:
        return trick.led_suit in (None, card.suit)
    best = trick.cards[winning]
    return card.suit is best.suit and card.rank > best.rank
