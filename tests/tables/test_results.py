"""What a finished game adds to the results, and what somebody has achieved by then."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import house as houses
import pytest
from baretable import everyone, table_of
from by_chance import TABLES, games
from house import act
from rules.cardtable import CLASSIC, last_tricks, play_on, rules

from engine.cards import QUEEN_OF_SPADES
from engine.names import NOBODY
from engine.play.achievements import Part, count_queens_given, in_game
from engine.play.deal import Deal
from engine.play.game import Game
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.results import GameKind
from engine.tables import Achieved, State, Table
from engine.tables.seats import FormerOccupant, Seat
from engine.tables.store import results_of

ANN, BO, CY, DI = [Seat(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)]


def scored(of: Ruleset, *points: tuple[int, ...]) -> Game:
    """A game whose deals came to these points."""
    game = Game(of)
    for deal in points:
        game = game._add_up(deal)
    return game


def placed(table: Table) -> list[tuple[int, bool, int]]:
    """Each person's place, whether they won, and their points."""
    return [(one.place, one.won, one.points) for one in results_of(table, 0.0)]


def test_people_are_placed_among_themselves_and_those_level_share_a_place() -> None:
    table = table_of(scored(CLASSIC, (30, 10, 90, 20), (30, 30, 10, 15)), ANN, BO, CY)
    assert placed(table) == [(2, False, 60), (1, False, 40), (3, False, 100)]
    found = results_of(table, 5.0)
    assert [(one.best, one.worst) for one in found] == [(30, 30), (10, 30), (10, 90)]
    assert {(one.people, one.deals, one.ended_at) for one in found} == {(3, 2, 5.0)}
    assert {one.kind for one in found} == {GameKind("classic", lowest=True)}
    level = table_of(scored(CLASSIC, (10, 10, 100, 20)), ANN, BO, CY, DI)
    assert placed(level) == [(1, True, 10), (1, True, 10), (4, False, 100), (3, False, 20)]


def test_the_highest_total_is_first_where_it_wins() -> None:
    table = table_of(scored(rules("chinese", 4, ends_at=100), (-50, 100, 20, 0)), ANN, BO, CY)
    assert placed(table) == [(3, False, -50), (1, True, 100), (2, False, 20)]
    assert [(one.best, one.kind.lowest) for one in results_of(table, 0.0)] == [
        (-50, False),
        (100, False),
        (20, False),
    ]


def test_who_is_gone_is_last_has_not_won_and_only_the_deals_count_that_were_done_before() -> None:
    away = [replace(one, away=True) for one in (ANN, CY)]
    table = table_of(scored(CLASSIC, (0, 26, 100, 40)), away[0], BO, away[1], DI)
    assert placed(table) == [(3, False, 0), (1, True, 26), (3, False, 100), (2, False, 40)]
    assert [one.left_early for one in results_of(table, 0.0)] == [True, False, True, False]
    left = [replace(one, away=True, deals_before_away=done) for one, done in ((BO, 0), (CY, 2))]
    kept = replace(DI, away=True, kept_until=1.0, deals_before_away=2)
    table = table_of(scored(CLASSIC, *[(10, 20, 30, 5)] * 6), ANN, *left, kept)
    assert [(one.deals, one.points, one.best, one.worst) for one in results_of(table, 0.0)] == [
        (6, 60, 10, 10),
        (0, 0, None, None),
        (2, 60, 30, 30),
        (6, 30, 5, 5),  # Di may come back, and her place follows from the total
    ]


SIX_DEALS = scored(CLASSIC, *[(10, 20, 30, 0)] * 6)


def test_who_comes_in_the_middle_counts_with_half_of_the_deals_and_with_these_alone() -> None:
    table = table_of(SIX_DEALS, ANN, replace(BO, since=4), replace(CY, since=5))
    found = [(one.name, one.place, one.deals, one.points, one.people) for one in results_of(table, 0.0)]
    assert found == [("Ann", 1, 6, 60, 2), ("Bo", 2, 3, 60, 2)]


def test_whose_seat_was_taken_has_left_for_good_and_the_total_goes_with_the_seat() -> None:
    left = FormerOccupant(1, NOBODY, "Lola", since=1, until=1), FormerOccupant(1, 3, "Cy", since=1, until=2)
    table = replace(table_of(SIX_DEALS, ANN, replace(BO, since=3)), former_occupants=left)
    found = [(one.name, one.seat, one.place, one.left_early, one.deals) for one in results_of(table, 0.0)]
    assert sorted(found) == [("Ann", 0, 1, False, 6), ("Bo", 1, 2, False, 4), ("Cy", 1, 3, True, 2)]
    assert {one.name: one.points for one in results_of(table, 0.0)} == {"Ann": 60, "Bo": 80, "Cy": 40}
    table = replace(table, game=scored(CLASSIC, *[(20, 10, 30, 40)] * 6))
    assert {one.name: one.won for one in results_of(table, 0.0)} == {"Ann": False, "Bo": True, "Cy": False}


