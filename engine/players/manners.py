"""The playing styles of computers: each has a taste for certain cards.

A manner belongs to a name, so that players who meet that name again know its style. What a medium computer
likes appeals more to it; a strong one follows its taste only among options that are about equally good.
"""

from collections.abc import Callable
from enum import Enum
from statistics import fmean

from engine.cards import QUEEN_OF_SPADES, Card, Suit
from engine.languages import N_
from engine.names import COMPUTERS
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.advice import Option

Taste = Callable[[SeatView, Card], float]


class Manner(Enum):
    """A computer's playing style, in two words to be translated."""

    SHOOTS_MOONS = N_("shoots moons")
    HATES_SPADES = N_("hates spades")
    SAVES_HEARTS = N_("saves hearts")
    HOARDS_DIAMONDS = N_("hoards diamonds")
    EMPTIES_SUITS = N_("empties suits")
    HUNTS_QUEENS = N_("hunts queens")

    def likes(self, view: SeatView, card: Card) -> float:
        """How much it would like to play or pass this card: 1 for a card to its taste, 0 for any other."""
        taste = _TASTES.get(self)
        return taste(view, card) if taste else 0.0

    def prefer(self, view: SeatView, option: Option) -> float:
        """How much it would like this option, among those that are about equally good."""
        if self is Manner.SHOOTS_MOONS:
            return option.moon
        return fmean(self.likes(view, card) for card in option.cards) if option.cards else 0.0

    @property
    def daring(self) -> int:
        """How many more beatable cards it accepts in a hand with which it tries for every trick."""
        return 1 if self is Manner.SHOOTS_MOONS else 0


def manner_of(name: str) -> Manner | None:
    """The manner of the computer with this name; None if no computer has it."""
    return _BY_NAME.get(name)


#: Neighbouring names, as at one table, have different manners.
_BY_NAME = {name: tuple(Manner)[index % len(Manner)] for index, name in enumerate(COMPUTERS)}


def _out_of_spades(view: SeatView, card: Card) -> float:
    """Discard spades on other suits, and lead them if they can't catch a queen."""
    trick = view.deal.trick
    if view.deal.phase is Phase.PASSING or card.suit is not Suit.SPADES or trick.led_suit is Suit.SPADES:
        return 0.0
    return float(bool(trick.cards) or card.rank < QUEEN_OF_SPADES.rank or not _queen_is_out(view))


def _no_hearts(view: SeatView, card: Card) -> float:
    return float(card.suit is not Suit.HEARTS)


def _no_diamonds(view: SeatView, card: Card) -> float:
    return float(card.suit is not Suit.DIAMONDS and view.deal.phase is not Phase.PASSING)


def _from_short_suits(view: SeatView, card: Card) -> float:
    """Clubs and diamonds from short suits: an empty suit is useful, but spades guard each other."""
    if card.suit not in (Suit.CLUBS, Suit.DIAMONDS):
        return 0.0
    length = sum(1 for own in view.hand if own.suit is card.suit)
    return (1.0 if view.deal.phase is Phase.PASSING else 0.7) / length


def _after_the_queen(view: SeatView, card: Card) -> float:
    """Lead a spade that catches the queen if she is good, or draws her out if she hurts."""
    if view.deal.phase is Phase.PASSING or view.deal.trick.cards or card.suit is not Suit.SPADES:
        return 0.0
    is_good = view.rules.winner.sign * view.rules.counting.values.get(QUEEN_OF_SPADES, 0) > 0
    return 2.0 * (_queen_is_out(view) and (card.rank > QUEEN_OF_SPADES.rank) is is_good)


def _queen_is_out(view: SeatView) -> bool:
    """Whether someone else may still hold a queen of spades."""
    seen = [*view.hand, *(card for pile in view.deal.taken for card in pile)]
    return seen.count(QUEEN_OF_SPADES) < view.rules.pack.cards.count(QUEEN_OF_SPADES)


_TASTES: dict[Manner, Taste] = {
    Manner.HATES_SPADES: _out_of_spades,
    Manner.SAVES_HEARTS: _no_hearts,
    Manner.HOARDS_DIAMONDS: _no_diamonds,
    Manner.EMPTIES_SUITS: _from_short_suits,
    Manner.HUNTS_QUEENS: _after_the_queen,
}
