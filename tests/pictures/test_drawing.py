"""What every picture is: a file that Discord shows, small, and the same for an equal scene."""

from __future__ import annotations

from io import BytesIO

import drawn
import pytest
from PIL import Image

from bot.pictures import draw
from bot.scenes import Scene

SCENES = {
    **{f"{players} at a table": drawn.exposing(drawn.table(players, players)) for players in range(3, 11)},
    **{f"a hand of {count}": drawn.hand(count, 0) for count in (1, 2, 5, 13, 14, 26)},
    "a first deal": drawn.totals(4, 1),
    "ten players' totals": drawn.totals(10, 12),
    "sixty deals": drawn.totals(6, 60, 500),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_a_picture_is_a_small_webp_file_and_always_the_same(scene: Scene) -> None:
    content = draw(scene)
    with Image.open(BytesIO(content)) as picture:
        assert picture.format == "WEBP"
        assert picture.width == 1100
        assert 250 < picture.height < 800
    assert len(content) < 48_000
    assert draw(scene) == content
