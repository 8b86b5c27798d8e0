"""Draws scenes as picture files, in a process of its own."""

import asyncio
from io import BytesIO

from PIL import Image

from bot.pictures.charts import charts_palette
from bot.pictures.curves import curves
from bot.pictures.fans import fan
from bot.pictures.feats import feat, feats_palette
from bot.pictures.open_hands import open_hands
from bot.pictures.palette import table_palette
from bot.pictures.pars import pars, pars_palette
from bot.pictures.podium import podium, podium_palette
from bot.pictures.ratings import ratings
from bot.pictures.standings import luck, standings, standings_palette
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
from engine.worker import Worker

#: Seconds after which a process that hasn't drawn a picture counts as hung.
LONGEST_DRAWING = 30.0
#: The process's niceness: answers matter more than pictures.
NICE = 5
#: How hard files are compressed: for everyone in a channel, or in half the time for one player.
SMALL, FAST = {"quality": 40, "method": 2}, {"quality": 20, "method": 1}


class DrawingProcess:
    """Draws one scene after another."""

    def __init__(self) -> None:
        self._worker = Worker(__name__, NICE)

    def open(self) -> None:
        """Start the process ahead of the first picture, as it takes a second to be ready."""
        self._worker.open()

    async def draw(self, scene: Scene) -> bytes:
        """Draw a picture file; Failed if it can't be drawn, Lost if the process died."""
        return await asyncio.to_thread(self._worker.call, LONGEST_DRAWING, draw, scene)

    def close(self) -> None:
        """Kill the process."""
        self._worker.close()


def draw(scene: Scene) -> bytes:
    """Draw a WebP file, equal for equal scenes. It takes 10 to 150 ms: call it outside the loop's thread."""
    picture = _drawn(scene).convert("RGB")
    file = BytesIO()
    picture.save(file, "WEBP", lossless=True, **(FAST if isinstance(scene, FanScene) else SMALL))
    return file.getvalue()


def _drawn(scene: Scene) -> Image.Image:
    """The picture, reduced to its kind's palette."""
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
        case ParScene():
            return pars(scene).quantize(palette=pars_palette(), dither=Image.Dither.NONE)
        case FeatScene():
            return feat(scene).quantize(palette=feats_palette(scene.kind), dither=Image.Dither.NONE)
        case StandingsScene():
            return standings(scene).quantize(palette=standings_palette(), dither=Image.Dither.NONE)
        case LuckScene():
            return luck(scene).quantize(palette=standings_palette(), dither=Image.Dither.NONE)
        case PodiumScene():
            return podium(scene).quantize(palette=podium_palette(), dither=Image.Dither.NONE)
