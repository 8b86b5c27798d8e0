"""Points against par: every bar and every line of par has its place, and whatever changes is seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.files import WIDTH
from bot.pictures.pars import NUMBER, bars
from bot.vocabulary.scenes import MOST_BARS, ParScene, Score, Tone

GAMES = [
    drawn.pars(players, deals, least=least, most=most, unknown=unknown)
    for players in range(3, 11)
    for deals, least, most, unknown in (
        (1, 0, 0, None),
        (1, 0, 26, 1),
        (7, 0, 26, 3),
        (13, -10, 26, None),
        (MOST_BARS, -400, 100, None),
        (9, -40, -1, None),
    )
]


@pytest.mark.parametrize("scene", GAMES)
def test_everything_has_its_place(scene: ParScene) -> None:
    layout = bars(scene)
    for player, scale in zip(scene.players, layout, strict=True):
        middles = [scale.x(index) for index in range(len(player.deals))]
        assert all(other - one > 2 * scale.half for one, other in pairwise(middles))
        assert middles[0] - scale.half >= 0
        assert middles[-1] + scale.half <= WIDTH
        for deal in player.deals:
            values = [0, deal.points, *([] if deal.par is None else [deal.par])]
            assert all(scale.room.top <= scale.y(value) <= scale.room.bottom for value in values)
    assert all(one.box.bottom + NUMBER < other.box.top for one, other in pairwise(layout))


def test_points_that_are_as_many_are_as_high_for_everyone() -> None:
    for scene in GAMES:
        heights = [scale.y(0) - scale.y(13) for scale in bars(scene)]
        assert heights == pytest.approx([heights[0]] * len(heights))


@pytest.mark.slow
def test_whatever_changes_is_seen() -> None:
    scene = drawn.pars(3, 5)
    first, *others = scene.players
    deal, *later = first.deals
    assert deal.par is not None
    changed = [
        replace(first, name="Gus"),
        replace(first, summary="40 points, par 45.2"),
        replace(first, gain=Score("▲ 5.2", Tone.GOOD)),
        replace(first, has_won=False),
        *(
            replace(first, deals=(one, *later))
            for one in (
                replace(deal, points=deal.points + 4),
                replace(deal, par=deal.par + 4),
                replace(deal, par=None),
                replace(deal, tone=Tone.PLAIN),
            )
        ),
    ]
    scenes = [replace(scene, players=(one, *others)) for one in changed]
    scenes += [replace(scene, first=7), replace(scene, legend=("par", "good", "bad"))]
    assert len({draw(scene), *map(draw, scenes)}) == len(scenes) + 1
