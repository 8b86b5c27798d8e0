"""Tournaments as values: scores against par, what falls due, and who sits where."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from engine.play.par import Par
from engine.rules.lengths import minutes_a_deal
from engine.rules.ruleset import Ruleset
from engine.tables import Pace
from engine.tables.plan import CATCH_UP, Plan
from engine.tournaments import (
    Entrant,
    PlayedDeal,
    Round,
    RoundTable,
    TableState,
    Terms,
    Tournament,
    TournamentState,
    standings,
)
from engine.tournaments.changes import PAUSE, after_absence, shifted
from engine.tournaments.seating import Seating, seat, sizes
from engine.tournaments.tournament import MINUTES, PACES, usual_minutes

CLASSIC, CHINESE = Ruleset.of("classic", 4), Ruleset.of("chinese", 4)
ALL = frozenset(range(4))
EVEN = (6.5, 6.5, 6.5, 6.5)
NOW = 1000.0


def deal(*points: int, par: tuple[float, ...] | None = None, played: frozenset[int] = ALL) -> PlayedDeal:
    return PlayedDeal(points, played, Par(par, (0.5,) * 4, 60) if par else None)


def tournament(
    rules: Ruleset, *deals: PlayedDeal, seats: tuple[int | None, ...] = (1, 2, 3, 4)
) -> Tournament:
    """One with one table, where these deals were played."""
    return Tournament(
        id=1,
        guild=1,
        channel=1,
        host=1,
        terms=Terms(rules),
        opened_at=0.0,
        state=TournamentState.PLAYING,
        entrants=tuple([Entrant(number, 100 + number, f"P{number}") for number in range(1, 5)]),
        rounds=(Round(1, 0.0, 1.0, (RoundTable(1, seats, deals=deals),)),),
    )


def scores(one: Tournament) -> dict[int, float]:
    return {standing.entrant.number: standing.score for standing in standings(one)}


def test_fewer_points_than_par_are_good_where_the_lowest_total_wins() -> None:
    found = standings(tournament(CLASSIC, deal(0, 26, 0, 0, par=(6.5, 10.5, 4.0, 5.0))))
    assert [(one.entrant.number, one.score) for one in found] == [(1, 6.5), (4, 5.0), (3, 4.0), (2, -15.5)]
    assert {one.entrant.number: one.luck for one in found} == {1: 0.0, 2: -4.0, 3: 2.5, 4: 1.5}


def test_more_points_than_par_are_good_where_the_highest_total_wins() -> None:
    found = standings(tournament(CHINESE, deal(100, -50, 0, 0, par=(20.0, -40.0, 0.0, 60.0))))
    assert [(one.entrant.number, one.score) for one in found] == [(1, 80), (3, 0), (2, -10), (4, -60)]
    assert {one.entrant.number: one.luck for one in found} == {1: 10.0, 2: -50.0, 3: -10.0, 4: 50.0}


@pytest.mark.parametrize(("rules", "order"), [(CLASSIC, [2, 1, 3, 4]), (CHINESE, [1, 3, 4, 2])])
def test_level_scores_are_decided_by_points_then_by_sign_up(rules: Ruleset, order: list[int]) -> None:
    """Scores are level as they are shown: to a tenth."""
    level = deal(7, 5, 7, 7, par=(7.0, 5.04, 6.96, 7.0))
    assert [one.entrant.number for one in standings(tournament(rules, level))] == order
    assert set(scores(tournament(rules, level)).values()) == {0.0}


def test_a_deal_without_par_counts_later_and_says_so() -> None:
    one = tournament(CLASSIC, deal(0, 26, 0, 0), deal(13, 13, 0, 0, par=EVEN))
    assert one.deals_without_par == 1
    first = standings(one)[0]
    assert (first.entrant.number, first.score, first.missing) == (3, 6.5, 1)
    assert first.best == first.worst == first.deals[1]


def test_of_deals_against_par_the_best_and_the_worst_are_known() -> None:
    par = (13.0, 13.0, 0.0, 0.0)
    deals = [deal(own, 26 - own, 0, 0, par=par) for own in (13, 12, 14)]
    deals.insert(2, deal(0, 26, 0, 0))
    first = next(one for one in standings(tournament(CLASSIC, *deals)) if one.entrant.number == 1)
    assert (first.best.deal, first.worst.deal) == (2, 4)
    level = next(one for one in standings(tournament(CLASSIC, *deals[:2])) if one.entrant.number == 2)
    assert level.best.gain == 0


def test_what_a_computer_played_for_somebody_does_not_count() -> None:
    one = tournament(CLASSIC, deal(26, 0, 0, 0, par=EVEN, played=ALL - {0}), deal(0, 26, 0, 0, par=EVEN))
    assert scores(one) == {1: 6.5, 2: -13.0, 3: 13.0, 4: 13.0}
    assert [len(standing.deals) for standing in standings(one)] == [2, 2, 1, 2]
    last = standings(one)[-1]
    assert [deal.gain for deal in last.deals] == [last.best.gain, last.worst.gain] == [6.5, -19.5]


def test_computers_are_not_ranked_and_who_has_not_played_comes_last() -> None:
    played = deal(0, 26, 0, 0, par=EVEN, played=frozenset({0, 1}))
    found = standings(tournament(CLASSIC, played, seats=(3, 1, None, None)))
    assert [one.entrant.number for one in found] == [3, 1, 2, 4]
    assert [one.place for one in found] == [1, 2, 3, 4]
    assert (found[2].best, found[2].luck, found[2].deals) == (None, None, ())


# What falls due


def signing_up(*here: bool, plan: Plan | None = None) -> Tournament:
    """One being signed up for, by people who are there for its start or not."""
    entrants = [Entrant(number, 100 + number, "P", is_here=is_here) for number, is_here in enumerate(here, 1)]
    state = TournamentState.SIGNING_UP
    return replace(tournament(CLASSIC), state=state, plan=plan, entrants=tuple(entrants), rounds=())


def playing(state: TableState, *, until: float, next_at: float | None = None) -> Tournament:
    """One whose first round has a single table."""
    round = Round(1, 0.0, until, (RoundTable(1, (1, 2, None, None), state),))
    return replace(signing_up(True, True), state=TournamentState.PLAYING, rounds=(round,), next_at=next_at)


@pytest.mark.parametrize("pace", PACES)
def test_a_round_lasts_as_long_as_its_deals_in_steps_of_five_minutes(pace: Pace) -> None:
    least, most = MINUTES
    for deals in (1, 4, 8):
        expected = minutes_a_deal(CLASSIC, 4) * deals * PACES[pace]
        minutes = usual_minutes(CLASSIC, deals, pace)
        assert minutes % 5 == 0
        assert minutes in (least, most) or expected <= minutes < expected + 5


def test_a_clock_that_is_set_moves_what_is_due() -> None:
    moved = shifted(playing(TableState.DONE, until=600.0, next_at=700.0), 30.0)
    assert (moved.rounds[0].until, moved.next_at) == (630.0, 730.0)
    planned = signing_up(plan=Plan(500.0, 0.0))
    assert shifted(planned, 30.0) == planned


def test_a_round_or_result_that_fell_due_meanwhile_comes_a_while_later() -> None:
    due = playing(TableState.DONE, until=600.0, next_at=NOW - 1)
    assert after_absence(due, NOW).next_at == NOW + PAUSE
    to_come = playing(TableState.DONE, until=600.0, next_at=NOW + 1)
    assert after_absence(to_come, NOW) == to_come


@pytest.mark.parametrize(("here", "waits"), [((True, True), False), ((True, False), True)])
def test_a_start_that_fell_due_waits_unless_enough_are_there(here: tuple[bool, ...], waits: bool) -> None:
    planned = signing_up(*here, plan=Plan(NOW - 1, 0.0, reminded=True))
    plan = after_absence(planned, NOW).plan
    assert plan.at == (NOW + CATCH_UP if waits else NOW - 1)


def test_only_rounds_that_were_begun_have_tables() -> None:
    one = playing(TableState.PLAYING, until=600.0)
    assert one.table_in(1, 1) is one.rounds[0].tables[0]
    assert [one.table_in(round, number) for round, number in ((0, 1), (2, 1), (1, 2))] == [None, None, None]


# Who sits where: everybody once, new faces as far as that can be, and other chairs


def night(people: int, seats: int, rounds: int, seed: int) -> list[list[Seating]]:
    """The tables of each round, for standings that change by chance."""
    rng, found = Random(seed), list[list[Seating]]()
    for round in range(rounds):
        order = rng.sample(range(1, people + 1), people)
        before = [table for tables in found for table in tables]
        found.append(seat(order, seats, before, seed + round))
    return found


def sitting(table: Seating) -> list[int]:
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
