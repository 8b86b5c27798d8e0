"""Random numbers whose state is passed in, so that the same seed plays the same deal."""

from __future__ import annotations

from typing import cast

import numpy as np

from engine.kernel.compiled import compiled
from engine.numbers.rows import Row


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
