"""Computer players: each sees a SeatView, as a person does, and answers with a move."""

from collections.abc import Callable, Mapping
from random import Random

from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players.random_player import random_move
from engine.players.sensible import sensible_move
from engine.players.strength import Strength

#: What a seat that the deal waits for does.
Player = Callable[[SeatView, Random], SeatMove]

#: By name, the weakest first.
PLAYERS: Mapping[str, Player] = {
    "random": random_move,
    Strength.MEDIUM.value: sensible_move,
}

__all__ = ["PLAYERS", "Player", "random_move", "sensible_move"]