@pytest.mark.parametrize(("since", "row"), [(4, (2, False, 3)), (5, (1, True, 1))])
def test_who_comes_again_has_one_result_of_the_last_seat(since: int, row: tuple[int, bool, int]) -> None:
    table = table_of(SIX_DEALS, ANN, Seat(None, "Lola"), replace(BO, since=since))
    table = replace(table, former_occupants=(FormerOccupant(1, 2, "Bo", since=1, until=1),))
    [_, one] = results_of(table, 0.0)
    assert (one.seat, one.left_early, one.deals) == row


def test_who_came_and_left_again_early_has_no_result() -> None:
    left = FormerOccupant(1, 2, "Bo", since=2, until=3), FormerOccupant(2, 3, "Cy", 3, 5)
    found = results_of(replace(table_of(SIX_DEALS, ANN), former_occupants=left), 0.0)
    assert [(one.name, one.left_early, one.people) for one in found] == [("Ann", False, 2), ("Cy", True, 2)]


FIVE = rules("cancellation", 5)


def handed_over(deal: Deal) -> Iterator[tuple[int, int]]:
    """Who played each queen of spades, and who took her."""
    waiting: list[int] = []  # in tricks on hold
    for done in deal.tricks:
        waiting += [seat for seat, card in done.trick.laid(deal.rules.players) if card == QUEEN_OF_SPADES]
        if done.winner is not None:
            yield from ((giver, done.winner) for giver in waiting)
            waiting = []


@pytest.mark.parametrize(
    ("of", "hands", "plays", "givers"),
    [
        (CLASSIC, "KS 2C|QS 3C|2S 4C|3S 5C", "KS QS 2S 3S 2C 3C 4C 5C", [0, 1, 0, 0]),
        (CLASSIC, "QS 2C|TS 3C|2S 4C|3S 5C", "QS TS 2S 3S 2C 3C 4C 5C", [0, 0, 0, 0]),
        (FIVE, "QS 2C|QS 3C|AD 4C|KD 5C|JD 6C", "QS QS AD KD JD 2C 3C 4C 5C 6C", [1, 1, 0, 0, 0]),
    ],
    ids=["to another", "to oneself", "two that cancel, to who takes the next trick"],
)
def test_the_queen_is_given_by_who_plays_her_and_taken_by_who_takes_her(
    of: Ruleset, hands: str, plays: str, givers: list[int]
) -> None:
    dealt = Game(of, deals=(last_tricks(of, *hands.split("|"), broken=True),))
    [deal] = play_on(dealt, plays).deals
    assert [count_queens_given(deal.tricks, seat) for seat in range(of.players)] == givers


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_queen_that_was_played_is_somebodys(preset: str, players: int) -> None:
    *_, game = games(Ruleset.of(preset, players, {"ends_at": 1}), Random(players))
    found = results_of(table_of(game, *everyone(game.rules)), 0.0)
    [first, *_] = game.deals
    kitty = sum(deal.dealt.kitty.count(QUEEN_OF_SPADES) for deal in game.deals)
    in_play = first.rules.pack.cards.count(QUEEN_OF_SPADES) * len(game.deals)
    kept = sum(giver == taker for deal in game.deals for giver, taker in handed_over(deal))
    assert sum(one.queens for one in found) == in_play
    assert sum(one.queens_given for one in found) == in_play - kitty - kept


@pytest.mark.parametrize(
    ("seed", "proved", "told"),
    [
        (3, [["moonbreaker"], [], [], []], (Achieved(0, "moonbreaker"),)),
        (5, [[], [], ["moon", "moons"], []], ()),
        (19, [[], ["moonbreaker"], [], []], ()),
    ],
)
async def test_what_somebody_has_achieved_is_told_once_and_computers_achieve_nothing(
    house: houses.House, seed: int, proved: list[list[str]], told: tuple[Achieved, ...]
) -> None:
    """All play by chance, and what the moves prove of each seat is known."""
    house.options["computer"] = lambda strength, manner: random_move
    for achieved in (told, ()):
        house.options["rng"] = Random(seed)
        await house.restart()
        table, rng = await house.start(houses.ANN, rules=rules("classic", 4, ends_at=60)), Random(seed)
        while table.is_live:
            table = await act(house.tables, table, rng)
        assert [in_game(Part(table.game, seat)) for seat in range(4)] == proved
        assert (table.state, table.achieved) == (State.OVER, achieved)
