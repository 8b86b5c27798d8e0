"""The worth of a deal's cards to its players, in numbers."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.cards import WILD_JOKER, Card, Hand
from engine.numbers.rows import (
    CODES,
    HEARTS,
    JOKERS,
    MOST_JOKERS,
    Numbers,
    above,
    bit_of,
    first_code,
    suit_index,
    suit_of,
)
from engine.rules.ruleset import Ruleset


class Worths(Protocol):
    """The values that an appeal depends on: `Values`, or the kernel's `Laws`, which have more fields."""

    @property
    def players(self) -> int: ...
    @property
    def pack(self) -> Numbers: ...
    @property
    def worth(self) -> Numbers: ...
    @property
    def at_stake(self) -> int: ...
    @property
    def prizes(self) -> Numbers: ...
    @property
    def bleeders(self) -> Numbers: ...
    @property
    def catchers(self) -> Numbers: ...
    @property
    def moon(self) -> Numbers: ...
    @property
    def moon_is_possible(self) -> bool: ...


class Values(NamedTuple):
    """The worths of cards in a deal with its exposed cards (C8); made by `values_of`.

    Rows hold the cards of a kind, with all copies in the pack.
    """

    players: int
    pack: tuple[int, ...]
    worth: tuple[int, ...]  # by code: its points, their sign reversed if the lowest total wins
    at_stake: int  # the sum of all worths without their signs, with nothing exposed
    prizes: tuple[int, ...]  # good to have by themselves
    bleeders: tuple[int, ...]  # bad to have, and not hearts: the queen of spades
    catchers: tuple[int, ...]  # would take a bleeder: the king and ace of spades
    moon: tuple[int, ...]  # taking them all shoots the moon
    moon_is_possible: bool


@lru_cache(maxsize=256)
def values_of(rules: Ruleset, exposed: Hand = ()) -> Values:
    """The worths of cards in this game while these cards are exposed."""
    counting, goal = rules.counting, rules.winner.sign
    seen: dict[Card, int] = {}
    pack = [0] * 5
    for card in rules.pack.cards:
        code = first_code(card) + seen.get(card, 0)
        seen[card] = seen.get(card, 0) + 1
        pack[suit_of(code)] |= bit_of(code)
    worth, prizes, bleeders, catchers = [0] * CODES, [0] * 5, [0] * 5, [0] * 5
    for card, value in counting.values.items():
        suit = suit_index(card.suit)
        for code in codes_in(pack[suit], card):
            worth[code] = goal * value * counting.times(card, exposed)
            if worth[code] > 0:
                prizes[suit] |= bit_of(code)
            elif worth[code] < 0 and suit != HEARTS:
                bleeders[suit] |= bit_of(code)
                catchers[suit] |= above(code) & pack[suit]
    moon = counting.moon if counting.needed else ()
    return Values(
        players=rules.players,
        pack=tuple(pack),
        worth=tuple(worth),
        at_stake=sum(abs(value) * seen.get(card, 0) for card, value in counting.values.items()),
        prizes=tuple(prizes),
        bleeders=tuple(bleeders),
        catchers=tuple([row & ~bad for row, bad in zip(catchers, bleeders, strict=True)]),
        moon=rows_with(code for card in moon for code in codes_in(pack[suit_index(card.suit)], card)),
        moon_is_possible=bool(counting.needed),
    )


@lru_cache(maxsize=1024)
def codes_in(row: int, card: Card) -> tuple[int, ...]:
    """The codes of this card's copies in the row of its suit."""
    first, most = first_code(card), MOST_JOKERS if card is WILD_JOKER else 2
    return tuple([code for code in range(first, first + most) if row & bit_of(code)])


def rows_with(codes: Iterable[int]) -> tuple[int, ...]:
    """Rows with these cards."""
    rows = [0] * (JOKERS + 1)
    for code in codes:
        rows[suit_of(code)] |= bit_of(code)
    return tuple(rows)
