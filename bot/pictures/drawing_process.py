"""Draws scenes as the files that are sent, in a process of its own."""

from __future__ import annotations

import asyncio
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
from engine.worker import Worker

#: Seconds after which a process that has not drawn a picture has hung.
LONGEST = 30.0
#: How far it stands back: people wait for pictures, but for other answers more.
NICE = 5


class DrawingProcess:
    """One scene after another."""

    def __init__(self) -> None:
        self._worker = Worker(__name__, NICE)

    def open(self) -> None:
        """Start the process now: it takes a second until the first picture can be drawn."""
        self._worker.open()

    async def draw(self, scene: Scene) -> bytes:
        """The picture as a file; Failed if it cannot be drawn, Lost if its process has died."""
        return await asyncio.to_thread(self._worker.call, LONGEST, draw, scene)

    def close(self) -> None:
        """End it where it is."""
        self._worker.close()


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
