"""A search for a round's tables by swapping people: similar standings together, and few repeated meetings.

The result depends only on the seed. It takes some 50 ms for 64 people.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

#: A table's seats, by the numbers of their people; None for computers.
Table = Sequence[int | None]
#: The cost of a repeated meeting, per earlier one; and of another table with computers, per earlier one.
#: Being n tables away from the one of one's standing costs n², always less than a meeting.
MEETING, COMPUTERS = 1_000_000, 50
#: How often the search starts again near the best tables so far, and how many random swaps away.
TRIES, KICK = 50, 4


def search(
    order: Sequence[int], seats: int, groups: Sequence[int], before: Sequence[Table], rng: Random
) -> list[int]:
    """The table of each person, from 0; `groups` are the sizes of the tables, `before` the earlier tables."""
    met, cost = _meetings(order, before), _costs(order, seats, groups, before)
    best = _swap_all(np.repeat(np.arange(len(groups)), groups), met, cost)
    for _ in range(TRIES):
        tried = best.copy()
        for _ in range(KICK):
            _swap(tried, *rng.choices(range(len(order)), k=2))
        tried = _swap_all(tried, met, cost)
        if _total(tried, met, cost) <= _total(best, met, cost):
            best = tried
    return [int(table) for table in best]


def _swap_all(
    table_of: NDArray[np.int64], met: NDArray[np.int64], cost: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Make the best swap of all, again and again, until none makes the tables better."""
    while (change := _changes(table_of, met, cost)).min() < 0:
        _swap(table_of, *divmod(int(change.argmin()), len(table_of)))
    return table_of


def _swap(table_of: NDArray[np.int64], one: int, other: int) -> None:
    table_of[[one, other]] = table_of[[other, one]]


def _changes(
    table_of: NDArray[np.int64], met: NDArray[np.int64], cost: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The change in cost if each pair is swapped; 0 for two people at the same table."""
    at = met @ (table_of[:, None] == np.arange(cost.shape[1])) + cost  # the cost of each person at each table
    moved = at[:, table_of]
    own = moved.diagonal()
    change: NDArray[np.int64] = moved + moved.T - own[:, None] - own - 2 * met
    change[table_of[:, None] == table_of] = 0
    return change


def _total(table_of: NDArray[np.int64], met: NDArray[np.int64], cost: NDArray[np.int64]) -> int:
    """The cost of these tables."""
    meetings = met[table_of[:, None] == table_of].sum() // 2
    return int(meetings + cost[np.arange(len(table_of)), table_of].sum())


def _meetings(order: Sequence[int], before: Iterable[Table]) -> NDArray[np.int64]:
    """The cost of another meeting, by pair of people."""
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
    """The cost of putting each person at each table, apart from meetings."""
    had = dict.fromkeys(order, 0)
    for table in before:
        for one in table:
            if one in had and None in table:
                had[one] += 1
    tables, due = np.arange(len(groups)), np.repeat(np.arange(len(groups)), groups)
    has_computers = np.array([size < seats for size in groups], dtype=np.int64)
    counts = np.array([had[one] for one in order], dtype=np.int64)
    return (tables - due[:, None]) ** 2 + COMPUTERS * counts[:, None] * has_computers
