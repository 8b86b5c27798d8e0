"""Duplicate deals, as the tournament plays them."""

from __future__ import annotations

from statistics import fmean

import pytest

from engine.rules.presets import PRESETS
from tests.bench.duplicates import Match, play, play_deal


@pytest.mark.slow
def test_alike_players_are_equal_when_each_sits_in_every_seat() -> None:
    tally = play(Match("classic", 4, {}, "medium", "medium"), 3)
    assert tally.better == pytest.approx([0, 0, 0])
    assert any(tally.points[0])


@pytest.mark.slow
def test_a_better_player_takes_fewer_points_and_the_error_is_over_deals() -> None:
    tally = play(Match("classic", 4, {"moon": "self"}, "medium", "random", several=2), 8)
    assert len(tally.better) == 8
    assert fmean(tally.points[0]) < fmean(tally.points[1])
    assert tally.mean > tally.error > 0
    assert tally.hands == (32, 32)  # two seatings for each deal


def test_where_the_highest_wins_more_points_are_better() -> None:
    tally = play(Match("cancellation", 5, {}, "medium", "random"), 4)
    assert fmean(tally.points[0]) > fmean(tally.points[1])
    assert tally.mean > 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_deals_in_one_process_and_in_two() -> None:
    match = Match("chinese", 3, {}, "medium", "random", seed="twice")
    assert play(match, 3).better == play(match, 3, jobs=2).better


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["shooter", "ducker", "bleeder", "blind"])
def test_opponents_play_every_kind_of_game(habit: str) -> None:
    for preset in PRESETS.values():
        match = Match(preset.name, min(preset.players), {}, f"tests.bench.opponents:{habit}", "random")
        assert len(play_deal(match, 1).better) == 1


def test_each_kind_sits_in_every_seat_however_many_sit_down() -> None:
    for players, several in ((4, 1), (4, 2), (8, 4), (5, 2)):
        seatings = Match("double-deck", players, {}, "medium", "random", several).seatings(7)
        assert all(len(seats) == several for seats in seatings)
        assert len({seat for seats in seatings for seat in seats}) == players
