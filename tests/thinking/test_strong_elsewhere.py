"""What the strong player is asked from here it answers as it would here, and the more ask the quicker."""

from contextlib import closing
from random import Random

import pytest
from by_chance import games, play_on
from scraping import counted

from engine.errors import Refusal
from engine.play.game import Game
from engine.play.views import seat_view
from engine.players.advice import FULL, QUICK
from engine.players.manners import Manner
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.thinking import Thinking, affordable, answers

MANNER = next(iter(Manner))
VIGILANCE = [1.0, 0.0] * 5  # as of some strong and some medium computers
LONG = 900.0  # seconds: it may have to compile first


def test_the_more_ask_the_fewer_playouts_each_has_and_in_the_end_none() -> None:
    efforts = [affordable(crowd) for crowd in range(20)]
    assert efforts == sorted(efforts, reverse=True)
    assert efforts[0] == FULL
    assert min(effort for effort in efforts if effort) >= QUICK
    assert len(set(efforts)) > 3
    assert efforts[-1] == 0


@pytest.mark.slow
async def test_another_process_decides_as_this_one_would(
    thinker: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.thinking.FULL", QUICK)
    rng = Random(5)
    for preset in PRESETS.values():
        game = Game(Ruleset.of(preset.name, max(preset.players)))
        while len(game.deals) < 3:  # the later views know of deals before
            if game.deal and rng.random() < (0.02 if game.deal.tricks else 0.1):
                view = seat_view(game, game.deal.waiting_for[0])
                there = await thinker.move(view, MANNER, VIGILANCE, 7, LONG)
                assert there == answers.move(view, MANNER, VIGILANCE, QUICK, 7)
            game = play_on(game, rng)
    moves = counted(thinker.moves)("hearts_thoughts_total")
    assert moves == counted(thinker.moves)("hearts_thoughts_total", by="strong") > len(PRESETS)
    assert counted(thinker.playouts)("hearts_playouts_total") == QUICK * moves


@pytest.mark.slow
async def test_who_gets_no_advice_hears_whether_it_is_too_early_or_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.thinking.ADVICE_PATIENCE", 0.0)
    view = seat_view(next(games(Ruleset.of("classic", 4), Random(1))), 0)
    with closing(Thinking(workers=1)) as thinking:
        with pytest.raises(Refusal, match="getting_ready"):
            await thinking.advise(view, QUICK, 1)
        assert await thinking.move(view, None, VIGILANCE, 1, LONG)
        with pytest.raises(Refusal, match="no_advice"):
            await thinking.advise(view, QUICK, 1)
