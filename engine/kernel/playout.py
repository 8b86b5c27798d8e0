"""A deal played out to its points."""

from __future__ import annotations

import numpy as np

from engine.kernel.chance import below
from engine.kernel.choosing import choose
from engine.kernel.compiled import Row, compiled
from engine.kernel.counting import count_up, is_open
from engine.kernel.laws import Laws
from engine.kernel.plays import legal
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import NONE, share_any, shared
from engine.kernel.tricks import lay


@compiled
def play_out(laws: Laws, policy: Policy, position: Position, aim: int, random_state: Row) -> None:
    """Play the position to the end of its deal, or until no points are left; `points` are the deal's then.

    `aim` is a seat that tries to shoot the moon until somebody else has a card of it; NONE for nobody.
    """
    play_on(laws, policy, position, aim, random_state, laws.hand_size)
    count_up(laws, position)


@compiled
def play_on(laws: Laws, policy: Policy, position: Position, aim: int, random_state: Row, tricks: int) -> None:
    """Play until so many tricks of the deal are done, or no points are left."""
    alarm = policy.alarms[below(random_state, 3)]
    rows = np.empty(5, np.int64)
    while position.tricks_done < tricks and not is_over(laws, position):
        aim, feared = look_round(laws, position, aim, alarm)
        trick = position.tricks_done
        while position.tricks_done == trick:
            legal(laws, position, rows)
            lay(laws, position, choose(laws, policy, position, rows, aim, feared, random_state))


@compiled
def is_over(laws: Laws, position: Position) -> bool:
    """Whether no cards are left, or between two tricks no points."""
    if position.tricks_done == laws.hand_size:
        return True
    return position.laid == 0 and not is_open(laws, position)


@compiled
def look_round(laws: Laws, position: Position, aim: int, alarm: int) -> tuple[int, int]:
    """Who still tries to shoot the moon, and who has alone so many of its cards that the others fear it."""
    holder = NONE
    for seat in range(laws.players):
        if share_any(position.piles[seat], laws.moon):
            if holder != NONE:
                return NONE, NONE
            holder = seat
    if holder == NONE:
        return aim, NONE
    return (aim if holder == aim else NONE), (
        holder if shared(position.piles[holder], laws.moon) >= alarm else NONE
    )
