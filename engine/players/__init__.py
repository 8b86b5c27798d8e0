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
from engine.players.worth import worths

#: What a seat that the deal waits for does.
Player = Callable[[SeatView, Random], SeatMove]
#: What gives the player of a strength and a manner.
Computer = Callable[[Strength, Manner | None], Player]


def computer(strength: Strength, manner: Manner | None = None) -> Player:
    """A player as strong as this, with this manner; it can be sent to another process."""
    match strength:
        case Strength.EASY:
            return easy_move
        case Strength.MEDIUM:
            weigh = partial(worths, daring=manner.daring) if manner else worths
            return partial(sensible_move, manner=manner, weigh=weigh)
        case Strength.STRONG:
            return partial(_strong_move, manner=manner)


def _strong_move(view: SeatView, rng: Random, manner: Manner | None) -> SeatMove:
    # Here, as it brings a compiler along, and the bot's own process has to do without.
    from engine.players.strong import strong_move

    return strong_move(view, rng, prefer=manner and manner.prefer)


#: By name, the weakest first.
PLAYERS: Mapping[str, Player] = {
    "random": random_move,
    **{strength.value: computer(strength) for strength in Strength},
}

__all__ = ["PLAYERS", "Computer", "Player", "computer", "easy_move", "random_move", "sensible_move"]
