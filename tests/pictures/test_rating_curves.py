"""A rating's curve lies within its picture, and tells all that it is made of."""

from __future__ import annotations

from dataclasses import replace

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.charts import ticks
from bot.pictures.ratings import HEIGHT, rating_scale
from bot.vocabulary.scenes import RatingScene


@pytest.mark.parametrize("start", [-400, 0, 1500])
@pytest.mark.parametrize(("games", "every"), [(2, 1), (31, 1), (1000, 7)])
def test_the_whole_curve_has_its_place(games: int, every: int, start: int) -> None:
    scene = drawn.rating(games, every=every, start=start)
    scale = rating_scale(scene)
    for game, rating in scene.ratings:
        assert scale.room.left <= scale.x(game) <= scale.room.right
        assert scale.room.top <= scale.y(rating) <= scale.room.bottom < HEIGHT
    assert scale.x(scene.ratings[0][0]) == scale.room.left
    assert scale.x(scene.ratings[-1][0]) == scale.room.right
    assert len(ticks(scale.least, scale.most)) >= 2


def test_a_rating_that_hardly_moves_lies_flat() -> None:
    scale = rating_scale(RatingScene("", ((1, 1000), (2, 1003))))
    assert scale.y(1000) - scale.y(1003) < scale.room.height / 20


def test_whatever_changes_is_seen() -> None:
    scene = drawn.rating(9)
    *others, (game, rating) = scene.ratings
    changed = [
        replace(scene, ratings=(*others, (game, rating + 40))),
        replace(scene, ratings=(*others, (game + 5, rating))),
        replace(scene, ratings=tuple(others)),
    ]
    assert len({draw(scene), *map(draw, changed)}) == len(changed) + 1
