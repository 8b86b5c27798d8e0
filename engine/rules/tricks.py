"""Who takes a trick, and which of the kitty's cards go with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.cards import Card, Hand, Suit
from engine.rules.options import Duplicates, Kitty
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of a trick in order, its leader's first."""

    leader: int
    cards: Hand = ()

    @property
    def led_suit(self) -> Suit | None:
        """The suit to follow: that of the first card that is no valueless joker (W4)."""
        for card in self.cards:
            if card.suit:
                return card.suit
        return None

    def laid(self, players: int) -> list[tuple[int, Card]]:
        """The cards in order, each with the seat that laid it."""
        return list(zip(_in_turn(self.leader, players), self.cards, strict=False))

    def seat(self, index: int, players: int) -> int:
        """Who plays, or played, the card at this index."""
        return (self.leader + index) % players


@cache
def _in_turn(leader: int, players: int) -> tuple[int, ...]:
    """All seats, clockwise from this one."""
    return (*range(leader, players), *range(leader))


def cancelled(rules: Ruleset, cards: Hand) -> frozenset[Card]:
    """The cards of which both copies lie in the trick and drop out (W20, P6)."""
    if rules.duplicates is not Duplicates.CANCEL:
        return frozenset()
    return frozenset(card for card in cards if cards.count(card) == 2)


def winning_index(rules: Ruleset, trick: Trick, *, last: bool = False) -> int | None:
    """The index of the card that wins as the trick lies; None while all of the suit led is cancelled.

    In the last trick of a deal there is always one (W21, P8).
    """
    led = trick.led_suit
    if led is None:  # nothing lies there but valueless jokers (W4)
        return None
    twins = cancelled(rules, trick.cards)
    best: int | None = None
    for index, card in enumerate(trick.cards):
        if card.suit is not led or card in twins:
            continue
        if best is None or card.rank > trick.cards[best].rank:  # W20: the first copy ranks higher
            best = index
    if best is None and last:  # P8: the second copy of the highest card
        highest = max((card for card in twins if card.suit is led), key=lambda card: card.rank)
        best = len(trick.cards) - 1 - trick.cards[::-1].index(highest)
    return best


def kitty_share(rules: Ruleset, left: Hand, *, first: bool, last: bool) -> Hand:
    """The cards lying in the kitty that go with this trick (W3)."""
    match rules.kitty:
        case Kitty.FIRST_TRICK:
            return left if first else ()
        case Kitty.ONE_PER_TRICK:
            return left[:1]
        case Kitty.FIRST_AND_LAST:
            return left if last else left[:1] if first else ()
        case None:
            return ()
