"""Computer players: each sees a SeatView, as a person does, and answers with a move."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players.easy import easy_move
from engine.players.manners import Manner
from engine.players.random_player import random_move
from engine.players.sensible import sensible_move
from engine.players.strength import Strength

#: What a seat that the deal waits for does.
Player = Callable[[SeatView, Random], SeatMove]


def computer(strength: Strength, manner: Manner | None = None) -> Player:
    """A player as strong as this, with this manner; it can be sent to another process."""
    match strength:
        case Strength.EASY:
            return easy_move
        case Strength.MEDIUM | Strength.STRONG:  # until there is a stronger one
            return partial(sensible_move, manner=manner)


#: By name, the weakest first.
PLAYERS: Mapping[str, Player] = {
    "random": random_move,
    **{strength.value: computer(strength) for strength in (Strength.EASY, Strength.MEDIUM)},
}

__all__ = ["PLAYERS", "Player", "computer", "easy_move", "random_move", "sensible_move"]
