"""What a quick player gives away where it has nothing of the suit led."""

from __future__ import annotations

from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import (
    HEARTS,
    JOKERS,
    NONE,
    code_of,
    highest,
    highest_of,
    lowest,
    nth,
    rank_of,
    share_any,
    take_out,
)


@compiled
def discard(laws: Laws, policy: Policy, position: Position, legal: Row) -> int:
    """What costs most by itself, as the queen of spades; while it is out, what would catch it; the rest.

    Where points are good, nothing else that counts is given away.
    """
    code = highest_of(legal, laws.bleeders)
    if laws.moon_is_good:
        take_out(legal, laws.deciding)
        return code if code != NONE else nth(legal, 0)
    if code == NONE and share_any(position.in_play, laws.bleeders):
        code = highest_of(legal, laws.catchers)
    return code if code != NONE else unload(laws, policy, legal)


@compiled
def unload(laws: Laws, policy: Policy, legal: Row) -> int:
    """The highest card, hearts first, and from suits that no low card guards."""
    take_out(legal, laws.prizes)
    best, most = NONE, -99.0
    for suit in range(JOKERS):
        row = legal[suit]
        if row:
            burden = float(rank_of(highest(row)))
            if suit == HEARTS:
                burden += policy.heart_first
            if row & row - 1 and rank_of(lowest(row)) <= policy.low_card:
                burden -= policy.guarded
            if burden > most:
                best, most = code_of(suit, highest(row)), burden
    return best if best != NONE else nth(legal, 0)
