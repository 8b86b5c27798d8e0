"""The cards in play, by game and number of players (K1, W1, W2, W16, P1, C1)."""

from dataclasses import dataclass
from functools import cached_property

from engine.cards import DECK, Card, Hand, cards, sort_hand, without


@dataclass(frozen=True)
class Pack:
    """The cards in play: decks without the `removed` cards (codes), and jokers.

    Cards that can't be dealt evenly are the kitty.
    """

    players: int
    decks: int = 1
    removed: str = ""
    jokers: Hand = ()

    @cached_property
    def cards(self) -> Hand:
        """All cards of the pack, sorted; two copies of a card appear twice."""
        return sort_hand((*without(DECK * self.decks, cards(self.removed)), *self.jokers))

    @cached_property
    def hand_size(self) -> int:
        """The number of cards each player is dealt."""
        return len(self.cards) // self.players

    @cached_property
    def kitty_size(self) -> int:
        """The number of cards left over, which stay face down (W3)."""
        return len(self.cards) % self.players

    @cached_property
    def faces(self) -> dict[str, Card]:
        """The pack's cards by code, as `JK` means a different joker in another game."""
        return {card.code: card for card in self.cards}
