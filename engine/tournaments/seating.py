"""Seating for a round: tables of people with similar standings who have rarely met, on varying chairs."""

from collections.abc import Iterable, Sequence
from random import Random

#: A table's seats, by the numbers of their people; None for computers.
Seating = tuple[int | None, ...]


def sizes(people: int, seats: int) -> list[int]:
    """The number of people at each table: computers fill the last ones, and nobody sits alone if possible."""
    tables = -(-people // seats)
    counts = [seats] * (tables - 1) + [people - seats * (tables - 1)]
    if tables > 1 and 2 * counts[-1] < seats:  # it evens out with the table before
        both = counts[-2] + counts[-1]
        counts[-2:] = [both - both // 2, both // 2]
    return counts


def seat(order: Sequence[int], seats: int, before: Sequence[Seating], seed: int) -> list[Seating]:
    """The tables of a round for these people, best first; `before` are the tables of earlier rounds."""
    # Imported here, as it loads numpy, which a bot doesn't need before a tournament begins.
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
    """Put these people on chairs that they have rarely had, and computers on the others."""
    had = [[0] * seats for _ in people]
    for table in before:
        for number, one in enumerate(people):
            if one in table:
                had[number][table.index(one)] += 1
    chairs = rng.sample(range(seats), seats)
    # By the set of occupied chairs: the least cost, and the chairs of the first people in that order.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for own in had:
        previous = best
        best = {}
        for chosen, (cost, sitting) in previous.items():
            for chair in chairs:
                key, total = chosen | 1 << chair, cost + own[chair] ** 2
                if key != chosen and (key not in best or total < best[key][0]):
                    best[key] = (total, (*sitting, chair))
    _, sitting = min(best.values(), key=lambda one: one[0])
    by_chair = dict(zip(sitting, people, strict=True))
    return tuple([by_chair.get(chair) for chair in range(seats)])
