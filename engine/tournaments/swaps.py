"""A round's tables, searched by swaps: people of like standing together, new faces as far as that can be.

Whatever it finds follows from the seed, and it takes some 50 ms for 64 people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

#: A table's seats, by the numbers of their people; None for computers.
Table = Sequence[int | None]
#: What a meeting costs for each earlier one of the two; and a table with computers, for each that somebody
#: had. A step away from the table of one's standing costs 1, more steps their square: never as much as a
#: meeting.
MEETING, COMPUTERS = 1_000_000, 50
#: Swaps in a row without a better result, after which the search ends, or goes on after a swap by chance as
#: long as people meet again; and swaps in all.
PATIENCE, KICK, MOST_SWAPS = 100, 20, 400
#: For how many swaps, at least and at most, people who were swapped stay where they are.
REST = (4, 12)


def search(
    order: Sequence[int], seats: int, groups: Sequence[int], before: Sequence[Table], rng: Random
) -> list[int]:
    """The table of each person, from 0, after the tables `before`: a tabu search that swaps two at a time.

    `groups` are how many people sit at each table.
    """
    table_of = np.repeat(np.arange(len(groups)), groups)
    met, cost = _meetings(order, before), _costs(order, seats, groups, before)
    total, best, found = 0, 0, table_of.copy()
    rests_until, patience = np.zeros(len(order), dtype=np.int64), PATIENCE
    for swap in range(MOST_SWAPS):
        change = _changes(table_of, met, cost)
        resting = rests_until > swap
        is_held = (resting[:, None] | resting) & (total + change >= best)
        allowed = np.where(is_held, _NEVER, change)
        one, other = divmod(int(allowed.argmin()), len(order))
        patience -= 1
        if patience < 0 or allowed[one, other] >= _NEVER:
            if len(groups) == 1 or not met[found[:, None] == found].any():
                break
            # People meet again: perhaps it goes better from somewhere else.
            one, other = _two_apart(table_of, rng)
            patience = max(patience, 0) + KICK
        total += int(change[one, other])
        table_of[[one, other]] = table_of[[other, one]]
        rests_until[[one, other]] = swap + rng.randint(*REST)
        if total < best:
            best, found, patience = total, table_of.copy(), PATIENCE
    return [int(table) for table in found]


def _two_apart(table_of: NDArray[np.int64], rng: Random) -> tuple[int, int]:
    """Any two people at different tables."""
    one = rng.randrange(len(table_of))
    others = [other for other, table in enumerate(table_of) if table != table_of[one]]
    return one, rng.choice(others)


#: What a swap costs that isn't to be made.
_NEVER = 1 << 60


def _changes(
    table_of: NDArray[np.int64], met: NDArray[np.int64], cost: NDArray[np.int64]
) -> NDArray[np.int64]:
    """What it would change to swap each pair; never for two at the same table."""
    tables = np.zeros_like(cost)
    tables[np.arange(len(table_of)), table_of] = 1
    at = met @ tables + cost  # what each person costs at each table, as it is
    moved = at[:, table_of]
    own = moved.diagonal()
    change: NDArray[np.int64] = moved + moved.T - own[:, None] - own - 2 * met
    change[table_of[:, None] == table_of] = _NEVER
    return change


def _meetings(order: Sequence[int], before: Iterable[Table]) -> NDArray[np.int64]:
    """What it costs if two people meet once more."""
    place = {one: number for number, one in enumerate(order)}
    met = np.zeros((len(order), len(order)), dtype=np.int64)
    for table in before:
        for one, other in combinations([place[one] for one in table if one in place], 2):
            met[one, other] += MEETING
            met[other, one] += MEETING
    return met


def _costs(
    order: Sequence[int], seats: int, groups: Sequence[int], before: Iterable[Table]
) -> NDArray[np.int64]:
    """What it costs to put each person at each table, apart from whom they meet there."""
    had = dict.fromkeys(order, 0)
    for table in before:
        for one in table:
            if one in had and None in table:
                had[one] += 1
    tables, due = np.arange(len(groups)), np.repeat(np.arange(len(groups)), groups)
    has_computers = np.array([size < seats for size in groups], dtype=np.int64)
    counts = np.array([had[one] for one in order], dtype=np.int64)
    return (tables - due[:, None]) ** 2 + COMPUTERS * counts[:, None] * has_computers
