"""Cards as numbers. A code names one copy of a card; a row has a bit for each code of one suit.

A set of cards is five rows: clubs, diamonds, spades, hearts, and jokers without suit (W4). A code is its
suit times 32 and, within the suit, twice the rank, plus one for a second copy. So cards of a suit compare by
their codes, and `code ^ 1` is a card's twin. Random numbers are here too: their state is passed in, so that
the same seed plays the same deal.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba.core import types
from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros
from numba.extending import intrinsic, overload

from engine.kernel.compiled import Row, compiled

CLUBS, DIAMONDS, SPADES, HEARTS, JOKERS = range(5)
#: The number of codes, used or not.
CODES = 5 * 32
#: Every bit that a row can have.
WHOLE = (1 << 32) - 1
#: No card, no seat, no suit.
NONE = -1


def highest(row: int) -> int:
    """The index of the highest bit of a row that isn't empty."""
    return int(row).bit_length() - 1


def lowest(row: int) -> int:
    """The index of the lowest bit of a row that isn't empty."""
    return int(row & -row).bit_length() - 1


def count(row: int) -> int:
    """How many cards a row has."""
    return int(row).bit_count()


@intrinsic
def _set_bits(typing: Any, row: types.Integer) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


# The processor has an instruction for each of these.


@overload(highest, strict=False)
def _highest(row: int) -> Any:
    return lambda row: 63 - leading_zeros(row)  # type: ignore[call-arg]


@overload(lowest, strict=False)
def _lowest(row: int) -> Any:
    return lambda row: trailing_zeros(row)  # type: ignore[call-arg]


@overload(count, strict=False)
def _count(row: int) -> Any:
    return lambda row: _set_bits(row)  # type: ignore[call-arg]


@compiled
def suit_of(code: int) -> int:
    """The index of this card's row."""
    return code >> 5


@compiled
def bit_of(code: int) -> int:
    """This card as a bit of its row."""
    return 1 << (code & 31)


@compiled
def rank_of(code: int) -> int:
    """2 to 14 for the ace; 1 for the joker of clubs."""
    return (code & 31) >> 1


@compiled
def up_to(code: int) -> int:
    """The cards of its suit that are no higher, including a twin."""
    return (2 << (code & 31 | 1)) - 1


@compiled
def above(code: int) -> int:
    """The cards of its suit that are higher, without its twin."""
    return WHOLE & ~up_to(code)


@compiled
def code_of(suit: int, place: int) -> int:
    """The code of the card at this index of a row."""
    return suit << 5 | place


@compiled
def size(rows: Row) -> int:
    """The number of cards in all rows."""
    return count(rows[0]) + count(rows[1]) + count(rows[2]) + count(rows[3]) + count(rows[4])


@compiled
def share_any(one: Row, other: Row) -> bool:
    """Whether any card is in both."""
    return (
        one[0] & other[0] | one[1] & other[1] | one[2] & other[2] | one[3] & other[3] | one[4] & other[4]
    ) != 0


@compiled
def shared(one: Row, other: Row) -> int:
    """How many cards are in both."""
    total = 0
    for suit in range(5):
        total += count(one[suit] & other[suit])
    return total


@compiled
def has_all(rows: Row, wanted: Row) -> bool:
    """Whether all of the wanted cards are there."""
    return (
        wanted[0] & ~rows[0]
        | wanted[1] & ~rows[1]
        | wanted[2] & ~rows[2]
        | wanted[3] & ~rows[3]
        | wanted[4] & ~rows[4]
    ) == 0


@compiled
def take_out(rows: Row, kind: Row) -> None:
    """Remove the cards of a kind, unless there are no others."""
    if not has_all(kind, rows):
        for suit in range(5):
            rows[suit] &= ~kind[suit]


@compiled
def highest_of(rows: Row, kind: Row) -> int:
    """The highest of these cards of a kind, hearts before spades; NONE if there is none."""
    for suit in range(4, -1, -1):
        row = rows[suit] & kind[suit]
        if row:
            return code_of(suit, highest(row))
    return NONE


@compiled
def nth(rows: Row, index: int) -> int:
    """The card at this index, counted from the lowest club; there must be more cards than that."""
    for suit in range(5):
        row = rows[suit]
        held = count(row)
        if index < held:
            for _ in range(index):
                row &= row - 1
            return code_of(suit, lowest(row))
        index -= held
    return NONE


# Chance


def random_state(seed: int) -> Row:
    """The state for this seed, any integer; small seeds are as good as large ones."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & (1 << 64) - 1
    mixed = (mixed ^ mixed >> 31) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    mixed = mixed ^ mixed >> 27 or 1
    return cast("Row", np.array([mixed], np.uint64).view(np.int64))


@compiled
def step(state: Row) -> int:
    """31 bits of Marsaglia's xorshift with 13, 7 and 17."""
    bits = state[0]
    bits ^= bits << 13
    bits ^= bits >> 7 & (1 << 57) - 1  # without the sign bit
    bits ^= bits << 17
    state[0] = bits
    return bits >> 32 & (1 << 31) - 1


@compiled
def chance(state: Row) -> float:
    """A number from 0 up to, but excluding, 1."""
    return step(state) * (1.0 / (1 << 31))


@compiled
def below(state: Row, bound: int) -> int:
    """An integer from 0 up to, but excluding, the bound, which must be far below 2**31."""
    return step(state) * bound >> 31
