"""Who sits where in a round: first by chance, later by standing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

#: A table's seats, by the numbers of their people; None for computers.
Seating = tuple[int | None, ...]


def sizes(people: int, seats: int) -> list[int]:
    """How many people sit at each table: computers fill the last, and nobody is alone if that can be."""
    tables = -(-people // seats)
    found = [seats] * (tables - 1) + [people - seats * (tables - 1)]
    if tables > 1 and 2 * found[-1] < seats:  # share with the table before
        both = found[-2] + found[-1]
        found[-2:] = [both - both // 2, both // 2]
    return found


def seat(
    ranking: Sequence[int], seats: int, before: Sequence[Seating], seed: int, *, by_chance: bool
) -> list[Seating]:
    """The tables of a round for these people, the best first, after the tables `before` it."""
    rng = Random(seed)
    order = list(ranking)
    if by_chance:
        rng.shuffle(order)
    found = []
    for size in sizes(len(order), seats):
        table: list[int | None] = [*order[:size], *[None] * (seats - size)]
        order = order[size:]
        rng.shuffle(table)
        found.append(tuple(table))
    return found
