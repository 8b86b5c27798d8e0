"""What the strong player found about the choices of one seat: plain values, for whoever shows or plays them.

Everything is in the game's own points of a deal, as its rules count them, and from what the seat may know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.cards import Card, Hand
from engine.play.deal import Phase
from engine.play.views import SeatView

#: How many playouts go into a sound move, into one at full strength, into a hint, and into a choice reviewed.
QUICK, FULL, HINT, REVIEW = 400, 2_000, 4_000, 8_000


@dataclass(frozen=True, slots=True)
class Option:
    """A card to play, cards to pass, or a card to expose (none: to expose nothing), and what it brings.

    Shares are of the sampled deals ("worlds"), from 0 to 1.
    """

    cards: Hand
    expected: float  # this seat's points of the deal, on average
    error: float  # the standard error of `expected`
    merit: float  # what the search maximises: points, good ones positive, and the chance to win the game
    margin: float  # the standard error of how far `merit` lies behind the best option's
    moon: float = 0.0  # the share in which this seat shoots the moon
    takes: float = 0.0  # the share in which it takes the trick being played
    costs: float = 0.0  # this seat's points from that trick, on average
    # A play: in which share it takes each card that counts with this trick; a pass, exposing: in the deal.
    catches: tuple[tuple[Card, float], ...] = ()
    same: Hand = ()  # other cards of the hand that do the same as a card played
    worlds: int = 0  # how many were tried: more for options that looked good


@dataclass(frozen=True, slots=True)
class Advice:
    """The options of a choice, best first; a forced one stands alone, and was not searched (0 worlds)."""

    phase: Phase
    options: tuple[Option, ...]
    worlds: int  # tried for the best option

    @property
    def best(self) -> Option:
        """What the strong player would choose."""
        return self.options[0]

    def about(self, cards: Hand) -> Option | None:
        """What was found about this choice: a pass in any order, a card also by one that does the same."""
        wanted = sorted(cards, key=lambda card: card.order)
        for option in self.options:
            if sorted(option.cards, key=lambda card: card.order) == wanted:
                return option
        return next((one for one in self.options if len(cards) == 1 and cards[0] in one.same), None)


#: A manner: the more, the rather this option, among those as good as the best as far as the search can tell.
Prefer = Callable[[SeatView, Option], float]
