"""Red is what hurts and green what helps, by the goal of each game."""

import pytest
from games import EXTREMES

from bot.vocabulary.messages import Colour
from bot.vocabulary.scenes import Score, Tone
from bot.words.tones import score, sign, stripe, tone
from engine.play.game import Game
from engine.rules.ruleset import Ruleset


@pytest.mark.parametrize("winner", ["lowest", "highest"])
@pytest.mark.parametrize(("preset", "players"), EXTREMES)
@pytest.mark.parametrize("points", [-7, 7])
def test_what_helps_is_what_lets_one_win_and_no_points_do_neither(
    preset: str, players: int, winner: str, points: int
) -> None:
    rules = Ruleset.of(preset, players, {"winner": winner})
    totals = (rules.ends_at + points, *[rules.ends_at] * (players - 1))
    wins = Game(rules, history=(totals,)).winners == (0,)
    assert tone(rules, points) is (Tone.GOOD if wins else Tone.BAD)
    assert sign(rules, points) == ("🟢" if wins else "🔴")
    assert stripe(rules, points) is (Colour.HELPS if wins else Colour.HURTS)
    assert (score(rules, 0), sign(rules, 0)) == (Score("0", Tone.PLAIN), "⚪")


def test_signs_stand_where_some_cards_bring_and_some_cost() -> None:
    assert score(Ruleset.of("classic", 4), 13) == Score("13", Tone.BAD)
    assert score(Ruleset.of("classic", 4, {"jack_of_diamonds": True}), 3) == Score("+3", Tone.BAD)
    assert score(Ruleset.of("cancellation", 5), 13) == Score("13", Tone.GOOD)
    assert score(Ruleset.of("chinese", 4), 180) == Score("+180", Tone.GOOD)
    assert score(Ruleset.of("chinese", 4), -100) == Score("−100", Tone.BAD)
