"""Queens of spades: who took them, and who gave them to others."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import QUEEN_OF_SPADES, Hand
from engine.play.deal import DoneTrick


def taken(pile: Hand) -> int:
    """How many queens of spades lie in what somebody has taken."""
    return pile.count(QUEEN_OF_SPADES)


def given(tricks: Sequence[DoneTrick], seat: int) -> int:
    """How many queens of spades this seat played that somebody else took; passing her gives her to nobody."""
    count = laid = 0
    for done in tricks:
        cards = done.trick.cards
        if QUEEN_OF_SPADES in cards:
            laid += (seat, QUEEN_OF_SPADES) in done.trick.laid(len(cards))
        if done.winner is not None:  # who takes a trick takes those on hold too (W21, P7)
            count += laid if done.winner != seat else 0
            laid = 0
    return count
