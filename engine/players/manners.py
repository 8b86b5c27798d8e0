"""What a computer is known for: how it likes to play where it makes no difference that it can see.

A manner belongs to a name, so that whoever meets that name again knows how it plays. It never decides
against the better card: it chooses among those that are about equally good.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from statistics import mean

from engine.cards import QUEEN_OF_SPADES, Card, Hand, Suit
from engine.names import COMPUTERS
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.advice import Option

Taste = Callable[[SeatView, Card], float]


class Manner(Enum):
    """What a computer is known for, in a few words."""

    SHOOTS = "shoots for the moon"
    HATES_SPADES = "hates spades"
    SAVES_HEARTS = "saves its hearts"
    BREAKS_HEARTS = "breaks hearts early"
    EMPTIES_SUITS = "empties a suit"
    HUNTS_THE_QUEEN = "hunts the queen"

    def likes(self, view: SeatView, card: Card) -> float:
        """How much it would like to play this card, or to pass it; between 0 and 1."""
        return _TASTES[self](view, card)

    def prefer(self, view: SeatView, option: Option) -> float:
        """How much it would like this option, among those that are about as good."""
        if self is Manner.SHOOTS and option.moon:
            return 1 + option.moon
        return mean(self.likes(view, card) for card in option.cards) if option.cards else 0.0


def manner_of(name: str) -> Manner | None:
    """What the computer of this name is known for; None for a name that no computer has."""
    return _BY_NAME.get(name)


#: Names beside each other, as they sit at a table, have different manners.
_BY_NAME = {name: tuple(Manner)[place % len(Manner)] for place, name in enumerate(COMPUTERS)}


def _for_the_moon(view: SeatView, card: Card) -> float:
    """High cards, which take tricks, while nobody else has a moon's card; low ones go to somebody else."""
    high = card.rank / 14
    if view.deal.phase is Phase.PASSING:
        return 1 - high
    needed = view.rules.counting.moon
    others = [pile for seat, pile in enumerate(view.deal.taken) if seat != view.seat]
    return 0.0 if any(taken in needed for pile in others for taken in pile) else high


def _out_of_spades(view: SeatView, card: Card) -> float:
    return card.rank / 14 if card.suit is Suit.SPADES else 0.0


def _no_hearts(view: SeatView, card: Card) -> float:
    return 0.0 if card.suit is Suit.HEARTS else 1.0


def _hearts(view: SeatView, card: Card) -> float:
    return 1.0 if card.suit is Suit.HEARTS else 0.0


def _from_the_shortest_suit(view: SeatView, card: Card) -> float:
    return 1 / sum(1 for own in view.hand if own.suit is card.suit)


def _after_the_queen(view: SeatView, card: Card) -> float:
    """Low spades, led while somebody else may hold the queen, and kept for it when cards are passed."""
    is_bait = card.suit is Suit.SPADES and card.rank < QUEEN_OF_SPADES.rank
    if view.deal.phase is Phase.PASSING:
        return 0.0 if is_bait else 1.0
    return 1.0 if is_bait and not view.deal.trick.cards and _queen_is_out(view) else 0.0


def _queen_is_out(view: SeatView) -> bool:
    gone: Hand = sum((view.hand, *view.deal.taken), ())
    return gone.count(QUEEN_OF_SPADES) < view.rules.pack.decks


_TASTES: dict[Manner, Taste] = {
    Manner.SHOOTS: _for_the_moon,
    Manner.HATES_SPADES: _out_of_spades,
    Manner.SAVES_HEARTS: _no_hearts,
    Manner.BREAKS_HEARTS: _hearts,
    Manner.EMPTIES_SUITS: _from_the_shortest_suit,
    Manner.HUNTS_THE_QUEEN: _after_the_queen,
}
