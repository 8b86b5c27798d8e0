"""The options of the rules: each is a row of `Options`, from which everything else about it follows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from types import MappingProxyType
from typing import Any

from engine.cards import HEARTS, JACK_OF_DIAMONDS, SEVEN_OF_CLUBS, Card
from engine.errors import Refusal
from engine.languages import N_

#: W19: the totals that lose the bonus.
EVEN_TOTALS, EVEN_BONUS = (50, 100, 150), 50


class OptionValue(Enum):
    """A value of an option, as in JSON and in words."""

    _value_: str
    words: str

    def __new__(cls, value: str, words: str) -> "OptionValue":
        """Make a member from its row of a JSON value and words."""
        member = object.__new__(cls)
        member._value_, member.words = value, words
        return member


class Remainder(OptionValue):
    """What happens to cards that can't be dealt evenly (W1, W2, W16)."""

    REMOVE = "remove", N_("are taken out")
    KITTY = "kitty", N_("go into a kitty")
    JOKERS = "jokers", N_("are evened out with jokers")


class Kitty(OptionValue):
    """Which tricks take the cards of the kitty (W3)."""

    FIRST_TRICK = "first-trick", N_("all with the first trick")
    ONE_PER_TRICK = "one-per-trick", N_("a card with each trick")
    FIRST_AND_LAST = "first-and-last", N_("one with the first, the rest with the last")


class SafeFirstTrick(OptionValue):
    """What may not be played to the first trick (K4, W7, P5)."""

    OFF = "off", N_("anything goes")
    HEARTS_AND_QUEEN = "hearts-and-queen", N_("no hearts, no Q♠")
    ALL_SCORING = "all-scoring", N_("nothing that scores")


class HeartsBrokenBy(OptionValue):
    """The cards that let hearts be led once they have been played (K5, W8, P4)."""

    HEARTS = "hearts", N_("a heart")
    HEARTS_OR_QUEEN = "hearts-or-queen", N_("a heart or Q♠")


class Duplicates(OptionValue):
    """What two copies of a card do in one trick (W20)."""

    FIRST_WINS = "first-wins", N_("the first ranks higher")
    CANCEL = "cancel", N_("cancel each other")


class Moon(OptionValue):
    """What a player who shoots the moon does to the scores (K7, W13, W23)."""

    OTHERS = "others", N_("the others pay")
    SELF = "self", N_("points off the shooter")
    CHOICE = "choice", N_("the shooter chooses")
    HALF = "half", N_("half off the shooter, half on the others")


class Goal(OptionValue):
    """Which total wins (P10)."""

    LOWEST = "lowest", N_("the lowest total")
    HIGHEST = "highest", N_("the highest total")

    @property
    def sign(self) -> int:
        """1 where points are good, −1 where they are bad."""
        return 1 if self is Goal.HIGHEST else -1

    def best(self, totals: Iterable[int]) -> int:
        """The total that wins."""
        return max(totals) if self is Goal.HIGHEST else min(totals)

    def leaders(self, totals: Sequence[int]) -> tuple[int, ...]:
        """The seats with the total that wins; several if they are level."""
        best = self.best(totals)
        return tuple([seat for seat, total in enumerate(totals) if total == best])

    def worst(self, totals: Iterable[int]) -> int:
        """The total that is furthest from winning."""
        return min(totals) if self is Goal.HIGHEST else max(totals)


class MoonChoice(Enum):
    """The shooter's choice (K7): add to the others' totals, or subtract from their own."""

    ADD = "add"
    SUBTRACT = "subtract"


