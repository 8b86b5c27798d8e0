"""What the piles come to at the end of a deal, as `engine.rules.counting` has it."""

from __future__ import annotations

from engine.kernel.compiled import compiled
from engine.kernel.position import Position
from engine.kernel.rows import NONE, has_all, share_any
from engine.kernel.tables import Tables


@compiled
def is_open(tables: Tables, position: Position) -> bool:
    """Whether somebody's points may still hang on cards that nobody has taken."""
    deciding = tables.deciding
    for suit in range(5):
        if (position.in_play[suit] | position.on_hold[suit]) & deciding[suit]:
            return True
    return tables.kitty_before[position.tricks_done] < tables.kitty_before[tables.hand_size]


@compiled
def count_up(tables: Tables, position: Position) -> None:
    """Turn what the piles count by themselves into the deal's points.

    Who has shot the moon and may choose is taken to add to the others (K7, W23, P9): as far as one player's
    points and the others' mean lie apart, both choices come to the same.
    """
    shooter = _shooter(tables, position)
    if shooter != NONE and not tables.moon_turns:
        _share_out_moon(tables, position, shooter)
    elif shooter != NONE:
        position.points[shooter] -= 2 * tables.moon_value  # C8
    if tables.times:
        for seat in range(tables.players):
            if share_any(position.piles[seat], tables.multiplier):
                _multiply(tables, position, seat)
    if shooter != NONE and tables.sun_points and has_all(position.piles[shooter], tables.sun):
        position.points[shooter] = tables.sun_points  # C9


@compiled
def _shooter(tables: Tables, position: Position) -> int:
    """Who took all the moon's cards; NONE if nobody did."""
    if tables.moon_is_possible:
        for seat in range(tables.players):
            if has_all(position.piles[seat], tables.moon):
                return seat
    return NONE


@compiled
def _share_out_moon(tables: Tables, position: Position, shooter: int) -> None:
    """K7, W13, W23, P9: other cards count besides."""
    for seat in range(tables.players):
        position.points[seat] += tables.moon_others
    position.points[shooter] += tables.moon_own - tables.moon_others - tables.moon_value


@compiled
def _multiply(tables: Tables, position: Position, seat: int) -> None:
    """C9."""
    if share_any(position.piles[seat], tables.company):
        position.points[seat] *= tables.times
    else:
        position.points[seat] += tables.alone
