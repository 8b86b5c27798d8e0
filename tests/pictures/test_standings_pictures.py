"""A tournament's standings, its podium and what was luck lie within their pictures, and tell all."""

from __future__ import annotations

from dataclasses import replace

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.podium import podium_palette
from bot.pictures.standings import BARS, Bars, standings_palette
from bot.vocabulary.scenes import Score, Tone


@pytest.mark.parametrize("values", [(), (0.0,), (0.1, -0.1), (-30.0, -2.0), (3.0, 60.0), (-400.0, 250.5)])
def test_every_bar_has_its_place(values: tuple[float, ...]) -> None:
    scale = Bars(values)
    assert BARS[0] < scale.zero < BARS[1]
    for value in values:
        box = scale.box(value, 100, 30)
        assert BARS[0] - 4 <= box.left < box.right <= BARS[1] + 4
        if abs(value) > 1:
            assert (box.centre[0] > scale.zero) is (value > 0)


def test_small_scores_do_not_look_large() -> None:
    assert Bars([0.2]).box(0.2, 0, 30).width < Bars([20.0]).box(20.0, 0, 30).width / 2


def test_the_palettes_have_room() -> None:
    assert podium_palette().mode == standings_palette().mode == "P"


@pytest.mark.slow
def test_whatever_changes_is_seen() -> None:
    scene = drawn.standings(5)
    first, *others = scene.lines
    changed = [
        replace(scene, title="Now"),
        replace(scene, lines=(*others, first)),
        replace(scene, lines=(replace(first, is_playing=not first.is_playing), *others)),
        replace(scene, lines=(replace(first, score=Score("0", Tone.PLAIN)), *others)),
    ]
    assert len({draw(scene), *map(draw, changed)}) == len(changed) + 1
    podium = drawn.podium()
    assert draw(podium) != draw(replace(podium, steps=podium.steps[:2]))
    luck = drawn.luck(4)
    assert draw(luck) != draw(replace(luck, lines=(replace(luck.lines[0], cards=-9.0), *luck.lines[1:])))


def test_nobody_need_have_played() -> None:
    for scene in (drawn.standings(0), replace(drawn.podium(), steps=()), drawn.luck(0)):
        assert draw(scene)
