"""Draws the totals of all players after each deal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw

from bot.pictures import lettering
from bot.pictures.files import WIDTH
from bot.pictures.lettering import put_line, write
from bot.pictures.palette import METALS, WHITE, Colour, between, palette
from bot.pictures.seats import Box
from bot.pictures.sprites import put, sign
from bot.scenes import Curve, CurvesScene

GROUND: Colour = (22, 28, 33)
GRID: Colour = (50, 58, 65)
ZERO: Colour = (104, 113, 121)
GREY: Colour = (172, 180, 187)
LIMIT: Colour = (240, 84, 104)
LINES: tuple[Colour, ...] = (
    (255, 107, 107),
    (86, 176, 255),
    (255, 212, 59),
    (105, 219, 124),
    (218, 119, 242),
    (255, 159, 67),
    (56, 217, 190),
    (247, 150, 190),
    (196, 235, 120),
    (150, 165, 255),
)
#: Lines are drawn so many times as large, then made smaller, as Pillow's are jagged.
FINE = 2
#: The size of what is written, and the least distance of two names from each other.
NUMBER, NAME, APART = 28, 33, 46
#: How many deals have a number, at most, and from how many on their points are too near for dots.
NUMBERED, DOTTED = 12, 24


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a total after a deal lies in the picture."""

    room: Box
    deals: int
    least: int
    most: int

    def x(self, deal: float) -> float:
        return self.room.left + self.room.width * deal / max(1, self.deals)

    def y(self, total: float) -> float:
        return self.room.bottom - self.room.height * (total - self.least) / (self.most - self.least)


def curves(scene: CurvesScene) -> Image.Image:
    """The whole picture."""
    scale, height = chart(scene)
    large = Image.new("RGB", (WIDTH * FINE, height * FINE), GROUND)
    draw = ImageDraw.Draw(large)
    for total in ticks(scale.least, scale.most):
        _line(draw, [(scale.room.left, scale.y(total)), (scale.room.right, scale.y(total))], GRID, 2)
    _line(draw, [(scale.room.left, scale.y(0)), (scale.room.right, scale.y(0))], ZERO, 2)
    if _shows_limit(scene):
        _dashes(draw, scale, scale.y(scene.limit or 0))
    labels = label_heights(scene, scale)
    for index in sorted(range(len(scene.curves)), key=lambda one: scene.curves[one].has_won):
        _curve(draw, scene.curves[index], scale, LINES[index % len(LINES)], labels[index])
    picture = large.reduce(FINE)
    _words(picture, scene, scale)
    for index, curve in enumerate(scene.curves):
        _label(picture, curve, index, labels[index])
    return picture


@cache
def curves_palette() -> Image.Image:
    """All colours of this picture."""
    colours = [GROUND, GRID, ZERO, GREY, LIMIT, WHITE, *LINES, *METALS, *between(METALS[0], GROUND)]
    for one in (WHITE, GREY, GRID, ZERO, LIMIT, *LINES):
        colours += between(GROUND, one)
    return palette(colours)


