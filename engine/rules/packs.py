"""The cards in play, by game and number of players (K1, W1, W2, W16, P1, C1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.cards import DECK, Card, Hand, cards, sort_hand, without


@dataclass(frozen=True)
class Pack:
    """A shuffled pack's cards in order of suit; the kitty is what does not divide."""

    players: int
    decks: int = 1
    removed: str = ""
    jokers: Hand = ()

    @cached_property
    def cards(self) -> Hand:
        """Every card of the pack, two copies twice."""
        return sort_hand((*without(DECK * self.decks, cards(self.removed)), *self.jokers))

    @cached_property
    def hand_size(self) -> int:
        """The number of cards each player is dealt."""
        return len(self.cards) // self.players

    @cached_property
    def kitty_size(self) -> int:
        """The number of cards left over, which lie face down (W3)."""
        return len(self.cards) % self.players

    @cached_property
    def faces(self) -> dict[str, Card]:
        """The pack's cards by their codes; this is what tells its joker from another game's."""
        return {card.code: card for card in self.cards}
