"""A player who chooses evenly among all that the rules allow."""

from __future__ import annotations

from random import Random

from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.rules.options import MoonChoice

_CHOICES = tuple(MoonChoice)


def random_move(view: SeatView, rng: Random) -> SeatMove:
    """Any legal move of a seat that the deal waits for."""
    match view.deal.phase:
        case Phase.PLAYING:
            return Played(view.seat, rng.choice(view.legal))
        case Phase.PASSING:
            return Passed(view.seat, tuple(rng.sample(view.hand, view.rules.pass_cards)))
        case Phase.EXPOSING:
            card = rng.choice((None, *view.exposable))
            return Exposed(view.seat, card) if card else Declined(view.seat)
        case Phase.CHOOSING_MOON:
            return MoonChosen(view.seat, rng.choice(_CHOICES))
        case Phase.DONE:
            raise ValueError("the deal is done")