def ticks(least: int, most: int) -> list[int]:
    """The totals at which there is a line across: round numbers, some five of them."""
    step = next(step for step in _round_numbers() if (most - least) / step <= 6)
    return [value * step for value in range(math.ceil(least / step), most // step + 1)]


def _round_numbers() -> Iterator[int]:
    for power in range(12):
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def _shows_limit(scene: CurvesScene) -> bool:
    """Far from all totals the line that ends the game would press the curves flat."""
    far = max(abs(total) for curve in scene.curves for total in curve.totals)
    return scene.limit is not None and far * 3 >= abs(scene.limit)


def chart(scene: CurvesScene) -> tuple[Scale, int]:
    """Where the curves lie, and how high the picture is."""
    height = 600 if len(scene.curves) <= 8 else 660
    totals = [total for curve in scene.curves for total in curve.totals]
    if _shows_limit(scene) and scene.limit is not None:
        totals.append(scene.limit)
    least, most = min(0, *totals), max(0, *totals)
    deals = max(len(curve.totals) for curve in scene.curves) - 1
    return Scale(Box(112, 100, 760, height - 76), deals, least, max(most, least + 1)), height


def _line(
    draw: ImageDraw.ImageDraw, points: Sequence[tuple[float, float]], colour: Colour, width: float
) -> None:
    large = [(x * FINE, y * FINE) for x, y in points]
    draw.line(large, fill=colour, width=round(width * FINE), joint="curve")


def _dashes(draw: ImageDraw.ImageDraw, scale: Scale, y: float) -> None:
    for x in range(scale.room.left, scale.room.right, 24):
        _line(draw, [(x, y), (min(x + 14, scale.room.right), y)], LIMIT, 3)


def _curve(draw: ImageDraw.ImageDraw, curve: Curve, scale: Scale, colour: Colour, label: float) -> None:
    """A line with a dot for each deal, which leads to the name at its end."""
    points = [(scale.x(deal), scale.y(total)) for deal, total in enumerate(curve.totals)]
    width = 9 if curve.has_won else 6
    _line(draw, points, colour, width)
    dotted = points if scale.deals <= DOTTED else points[-1:]
    for radius, ink in ((width + 3, GROUND), (width, colour)):
        for x, y in dotted:
            draw.ellipse([FINE * edge for edge in (x - radius, y - radius, x + radius, y + radius)], fill=ink)
    x, y = points[-1]
    _line(draw, [(x + 16, y), (scale.room.right + 38, label)], colour, 2)


def label_heights(scene: CurvesScene, scale: Scale) -> list[float]:
    """How high each name stands: beside its curve's end, or as near as the others let it."""
    order = sorted(range(len(scene.curves)), key=lambda one: scale.y(scene.curves[one].totals[-1]))
    lowest = scale.room.bottom + 40
    heights = [scale.y(scene.curves[index].totals[-1]) for index in order]
    for one, other in pairwise(range(len(order))):
        heights[other] = max(heights[other], heights[one] + APART)
    heights[-1] = min(heights[-1], lowest)
    for one, other in reversed(list(pairwise(range(len(order))))):
        heights[one] = min(heights[one], heights[other] - APART)
    return [height for _, height in sorted(zip(order, heights, strict=True))]


def _words(picture: Image.Image, scene: CurvesScene, scale: Scale) -> None:
    """The title, and the numbers along both axes."""
    write(picture, (40, 62), "Totals after each deal", 36, WHITE)
    if scene.limit is not None:
        write(picture, (WIDTH - 40, 62), f"ends at {number(scene.limit)}", NUMBER, LIMIT, across=1.0)
    for total in ticks(scale.least, scale.most):
        write(picture, (scale.room.left - 18, scale.y(total) + 10), number(total), NUMBER, GREY, across=1.0)
    step = max(1, math.ceil(scale.deals / NUMBERED))
    for deal in range(0, scale.deals + 1, step):
        write(picture, (scale.x(deal), scale.room.bottom + 48), str(deal), NUMBER, GREY, across=0.5)


def _label(picture: Image.Image, curve: Curve, index: int, height: float) -> None:
    """Name and total, with a crown for who has won."""
    left, right, base = 808, WIDTH - 40, height + 11
    total = lettering.line(number(curve.totals[-1]), NAME)
    assert total
    room = right - left - total.width - 20 - (48 if curve.has_won else 0)
    name = lettering.named(curve.name, index + 1, NAME, room)
    put_line(picture, (left, base), name, LINES[index % len(LINES)])
    put_line(picture, (right, base), total, WHITE, across=1.0)
    if curve.has_won:
        put(picture, sign("crown", 40), (left + name.width + 28, height - 2))


def number(value: int) -> str:
    """With a true minus."""
    return str(value).replace("-", "−")
