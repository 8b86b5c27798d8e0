"""What a finished game adds to the results, and what somebody has achieved by then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from acting import act
from by_chance import TABLES, play_on
from house import ANN, House
from rules.cardtable import CLASSIC, last_tricks, rules

from engine.cards import QUEEN_OF_SPADES
from engine.names import NOBODY
from engine.play.achievements import Part, count_queens_given, in_game
from engine.play.deal import Deal
from engine.play.game import Game
from engine.play.moves import Played
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.results import GameKind
from engine.tables import Achieved, State, Table
from engine.tables.seats import FormerOccupant, Seat, Seats
from engine.tables.store import results_of


def people(*names: str) -> list[Seat]:
    """Seats of people with these names."""
    return [Seat(number, name) for number, name in enumerate(names, 1)]


def finished(game: Game, *seats: Seat) -> Table:
    """A table whose game is over; seats that are not given are computers'."""
    computers = [Seat(None, f"Robot {number}") for number in range(len(seats), game.rules.players)]
    return Table(
        id=1,
        guild=7,
        channel=1,
        host=1,
        rules=game.rules,
        state=State.OVER,
        seats=Seats((*seats, *computers)),
        game=game,
    )


def scored(of: Ruleset, *points: tuple[int, ...]) -> Game:
    """A game whose deals came to these points."""
    game = Game(of)
    for deal in points:
        game = game._add_up(deal)
    return game


def played(deal: Deal, *codes: str) -> Deal:
    """The deal after these cards, each laid by who is next."""
    game = Game(deal.rules, deals=(deal,))
    for code in codes:
        game = game.advance(Played(game.deals[-1].turn, deal.rules.pack.faces[code]))
    return game.deals[-1]


def placed(table: Table) -> list[tuple[int, bool, int]]:
    """Each person's place, whether they won, and their points."""
    return [(one.place, one.won, one.points) for one in results_of(table, 0.0)]


def test_people_are_placed_among_themselves_and_those_level_share_a_place() -> None:
    game = scored(CLASSIC, (30, 10, 90, 20), (30, 30, 10, 15))
    table = finished(game, *people("Ann", "Bo", "Cy"))
    assert placed(table) == [(2, False, 60), (1, False, 40), (3, False, 100)]
    found = results_of(table, 5.0)
    assert [(one.best, one.worst) for one in found] == [(30, 30), (10, 30), (10, 90)]
    assert {(one.people, one.deals, one.ended_at, one.kind) for one in found} == {
        (3, 2, 5.0, GameKind("classic", lowest=True))
    }
    level = finished(scored(CLASSIC, (10, 10, 100, 20)), *people("Ann", "Bo", "Cy", "Di"))
    assert placed(level) == [(1, True, 10), (1, True, 10), (4, False, 100), (3, False, 20)]


def test_the_highest_total_is_first_where_it_wins() -> None:
    game = scored(rules("chinese", 4, ends_at=100), (-50, 100, 20, 0))
    table = finished(game, *people("Ann", "Bo", "Cy"))
    assert placed(table) == [(3, False, -50), (1, True, 100), (2, False, 20)]
    assert {(one.best, one.kind.lowest) for one in results_of(table, 0.0)} == {
        (-50, False),
        (100, False),
        (20, False),
    }


def test_who_is_gone_is_last_has_not_won_and_only_the_deals_count_that_were_done_before() -> None:
    ann, bo, cy, di = people("Ann", "Bo", "Cy", "Di")
    away = [replace(one, away=True) for one in (ann, cy)]
    table = finished(scored(CLASSIC, (0, 26, 100, 40)), away[0], bo, away[1], di)
    assert placed(table) == [(3, False, 0), (1, True, 26), (3, False, 100), (2, False, 40)]
    assert [one.left_early for one in results_of(table, 0.0)] == [True, False, True, False]
    left = [replace(one, away=True, deals_before_away=done) for one, done in ((bo, 0), (cy, 2))]
    kept = replace(di, away=True, kept_until=1.0, deals_before_away=2)
    table = finished(scored(CLASSIC, *[(10, 20, 30, 5)] * 6), ann, *left, kept)
    found = {one.name: (one.deals, one.points, one.best, one.worst) for one in results_of(table, 0.0)}
    assert found == {
        "Ann": (6, 60, 10, 10),
        "Bo": (0, 0, None, None),
        "Cy": (2, 60, 30, 30),
        "Di": (6, 30, 5, 5),  # may come back, and her place follows from the total
    }


