"""Totals, par, ratings, standings and feats lie within their pictures."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.charts import ticks
from bot.pictures.curves import APART, chart, label_heights, near_limits
from bot.pictures.feats import LEFT, RADIUS, ROOM, SKY, _name
from bot.pictures.files import WIDTH
from bot.pictures.pars import NUMBER, bars
from bot.pictures.ratings import HEIGHT, rating_scale
from bot.pictures.standings import BARS, Bars
from bot.vocabulary.scenes import MOST_BARS, Curve, CurvesScene, ParScene, RatingScene
from engine.play.feats import FeatKind

TOTALS = [
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


@pytest.mark.parametrize("scene", TOTALS)
def test_every_curve_and_every_name_has_its_place(scene: CurvesScene) -> None:
    scale, height = chart(scene)
    for curve in scene.curves:
        for deal, total in enumerate(curve.totals):
            assert scale.room.left <= scale.x(deal) <= scale.room.right
            assert scale.room.top <= scale.y(total) <= scale.room.bottom
    heights = label_heights(scene, scale)
    ends = [curve.totals[-1] for curve in scene.curves]
    assert [total for _, total in sorted(zip(heights, ends, strict=True))] == sorted(ends, reverse=True)
    labels = sorted(heights)
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


@pytest.mark.parametrize(("least", "most"), [(0, 1), (0, 7), (0, 100), (-530, 0), (-3, 4), (-10_000, 10_000)])
def test_lines_across_are_at_round_totals(least: int, most: int) -> None:
    found = ticks(least, most)
    assert 2 <= len(found) <= 7
    assert all(least <= total <= most for total in found)
    assert 0 in found


AGAINST_PAR = [
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


@pytest.mark.parametrize("scene", AGAINST_PAR)
def test_every_bar_against_par_has_its_place(scene: ParScene) -> None:
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
    heights = [scale.y(0) - scale.y(13) for scale in layout]
    assert heights == pytest.approx([heights[0]] * len(heights))


@pytest.mark.parametrize("start", [-400, 0, 1500])
@pytest.mark.parametrize(("games", "every"), [(2, 1), (31, 1), (1000, 7)])
def test_a_rating_has_its_place(games: int, every: int, start: int) -> None:
    scene = drawn.rating(games, every=every, start=start)
    scale = rating_scale(scene)
    for game, rating in scene.ratings:
        assert scale.room.left <= scale.x(game) <= scale.room.right
        assert scale.room.top <= scale.y(rating) <= scale.room.bottom < HEIGHT
    assert scale.x(scene.ratings[0][0]) == scale.room.left
    assert scale.x(scene.ratings[-1][0]) == scale.room.right
    assert len(ticks(scale.least, scale.most)) >= 2


@pytest.mark.parametrize("values", [(), (0.0,), (0.1, -0.1), (-30.0, -2.0), (3.0, 60.0), (-400.0, 250.5)])
def test_every_bar_of_standings_has_its_place(values: tuple[float, ...]) -> None:
    scale = Bars(values)
    assert BARS[0] < scale.zero < BARS[1]
    for value in values:
        box = scale.box(value, 100, 30)
        assert BARS[0] - 4 <= box.left < box.right <= BARS[1] + 4
        if abs(value) > 1:
            assert (box.centre[0] > scale.zero) is (value > 0)


def test_what_is_small_does_not_look_large() -> None:
    scale = rating_scale(RatingScene("", ((1, 1000), (2, 1003))))
    assert scale.y(1000) - scale.y(1003) < scale.room.height / 20
    assert Bars([0.2]).box(0.2, 0, 30).width < Bars([20.0]).box(20.0, 0, 30).width / 2


def test_nobody_need_have_played() -> None:
    for scene in (drawn.standings(0), replace(drawn.podium(), steps=()), drawn.luck(0)):
        assert draw(scene)


@pytest.mark.parametrize("name", drawn.NAMES)
def test_every_name_has_its_place_beside_the_sky(name: str) -> None:
    assert _name(drawn.feat(FeatKind.SUN, name)).width <= ROOM
    assert SKY[0] - RADIUS > LEFT + ROOM
