"""Who sits where in a round: tables of people of like standing who have rarely met, and other chairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

#: A table's seats, by the numbers of their people; None for computers.
Seating = tuple[int | None, ...]


def sizes(people: int, seats: int) -> list[int]:
    """How many people sit at each table: computers fill the last, and nobody is alone if that can be."""
    tables = -(-people // seats)
    found = [seats] * (tables - 1) + [people - seats * (tables - 1)]
    if tables > 1 and 2 * found[-1] < seats:  # it shares with the table before
        both = found[-2] + found[-1]
        found[-2:] = [both - both // 2, both // 2]
    return found


def seat(order: Sequence[int], seats: int, before: Sequence[Seating], seed: int) -> list[Seating]:
    """The tables of a round for these people, the best first, after the tables `before` it."""
    # It loads numpy, which a bot can do without until a tournament begins.
    from engine.tournaments.swaps import search

    rng, groups = Random(seed), sizes(len(order), seats)
    table_of = search(order, seats, groups, before, rng)
    together = [
        [one for one, table in zip(order, table_of, strict=True) if table == number]
        for number in range(len(groups))
    ]
    return [_with_chairs(group, seats, before, rng) for group in together]


# Chairs


def _with_chairs(people: list[int], seats: int, before: Iterable[Seating], rng: Random) -> Seating:
    """These people on chairs that they have had as rarely as possible; computers on those that are left."""
    had = [[0] * seats for _ in people]
    for table in before:
        for number, one in enumerate(people):
            if one in table:
                had[number][table.index(one)] += 1
    chairs = rng.sample(range(seats), seats)
    # By the set of chairs that are taken: the least cost, and who sits there in the order of `people`.
    found: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for own in had:
        taken = found
        found = {}
        for chosen, (cost, sitting) in taken.items():
            for chair in chairs:
                key, sum = chosen | 1 << chair, cost + own[chair] ** 2
                if key != chosen and (key not in found or sum < found[key][0]):
                    found[key] = (sum, (*sitting, chair))
    _, sitting = min(found.values(), key=lambda one: one[0])
    by_chair = dict(zip(sitting, people, strict=True))
    return tuple([by_chair.get(chair) for chair in range(seats)])
