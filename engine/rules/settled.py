"""Whether anybody's points still hang on the cards that are left in a deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.cards import Card, Hand
from engine.rules.counting import Counting


def is_settled(counting: Counting, piles: Sequence[Hand], left: Iterable[Card], exposed: Hand = ()) -> bool:
    """Whether everybody's points stay the same, whoever takes the cards that are left."""
    deciding = tuple([card for card in left if card in counting.deciding])
    if not deciding:
        return True
    if any(counting.values.get(card) or _multiplies(counting, card) for card in deciding):
        return False
    # Worth nothing, all of them may complete a moon, or any keep a multiplier company (C8, C9).
    outcomes = {
        counting.points([pile + deciding * (seat == taker) for seat, pile in enumerate(piles)], exposed)
        for taker in range(len(piles))
    }
    return len(outcomes) == 1


def _multiplies(counting: Counting, card: Card) -> bool:
    return counting.multiplier is not None and card is counting.multiplier.card
