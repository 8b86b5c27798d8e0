"""Curves lie within their picture, and no name stands on another."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.charts import ticks
from bot.pictures.curves import APART, chart, label_heights, near_limits
from bot.vocabulary.scenes import Curve, CurvesScene

GAMES = [
    drawn.totals(players, deals, limit, least, most)
    for players in range(3, 11)
    for deals, limit, least, most in (
        (0, 100, 0, 0),
        (1, 100, 0, 26),
        (60, 500, 0, 13),
        (12, -500, -90, 30),
        (9, 5000, -40, 40),
    )
]


@pytest.mark.parametrize("scene", GAMES)
def test_every_curve_and_every_name_has_its_place(scene: CurvesScene) -> None:
    scale, height = chart(scene)
    for curve in scene.curves:
        for deal, total in enumerate(curve.totals):
            assert scale.room.left <= scale.x(deal) <= scale.room.right
            assert scale.room.top <= scale.y(total) <= scale.room.bottom
    labels = sorted(label_heights(scene, scale))
    assert all(other - one >= APART - 0.001 for one, other in pairwise(labels))
    assert labels[0] >= 90
    assert labels[-1] <= height - 20


@pytest.mark.parametrize(
    ("least", "most", "shown"),
    [(-10, 10, []), (-40, 10, [-100]), (-10, 40, [100]), (-40, 40, [100, -100])],
)
def test_only_an_end_that_is_near_has_its_line(least: int, most: int, shown: list[int]) -> None:
    scene = CurvesScene((Curve("Ann", "Seat 1", (0, least, most)),), (100, -100), "", "")
    scale, _ = chart(scene)
    assert near_limits(scene) == shown
    assert (scale.least, scale.most) == (min(least, *shown, 0), max(most, *shown, 0))


def test_names_stand_in_the_order_of_their_totals() -> None:
    scene = drawn.totals(10, 12)
    scale, _ = chart(scene)
    heights = label_heights(scene, scale)
    ranked = sorted(zip(heights, (curve.totals[-1] for curve in scene.curves), strict=True))
    assert [total for _, total in ranked] == sorted((total for _, total in ranked), reverse=True)


@pytest.mark.parametrize(("least", "most"), [(0, 1), (0, 7), (0, 100), (-530, 0), (-3, 4), (-10_000, 10_000)])
def test_lines_across_are_at_round_totals(least: int, most: int) -> None:
    found = ticks(least, most)
    assert 2 <= len(found) <= 7
    assert all(least <= total <= most for total in found)
    assert 0 in found


def test_whatever_changes_is_seen() -> None:
    scene = drawn.totals(4, 5)
    first, *others = scene.curves
    changed = [
        replace(scene, limits=()),
        replace(scene, limits=(50,)),
        replace(scene, curves=(replace(first, has_won=False), *others)),
        replace(scene, curves=(replace(first, name="Cy"), *others)),
        replace(scene, curves=(replace(first, totals=(*first.totals[:-1], 99)), *others)),
        replace(scene, curves=tuple(others)),
    ]
    assert len({draw(scene), *map(draw, changed)}) == len(changed) + 1
