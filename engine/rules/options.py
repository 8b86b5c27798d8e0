"""The values that a rule option can take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any


class Remainder(Enum):
    """What becomes of the cards that cannot be dealt evenly (W1, W2, W16)."""

    REMOVE = "remove"
    KITTY = "kitty"
    JOKERS = "jokers"


class Kitty(Enum):
    """Which tricks take the cards that lie down (W3)."""

    FIRST_TRICK = "first-trick"
    ONE_PER_TRICK = "one-per-trick"
    FIRST_AND_LAST = "first-and-last"


class SafeFirstTrick(Enum):
    """What may not be played to the first trick (K4, W7, P5)."""

    OFF = "off"
    HEARTS_AND_QUEEN = "hearts-and-queen"
    ALL_SCORING = "all-scoring"


class HeartsBrokenBy(Enum):
    """What, once played, lets hearts be led (K5, W8, P4)."""

    HEARTS = "hearts"
    HEARTS_OR_QUEEN = "hearts-or-queen"


class Duplicates(Enum):
    """What two copies of a card do in one trick (W20)."""

    FIRST_WINS = "first-wins"
    CANCEL = "cancel"


class Moon(Enum):
    """What a player who shoots the moon does to the scores (K7, W13, W23)."""

    OTHERS = "others"
    SELF = "self"
    CHOICE = "choice"
    HALF = "half"


class Goal(Enum):
    """Which total wins (P10)."""

    LOWEST = "lowest"
    HIGHEST = "highest"

    @property
    def sign(self) -> int:
        """1 where points are good, −1 where they are bad."""
        return 1 if self is Goal.HIGHEST else -1

    def best(self, totals: Iterable[int]) -> int:
        """The total that wins."""
        return max(totals) if self is Goal.HIGHEST else min(totals)

    def leaders(self, totals: Sequence[int]) -> tuple[int, ...]:
        """The seats that have it; several where they are level."""
        best = self.best(totals)
        return tuple([seat for seat, total in enumerate(totals) if total == best])

    def worst(self, totals: Iterable[int]) -> int:
        """The total that is furthest from winning."""
        return min(totals) if self is Goal.HIGHEST else max(totals)


class MoonChoice(Enum):
    """The shooter's choice (K7): add to the others, or subtract from one's own total."""

    ADD = "add"
    SUBTRACT = "subtract"


#: What each option can be: an Enum's members, a range of whole numbers, or `bool`. In this order: some
#: defaults hang on the options before them.
KINDS: Mapping[str, Any] = {
    "pass_cards": range(0, 6),
    "remainder": Remainder,
    "kitty": Kitty,
    "safe_first_trick": SafeFirstTrick,
    "hearts_broken_by": HeartsBrokenBy,
    "lead_hearts_with_queen": bool,
    "duplicates": Duplicates,
    "jack_of_diamonds": bool,
    "hooligan": bool,
    "spot_hearts": bool,
    "even_scores": bool,
    "moon": Moon,
    "ends_at": range(1, 100_001),
    "winner": Goal,
}


def can_be(name: str, value: Any) -> bool:
    """Whether this is a value of the option; neither `True` nor 1.0 is a number."""
    kind = KINDS[name]
    if isinstance(kind, range):
        return type(value) is int and value in kind
    return type(value) is kind
