"""Who sits where: everybody once, new faces as far as that can be, and other chairs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine.tournaments.seating import Seating, seat, sizes


def night(people: int, seats: int, rounds: int, seed: int) -> list[list[Seating]]:
    """The tables of each round, for standings that change by chance."""
    rng, found = Random(seed), list[list[Seating]]()
    for round in range(rounds):
        order = rng.sample(range(1, people + 1), people)
        before = [table for tables in found for table in tables]
        found.append(seat(order, seats, before, seed + round))
    return found


def sitting(table: Seating) -> list[int]:
    """The people at this table."""
    return sorted(one for one in table if one is not None)


def meetings(rounds: list[list[Seating]]) -> Counter[tuple[int, int]]:
    """How often each pair has sat at one table."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sitting(table), 2))


def fewest(people: int, seats: int, rounds: int) -> int:
    """A number of repeated meetings below which nobody can come.

    There are only so many pairs; and of more people at a table than there were tables before, some have met.
    """
    groups = sizes(people, seats)
    pairs = sum(size * (size - 1) // 2 for size in groups)
    by_pairs = rounds * pairs - people * (people - 1) // 2
    tables = len(groups)
    by_tables = 0
    for size in groups:
        each, more = divmod(size, tables)
        by_tables += more * (each + 1) * each // 2 + (tables - more) * each * (each - 1) // 2
    return max(0, by_pairs, (rounds > 1) * by_tables)


@pytest.mark.parametrize("seats", range(3, 11))
def test_nobody_is_alone_and_computers_sit_at_the_last_tables(seats: int) -> None:
    for people in range(2, 65):
        groups = sizes(people, seats)
        assert sum(groups) == people
        assert len(groups) == -(-people // seats)
        assert min(groups) >= 2
        assert groups == sorted(groups, reverse=True)
        assert groups[:-2] == [seats] * (len(groups) - 2)
        assert len(groups) == 1 or groups[-1] >= seats // 2


@pytest.mark.parametrize(
    ("people", "seats", "tables"),
    [(6, 4, [4, 2]), (5, 4, [3, 2]), (9, 6, [6, 3]), (8, 6, [4, 4]), (14, 5, [5, 5, 4]), (11, 5, [5, 3, 3])],
)
def test_a_table_that_is_half_full_stays_as_it_is(people: int, seats: int, tables: list[int]) -> None:
    assert sizes(people, seats) == tables


@pytest.mark.parametrize(
    ("people", "seats"), [(2, 4), (4, 4), (7, 4), (13, 4), (16, 4), (11, 3), (12, 6), (25, 10)]
)
def test_everybody_has_one_seat_a_round(people: int, seats: int) -> None:
    for tables in night(people, seats, 5, seed=1):
        assert sorted(one for table in tables for one in sitting(table)) == list(range(1, people + 1))
        assert all(len(table) == seats for table in tables)
        assert [len(sitting(table)) for table in tables] == sizes(people, seats)


def test_the_same_seed_seats_the_same() -> None:
    assert night(16, 4, 3, 7) == night(16, 4, 3, 7)
    assert night(16, 4, 3, 7) != night(16, 4, 3, 8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "seats", "rounds", "slack"),
    [(64, 4, 8, 0), (40, 5, 4, 0), (16, 4, 8, 4), (13, 4, 3, 1), (10, 4, 4, 5), (7, 4, 8, 0), (64, 10, 2, 0)],
)
def test_people_meet_as_seldom_as_can_be(people: int, seats: int, rounds: int, slack: int) -> None:
    for seed in range(2):
        met = meetings(night(people, seats, rounds, seed))
        assert sum(times - 1 for times in met.values()) <= fewest(people, seats, rounds) + slack
        assert max(met.values()) <= -(-sum(met.values()) * 2 // (people * (people - 1))) + 2


@pytest.mark.slow
@pytest.mark.parametrize(("people", "seats"), [(64, 4), (16, 4), (7, 4), (15, 3), (30, 10)])
def test_chairs_change(people: int, seats: int) -> None:
    """In three rounds nobody has one chair three times, and most have three."""
    for seed in range(2):
        chairs = Counter(
            (one, chair)
            for tables in night(people, seats, 3, seed)
            for table in tables
            for chair, one in enumerate(table)
            if one is not None
        )
        assert max(chairs.values()) <= 2
        assert sum(times - 1 for times in chairs.values()) <= people // 2


def test_people_of_like_standing_sit_together() -> None:
    """Once nobody has met anybody, tables go by standing; and as nearly as that can be after."""
    order = list(range(1, 33))
    first = seat(order, 4, [], 1)
    assert [sitting(table) for table in first] == [order[begin : begin + 4] for begin in range(0, 32, 4)]
    second = seat(order, 4, first, 2)
    assert max(meetings([first, second]).values()) == 1
    distance = sum(
        abs(number - (one - 1) // 4) for number, table in enumerate(second) for one in sitting(table)
    )
    by_chance = 32 * 21 / 8  # the mean distance of two of eight tables, 2.6
    assert distance < by_chance * 0.6


def test_who_sat_with_computers_gives_way_to_their_neighbour() -> None:
    """Of those at the last table before, none has met the others, so that only the computers decide."""
    before: list[Seating] = [(6, 11, 12, None), (7, 13, 14, None)]
    last = seat(list(range(1, 8)), 4, before, 1)[-1]
    assert None in last
    assert not {6, 7} & set(last)
