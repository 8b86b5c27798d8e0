"""Who passes to whom (K2, W5, P2)."""

from __future__ import annotations

from functools import lru_cache

from engine.rules.ruleset import Ruleset


def rotation(rules: Ruleset) -> tuple[int, ...]:
    """For each deal of a round, how many seats to the left (negative: right) one passes; 0 holds."""
    return rules.preset.rotation or _around(rules.players)


@lru_cache
def _around(players: int) -> tuple[int, ...]:
    """W5: everyone passes to everyone else once, then holds."""
    near = [step for distance in range(1, (players + 1) // 2) for step in (distance, -distance)]
    across = [players // 2] if players % 2 == 0 else []
    return (*near, *across, 0)


def pass_offset(rules: Ruleset, deal: int) -> int:
    """How many seats to the left cards go in this deal (from 1); 0 when none are passed."""
    if not rules.pass_cards:
        return 0
    steps = rotation(rules)
    return steps[(deal - 1) % len(steps)]
