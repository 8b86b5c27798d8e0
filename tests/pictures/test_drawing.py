"""What every picture is: a file that Discord shows, small, and the same for an equal scene."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import drawn
import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import draw
from bot.pictures.curves import curves
from bot.pictures.fans import fan
from bot.pictures.feats import feat
from bot.pictures.open_hands import open_hands
from bot.pictures.pars import pars
from bot.pictures.podium import podium
from bot.pictures.ratings import ratings
from bot.pictures.standings import luck, standings
from bot.pictures.tables import table
from bot.vocabulary.scenes import (
    CurvesScene,
    FanScene,
    FeatScene,
    HandsScene,
    LuckScene,
    ParScene,
    PodiumScene,
    RatingScene,
    Scene,
    StandingsScene,
    TableScene,
)
from engine.play.feats import FeatKind

pytestmark = pytest.mark.slow

SCENES: dict[str, Scene] = {
    **{f"{count} at a table": drawn.table(count, count - 1, turn=count - 1) for count in (5, 7, 8, 9)},
    **{f"{count} and all else": drawn.crowded(count) for count in (3, 4, 6, 10)},
    **{f"a hand of {count}": drawn.hand(count, 0) for count in (1, 2, 13, 14, 26)},
    "nobody's cards": FanScene(()),
    "open hands": drawn.open_hands(4, 13),
    "open hands of ten, below their table": drawn.open_hands(10, 10, drawn.crowded(10)),
    "before the first deal is over": drawn.totals(3, 0),
    "a first deal": drawn.totals(4, 1),
    "ten players' totals": drawn.totals(10, 12),
    "sixty deals": drawn.totals(6, 60, 500),
    "a game that ends below zero": drawn.totals(4, 12, -500, -90, 30),
    "no limit": drawn.totals(4, 5, None),
    **{f"a feat: {kind.value}": drawn.feat(kind) for kind in FeatKind},
    "a feat with a long name": drawn.feat(FeatKind.MOON, drawn.NAMES[-1]),
    "one deal against par": drawn.pars(4, 1),
    "a game against par": drawn.pars(4, 7, unknown=3),
    "ten players against par": drawn.pars(10, 9),
    "sixty deals against par": drawn.pars(6, 60),
    "points that are good, against par": drawn.pars(5, 6, least=-200, most=100),
    "a rating after two games": drawn.rating(2),
    "a rating after a hundred games": drawn.rating(100),
    "standings of four": drawn.standings(4),
    "standings of sixteen": drawn.standings(16),
    "a podium": drawn.podium(),
    "what was luck": drawn.luck(8),
}
#: Heights that a picture may have; most are seen at a glance.
TALLEST = {HandsScene: 1800, ParScene: 1800, StandingsScene: 1300, LuckScene: 900}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_a_picture_is_a_small_webp_file_whose_few_colours_hide_nothing(scene: Scene) -> None:
    """A colour that the palette lacks would become another's."""
    content = draw(scene)
    assert len(content) < (95_000 if isinstance(scene, HandsScene) else 45_000)
    with Image.open(BytesIO(content)) as picture:
        assert picture.format == "WEBP"
        assert picture.width == 1100
        assert 250 < picture.height < TALLEST.get(type(scene), 800)
        difference = ImageChops.difference(in_all_colours(scene).convert("RGB"), picture.convert("RGB"))
    assert max(ImageStat.Stat(difference).rms) < 8


def in_all_colours(scene: Scene) -> Image.Image:
    """The picture before it is made small."""
    match scene:
        case TableScene():
            return table(scene)
        case FanScene():
            return fan(scene)
        case HandsScene():
            return open_hands(scene)
        case ParScene():
            return pars(scene)
        case RatingScene():
            return ratings(scene)
        case CurvesScene():
            return curves(scene)
        case FeatScene():
            return feat(scene)
        case StandingsScene():
            return standings(scene)
        case PodiumScene():
            return podium(scene)
        case LuckScene():
            return luck(scene)


def test_a_table_of_four_costs_few_bytes_all_deal_long() -> None:
    sizes = [len(draw(drawn.table(4, laid, turn=laid % 4))) for laid in range(5)]
    assert sum(sizes) / len(sizes) < 20_000


def test_an_equal_scene_has_the_same_picture_also_in_threads() -> None:
    scenes = list({type(scene): scene for scene in SCENES.values()}.values())
    alone = list(map(draw, scenes))
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(draw, scenes * 2)) == alone * 2
