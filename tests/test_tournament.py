"""Duplicate deals, as the tournament plays them."""

from __future__ import annotations

from statistics import fmean

import pytest

from engine.rules.presets import PRESETS
from tests.bench.duplicates import Match, play


@pytest.mark.slow
def test_alike_players_are_equal_when_each_sits_in_every_seat() -> None:
    tally = play(Match("classic", 4, "medium", "medium"), 3)
    assert tally.better == pytest.approx([0, 0, 0])
    assert any(tally.points[0])


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players", "sign"), [("classic", 4, -1), ("cancellation", 5, 1)])
def test_a_better_player_has_better_points_and_the_error_is_over_deals(
    preset: str, players: int, sign: int
) -> None:
    tally = play(Match(preset, players, "medium", "random"), 8)
    assert len(tally.better) == 8
    assert sign * (fmean(tally.points[0]) - fmean(tally.points[1])) == pytest.approx(tally.mean)
    assert tally.mean > tally.error > 0
    assert len(tally.points[0]) == 32  # four seats for each deal
    assert play(Match(preset, players, "medium", "random"), 2).better == tally.better[:2]


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["shooter", "blind"])
def test_opponents_play_every_kind_of_game(habit: str) -> None:
    for preset in PRESETS.values():
        match = Match(preset.name, min(preset.players), f"tests.bench.opponents:{habit}", "random")
        assert len(play(match, 1).better) == 1
