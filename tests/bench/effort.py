"""The strong player with other numbers of playouts, to see where more of them pay.

    python -m tests.bench.tournament classic 4 --first strong+passes --second strong --deals 400

The names after the `+` are those of SCHEDULES, or a number of playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from engine.play.deal import Phase
from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players import Player
from engine.players.advice import FULL, Skills
from engine.players.strong import strong_move

#: The tricks that count as the first ones, and the cards in hand in the last ones.
FIRST, LAST = 4, 5


def _while_playing(when: Callable[[SeatView], bool]) -> Callable[[SeatView], float]:
    return lambda view: 4 if view.deal.phase is Phase.PLAYING and when(view) else 1


#: By name, how many times the usual number of playouts a choice gets.
SCHEDULES: Mapping[str, Callable[[SeatView], float]] = {
    "quarter": lambda view: 0.25,
    "fourfold": lambda view: 4,
    "passes": lambda view: 4 if view.deal.phase is Phase.PASSING else 1,
    "early": _while_playing(lambda view: len(view.deal.tricks) < FIRST),
    "late": _while_playing(lambda view: len(view.hand) <= LAST),
}


def with_schedule(name: str, skills: Skills | None) -> Player:
    """The strong player with the playouts of this schedule."""
    if name.isdigit():
        return partial(strong_move, effort=int(name), skills=skills)
    times = SCHEDULES[name]

    def move(view: SeatView, rng: Random) -> SeatMove:
        return strong_move(view, rng, effort=int(times(view) * FULL), skills=skills)

    return move
