"""The values that a rule option can take."""

from __future__ import annotations

from enum import Enum


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


class MoonChoice(Enum):
    """The shooter's choice (K7): add to the others, or subtract from one's own total."""

    ADD = "add"
    SUBTRACT = "subtract"