SIX_DEALS = [(10, 20, 30, 0)] * 6


def test_who_comes_in_the_middle_counts_with_half_of_the_deals_and_with_these_alone() -> None:
    game = scored(CLASSIC, *SIX_DEALS)
    ann, bo, cy = people("Ann", "Bo", "Cy")
    table = finished(game, ann, replace(bo, since=4), replace(cy, since=5))
    first, second = results_of(table, 0.0)
    assert (first.person, first.place, first.deals, first.points) == (1, 1, 6, 60)
    assert (second.person, second.place, second.deals, second.points, second.best) == (2, 2, 3, 60, 20)
    assert {one.people for one in (first, second)} == {2}


def test_whose_seat_was_taken_has_left_for_good_and_the_total_goes_with_the_seat() -> None:
    game = scored(CLASSIC, *SIX_DEALS)
    ann, bo = people("Ann", "Bo")
    table = finished(game, ann, replace(bo, since=3))
    lola = FormerOccupant(1, NOBODY, "Lola", since=1, until=1)
    table = replace(table, former_occupants=(lola, FormerOccupant(1, 3, "Cy", since=1, until=2)))
    assert {
        one.name: (one.seat, one.place, one.won, one.left_early, one.deals, one.points)
        for one in results_of(table, 0.0)
    } == {
        "Ann": (0, 1, False, False, 6, 60),
        "Bo": (1, 2, False, False, 4, 80),
        "Cy": (1, 3, False, True, 2, 40),
    }


@pytest.mark.parametrize(("since", "row"), [(4, (2, False, 3)), (5, (1, True, 1))])
def test_who_comes_again_has_one_result_of_the_last_seat_that_counts(
    since: int, row: tuple[int, bool, int]
) -> None:
    ann, bo = people("Ann", "Bo")
    table = finished(scored(CLASSIC, *SIX_DEALS), ann, Seat(None, "Lola"), replace(bo, since=since))
    table = replace(table, former_occupants=(FormerOccupant(1, 2, "Bo", since=1, until=1),))
    [_, one] = results_of(table, 0.0)
    assert (one.seat, one.left_early, one.deals) == row


def test_who_came_and_left_again_early_has_no_result() -> None:
    [ann] = people("Ann")
    table = finished(scored(CLASSIC, *SIX_DEALS), ann)
    table = replace(
        table,
        former_occupants=(FormerOccupant(1, 2, "Bo", since=2, until=3), FormerOccupant(2, 3, "Cy", 3, 5)),
    )
    assert [(one.name, one.left_early, one.people) for one in results_of(table, 0.0)] == [
        ("Ann", False, 2),
        ("Cy", True, 2),
    ]


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
        (
            rules("cancellation", 5),
            "QS 2C|QS 3C|AD 4C|KD 5C|JD 6C",
            "QS QS AD KD JD 2C 3C 4C 5C 6C",
            [1, 1, 0, 0, 0],
        ),
    ],
    ids=["to another", "to oneself", "two that cancel, to who takes the next trick"],
)
def test_the_queen_is_given_by_who_plays_her_and_taken_by_who_takes_her(
    of: Ruleset, hands: str, plays: str, givers: list[int]
) -> None:
    deal = played(last_tricks(of, *hands.split("|"), broken=True), *plays.split())
    assert [count_queens_given(deal.tricks, seat) for seat in range(of.players)] == givers


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_queen_that_was_played_is_somebodys(preset: str, players: int) -> None:
    rng = Random(players)
    game = play_on(Game(Ruleset.of(preset, players, {"ends_at": 1})), rng)
    while not game.over or game.deal:
        game = play_on(game, rng)
    found = results_of(finished(game, *people(*(f"P{number}" for number in range(players)))), 0.0)
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
    house: House, seed: int, proved: list[list[str]], told: tuple[Achieved, ...]
) -> None:
    """All play by chance, and what the moves prove of each seat is known."""
    house.options["computer"] = lambda strength, manner: random_move
    for achieved in (told, ()):
        house.options["rng"] = Random(seed)
        await house.restart()
        table, rng = await house.start(ANN, rules=rules("classic", 4, ends_at=60)), Random(seed)
        while table.is_live:
            table = await act(house.tables, table, rng)
        assert [in_game(Part(table.game, seat)) for seat in range(4)] == proved
        assert (table.state, table.achieved) == (State.OVER, achieved)
