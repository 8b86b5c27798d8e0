"""The picture of what was special about a deal tells who, what and how many points."""

from __future__ import annotations

from dataclasses import replace

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.feats import LEFT, RADIUS, ROOM, SKY, _name
from engine.play.feats import FeatKind


@pytest.mark.slow
def test_whatever_changes_is_seen() -> None:
    scene = drawn.feat(FeatKind.MOON)
    changed = [
        *[replace(scene, kind=kind) for kind in FeatKind if kind is not scene.kind],
        replace(scene, name="Bo"),
        replace(scene, deed="shot the moon"),
        replace(scene, outcome="−26 points"),
    ]
    assert len({draw(scene), *map(draw, changed)}) == len(changed) + 1


@pytest.mark.parametrize("name", drawn.NAMES)
def test_every_name_has_its_place_beside_the_sky(name: str) -> None:
    assert _name(drawn.feat(FeatKind.SUN, name)).width <= ROOM
    assert SKY[0] - RADIUS > LEFT + ROOM
