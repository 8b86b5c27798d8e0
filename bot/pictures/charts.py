"""The parts of charts: colours, scales, and smooth lines."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw

from bot.pictures.files import WIDTH
from bot.pictures.palette import METALS, WHITE, Colour, between, mixed, palette
from bot.pictures.seats import Box

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
#: A rating's line, and the area below it.
RATING: Colour = LINES[1]
SHADE: Colour = mixed(GROUND, RATING, 0.2)
#: Lines are drawn this many times as large and then reduced, as Pillow's are jagged.
FINE = 2
#: The most steps that all get a number, and the most that all get a dot.
NUMBERED, DOTTED = 10, 24


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps steps and values to points in the picture."""

    room: Box
    last: int
    least: int
    most: int
    first: int = 0

    def x(self, step: float) -> float:
        return self.room.left + self.room.width * (step - self.first) / max(1, self.last - self.first)

    def y(self, value: float) -> float:
        return self.room.bottom - self.room.height * (value - self.least) / (self.most - self.least)


def canvas(height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A new picture, FINE times as large, and its drawing context; `reduce(FINE)` finishes it."""
    large = Image.new("RGB", (WIDTH * FINE, height * FINE), GROUND)
    return large, ImageDraw.Draw(large)


def line(
    draw: ImageDraw.ImageDraw, points: Sequence[tuple[float, float]], colour: Colour, width: float
) -> None:
    """Draw a line through these points."""
    large = [(x * FINE, y * FINE) for x, y in points]
    draw.line(large, fill=colour, width=round(width * FINE), joint="curve")


def dot(draw: ImageDraw.ImageDraw, centre: tuple[float, float], radius: float, colour: Colour) -> None:
    """Draw a dot."""
    x, y = centre
    draw.ellipse([FINE * edge for edge in (x - radius, y - radius, x + radius, y + radius)], fill=colour)


def grid(draw: ImageDraw.ImageDraw, scale: Scale) -> None:
    """Draw a horizontal line at each round value."""
    for value in ticks(scale.least, scale.most):
        line(draw, [(scale.room.left, scale.y(value)), (scale.room.right, scale.y(value))], GRID, 2)


def ticks(least: int, most: int) -> list[int]:
    """The values of the grid's lines: about five round numbers."""
    step = next(step for step in _round_numbers() if (most - least) / step <= 6)
    return [value * step for value in range(math.ceil(least / step), most // step + 1)]


def _round_numbers() -> Iterator[int]:
    for power in range(12):
        yield from (10**power, 2 * 10**power, 5 * 10**power)


@cache
def charts_palette() -> Image.Image:
    """All colours of a chart."""
    colours = [GROUND, GRID, ZERO, GREY, LIMIT, WHITE, SHADE, *LINES, *METALS, *between(METALS[0], GROUND)]
    for ink in (WHITE, GREY, GRID, ZERO, LIMIT, *LINES):
        colours += between(GROUND, ink)
    colours += [*between(SHADE, RATING), *between(METALS[2], GROUND), mixed(GRID, RATING, 0.2)]
    return palette(colours)
