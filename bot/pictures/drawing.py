"""A scene as the file that is sent."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.pictures.charts import charts_palette
from bot.pictures.curves import curves
from bot.pictures.fans import fan
from bot.pictures.open_hands import open_hands
from bot.pictures.palette import table_palette
from bot.pictures.ratings import ratings
from bot.pictures.tables import table
from bot.scenes import CurvesScene, FanScene, HandsScene, RatingScene, Scene, TableScene


def draw(scene: Scene) -> bytes:
    """A WebP file, the same for an equal scene. For threads beside the loop, as it takes 20 to 150 ms."""
    few = _drawn(scene).convert("RGB")
    file = BytesIO()
    few.save(file, "WEBP", lossless=True, quality=40, method=2)
    return file.getvalue()


def _drawn(scene: Scene) -> Image.Image:
    """The picture in the few colours of its kind."""
    match scene:
        case TableScene():
            return table(scene).quantize(palette=table_palette(), dither=Image.Dither.NONE)
        case FanScene():
            return fan(scene).quantize(palette=table_palette(), dither=Image.Dither.NONE)
        case HandsScene():
            return open_hands(scene).quantize(palette=table_palette(), dither=Image.Dither.NONE)
        case CurvesScene():
            return curves(scene).quantize(palette=charts_palette(), dither=Image.Dither.NONE)
        case RatingScene():
            return ratings(scene).quantize(palette=charts_palette(), dither=Image.Dither.NONE)
