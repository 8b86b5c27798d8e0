"""What the piles come to at the end of a deal, as `engine.rules.counting` has it."""

from __future__ import annotations

from engine.kernel.compiled import compiled
from engine.kernel.laws import Laws
from engine.kernel.position import Position
from engine.kernel.rows import NONE, has_all, share_any


@compiled
def is_open(laws: Laws, position: Position) -> bool:
    """Whether somebody's points may still hang on cards that nobody has taken."""
    deciding = laws.deciding
    for suit in range(5):
        if (position.in_play[suit] | position.on_hold[suit]) & deciding[suit]:
            return True
    return laws.kitty_before[position.tricks_done] < laws.kitty_before[laws.hand_size]


@compiled
def count_up(laws: Laws, position: Position) -> None:
    """Turn what the piles count by themselves into the deal's points.

    Who has shot the moon and may choose is taken to add to the others (K7, W23, P9): as far as one player's
    points and the others' mean lie apart, both choices come to the same.
    """
    shooter = _shooter(laws, position)
    if shooter != NONE and not laws.moon_turns:
        _share_out_moon(laws, position, shooter)
    elif shooter != NONE:
        position.points[shooter] -= 2 * laws.moon_value  # C8
    if laws.times:
        for seat in range(laws.players):
            if share_any(position.piles[seat], laws.multiplier):
                _multiply(laws, position, seat)
    if shooter != NONE and laws.sun_points and has_all(position.piles[shooter], laws.sun):
        position.points[shooter] = laws.sun_points  # C9


@compiled
def _shooter(laws: Laws, position: Position) -> int:
    """Who took all the moon's cards; NONE if nobody did."""
    if laws.moon_is_possible:
        for seat in range(laws.players):
            if has_all(position.piles[seat], laws.moon):
                return seat
    return NONE


@compiled
def _share_out_moon(laws: Laws, position: Position, shooter: int) -> None:
    """K7, W13, W23, P9: other cards count besides."""
    for seat in range(laws.players):
        position.points[seat] += laws.moon_others
    position.points[shooter] += laws.moon_own - laws.moon_others - laws.moon_value


@compiled
def _multiply(laws: Laws, position: Position, seat: int) -> None:
    """C9."""
    if share_any(position.piles[seat], laws.company):
        position.points[seat] *= laws.times
    else:
        position.points[seat] += laws.alone
