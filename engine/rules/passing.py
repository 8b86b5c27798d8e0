"""Who passes to whom (K2, W5, P2)."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache


class Rotation(Enum):
    """How the direction of the pass changes from deal to deal."""

    AROUND = "around"
    CANCELLATION = "cancellation"
    NEVER = "never"


@lru_cache
def rotation(kind: Rotation, players: int) -> tuple[int, ...]:
    """For each deal of a round, how many seats to the left (negative: right) one passes; 0 holds."""
    match kind:
        case Rotation.AROUND:  # W5: everyone passes to everyone else once, then holds
            near = [step for distance in range(1, (players + 1) // 2) for step in (distance, -distance)]
            across = [players // 2] if players % 2 == 0 else []
            return (*near, *across, 0)
        case Rotation.CANCELLATION:  # P2
            return (0, 1, 2, -2, -1)
        case Rotation.NEVER:
            return (0,)


def pass_offset(kind: Rotation, players: int, cards: int, deal: int) -> int:
    """How many seats to the left cards go in this deal (from 1); 0 when none are passed."""
    if not cards:
        return 0
    steps = rotation(kind, players)
    return steps[(deal - 1) % len(steps)]