@dataclass(frozen=True, slots=True)
class RuleOption:
    """An option, made from its row, apart from any game."""

    name: str
    topic: str  # "cards", "tricks" or "points": the form that asks for it
    title: str
    kind: type[OptionValue] | type[bool] | range
    counts: Mapping[Card, int]  # the values that it gives to cards while it is on

    @property
    def is_switch(self) -> bool:
        """Whether it is either on or off."""
        return self.kind is bool

    @property
    def values(self) -> Sequence[Any]:
        """All its JSON values."""
        if isinstance(self.kind, range):
            return self.kind
        return [False, True] if self.kind is bool else [member.value for member in self._members]

    @property
    def _members(self) -> tuple[OptionValue, ...]:
        if isinstance(self.kind, range) or not issubclass(self.kind, OptionValue):
            return ()
        return tuple(self.kind)

    def in_words(self, value: Any) -> str:
        """The words for a JSON value, in English."""
        return next((member.words for member in self._members if member.value == value), str(value))

    def can_be(self, value: Any) -> bool:
        """Whether this is one of its Python values; `True` and 1.0 don't count as numbers."""
        if isinstance(self.kind, range):
            return type(value) is int and value in self.kind
        return type(value) is self.kind

    def parse(self, value: Any) -> Any:
        """The Python value for a JSON value, or for itself; Refusal if the option can't have it."""
        if self.can_be(value):
            return value
        for member in self._members:
            if member.value == value:
                return member
        raise self._impossible(value)

    def _impossible(self, value: Any) -> Refusal:
        if self.is_switch:
            return Refusal("option_switch", option=self.name, given=value)
        if isinstance(self.kind, range):
            least, most = self.kind[0], self.kind[-1]
            return Refusal("option_number", option=self.name, given=value, least=least, most=most)
        return Refusal("option_value", option=self.name, given=value, allowed=tuple(self.values))


def _row(
    topic: str,
    title: str,
    kind: type[OptionValue] | type[bool] | range,
    counts: Mapping[Card, int] = MappingProxyType({}),
) -> dict[str, Any]:
    """An option's row: the form it stands in, its title, its values, and what cards count while it is on."""
    return {"topic": topic, "title": title, "kind": kind, "counts": counts}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Every option of the rules, in order: some defaults depend on the options before them.

    An option's default here is its value in games that lack it. The last three belong to every game.
    """

    pass_cards: int = field(default=0, metadata=_row("cards", N_("Cards to pass"), range(0, 6)))
    remainder: Remainder | None = field(
        default=None, metadata=_row("cards", N_("Cards that can't be dealt evenly"), Remainder)
    )
    kitty: Kitty | None = field(default=None, metadata=_row("cards", N_("Who takes the kitty"), Kitty))
    safe_first_trick: SafeFirstTrick = field(
        default=SafeFirstTrick.OFF, metadata=_row("tricks", N_("First trick"), SafeFirstTrick)
    )
    hearts_broken_by: HeartsBrokenBy | None = field(
        default=None, metadata=_row("tricks", N_("Hearts are broken by"), HeartsBrokenBy)
    )
    lead_hearts_with_queen: bool = field(
        default=False, metadata=_row("tricks", N_("Only hearts and Q♠ in hand: hearts may be led"), bool)
    )
    duplicates: Duplicates | None = field(
        default=None, metadata=_row("tricks", N_("Two copies in one trick"), Duplicates)
    )
    jack_of_diamonds: bool = field(  # K6, W10
        default=False, metadata=_row("points", N_("J♦ takes ten points off"), bool, {JACK_OF_DIAMONDS: -10})
    )
    hooligan: bool = field(  # W11
        default=False, metadata=_row("points", N_("7♣ costs seven points"), bool, {SEVEN_OF_CLUBS: 7})
    )
    spot_hearts: bool = field(  # W12
        default=False,
        metadata=_row("points", N_("Hearts count their face value"), bool, {one: one.rank for one in HEARTS}),
    )
    even_scores: bool = field(
        default=False, metadata=_row("points", N_("A total of 50, 100 or 150 loses 50"), bool)
    )
    moon: Moon | None = field(default=None, metadata=_row("points", N_("Shooting the moon"), Moon))
    ends_at: int = field(metadata=_row("points", N_("Total that ends the game"), range(1, 100_001)))
    deals: int = field(default=0, metadata=_row("points", N_("Number of deals"), range(0, 101)))  # G6
    winner: Goal = field(metadata=_row("points", N_("Who wins"), Goal))


#: Every option by its name, in order.
OPTIONS = {one.name: RuleOption(one.name, **one.metadata) for one in fields(Options)}


def from_text(name: str, text: str) -> Any:
    """The JSON value that this typed text stands for; `RuleOption.parse` refuses an impossible one."""
    option = OPTIONS.get(name)
    if option and option.is_switch and text in ("true", "false"):
        return text == "true"
    if option and isinstance(option.kind, range) and re.fullmatch("-?[0-9]{1,9}", text):
        return int(text)
    return text
