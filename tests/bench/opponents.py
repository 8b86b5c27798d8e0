"""Opponents with habits of their own, for the tournament: `--second tests.bench.opponents:blind`."""

from random import Random

from engine.play.deal import Phase
from engine.play.moves import Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.manners import Manner
from engine.players.medium import medium_move


def shooter(view: SeatView, rng: Random) -> SeatMove:
    """Tries to shoot the moon with hands that most people wouldn't."""
    return medium_move(view, rng, Manner.SHOOTS_MOONS)


def blind(view: SeatView, rng: Random) -> SeatMove:
    """Passes its first cards, and always plays the first card that it may."""
    if view.deal.phase is Phase.PLAYING:
        return Played(view.seat, view.legal[0])
    if view.deal.phase is Phase.PASSING:
        return Passed(view.seat, view.hand[: view.rules.pass_cards])
    return medium_move(view, rng)
