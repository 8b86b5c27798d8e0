"""Draws the totals of all players after each deal."""

import math
from itertools import pairwise

from PIL import Image, ImageDraw

from bot.pictures import lettering
from bot.pictures.charts import (
    DOTTED,
    FINE,
    GREY,
    GROUND,
    LIMIT,
    LINES,
    NUMBERED,
    ZERO,
    Scale,
    canvas,
    dot,
    grid,
    line,
    ticks,
)
from bot.pictures.files import WIDTH
from bot.pictures.lettering import put_line, write
from bot.pictures.palette import WHITE, Colour
from bot.pictures.seats import Box
from bot.pictures.sprites import put, sign
from bot.vocabulary.scenes import Curve, CurvesScene
from engine.languages import Language

#: The size of numbers and names, and the least distance between two names.
NUMBER, NAME, APART = 31, 34, 46
#: The side margins, the gap between a number and its line, and where names begin.
EDGE, BESIDE, NAMES = 32, 18, 748


def curves(scene: CurvesScene) -> Image.Image:
    """Draw the totals, with the winners' curves on top."""
    scale, height = chart(scene)
    large, draw = canvas(height)
    grid(draw, scale)
    line(draw, [(scale.room.left, scale.y(0)), (scale.room.right, scale.y(0))], ZERO, 2)
    for limit in near_limits(scene):
        _dashes(draw, scale, scale.y(limit))
    labels = label_heights(scene, scale)
    for index in sorted(range(len(scene.curves)), key=lambda number: scene.curves[number].has_won):
        _curve(draw, scene.curves[index], scale, LINES[index % len(LINES)], labels[index])
    picture = large.reduce(FINE)
    _words(picture, scene, scale)
    for index, curve in enumerate(scene.curves):
        _label(picture, curve, LINES[index % len(LINES)], labels[index])
    return picture


def near_limits(scene: CurvesScene) -> list[int]:
    """The limits near the totals, as a line far from them would squash the curves."""
    totals = [total for curve in scene.curves for total in curve.totals]
    least, most = min(totals), max(totals)
    return [limit for limit in scene.limits if 3 * (most if limit > 0 else -least) >= abs(limit)]


def chart(scene: CurvesScene) -> tuple[Scale, int]:
    """The curves' scale, and the picture's height."""
    height = 600 if len(scene.curves) <= 8 else 660
    totals = [*near_limits(scene), *(total for curve in scene.curves for total in curve.totals)]
    least, most = min(0, *totals), max(0, *totals)
    deals = max(len(curve.totals) for curve in scene.curves) - 1
    most = max(most, least + 1)
    widest = max(lettering.width(Language.number(total), NUMBER) for total in ticks(least, most))
    return Scale(Box(round(EDGE + widest + BESIDE), 100, NAMES - 48, height - 76), deals, least, most), height


def _dashes(draw: ImageDraw.ImageDraw, scale: Scale, y: float) -> None:
    for x in range(scale.room.left, scale.room.right, 24):
        line(draw, [(x, y), (min(x + 14, scale.room.right), y)], LIMIT, 3)


def _curve(draw: ImageDraw.ImageDraw, curve: Curve, scale: Scale, colour: Colour, label: float) -> None:
    """Draw a line with a dot for each deal, ending at the player's name."""
    points = [(scale.x(deal), scale.y(total)) for deal, total in enumerate(curve.totals)]
    width = 9 if curve.has_won else 6
    line(draw, points, colour, width)
    dotted = points if scale.last <= DOTTED else points[-1:]
    for radius, ink in ((width + 3, GROUND), (width, colour)):
        for point in dotted:
            dot(draw, point, radius, ink)
    x, y = points[-1]
    line(draw, [(x + 16, y), (scale.room.right + 38, label)], colour, 2)


def label_heights(scene: CurvesScene, scale: Scale) -> list[float]:
    """The height of each name: at its curve's end, or as near as the others allow."""
    order = sorted(range(len(scene.curves)), key=lambda index: scale.y(scene.curves[index].totals[-1]))
    lowest = scale.room.bottom + 40
    heights = [scale.y(scene.curves[index].totals[-1]) for index in order]
    for upper, lower in pairwise(range(len(order))):
        heights[lower] = max(heights[lower], heights[upper] + APART)
    heights[-1] = min(heights[-1], lowest)
    for upper, lower in reversed(list(pairwise(range(len(order))))):
        heights[upper] = min(heights[upper], heights[lower] - APART)
    return [height for _, height in sorted(zip(order, heights, strict=True))]


def _words(picture: Image.Image, scene: CurvesScene, scale: Scale) -> None:
    """Write the title, and the numbers along both axes."""
    room = WIDTH - 2 * EDGE - BESIDE
    write(picture, (EDGE, 62), scene.title, 36, WHITE, most=room * 2 / 3)
    write(picture, (WIDTH - EDGE, 62), scene.end, NUMBER, LIMIT, most=room / 3, across=1.0)
    for total in ticks(scale.least, scale.most):
        write(
            picture,
            (scale.room.left - BESIDE, scale.y(total) + 10),
            Language.number(total),
            NUMBER,
            GREY,
            across=1.0,
        )
    step = max(1, math.ceil(scale.last / NUMBERED))
    for deal in range(0, scale.last + 1, step):
        write(picture, (scale.x(deal), scale.room.bottom + 48), str(deal), NUMBER, GREY, across=0.5)


def _label(picture: Image.Image, curve: Curve, colour: Colour, height: float) -> None:
    """Write a name and total, with a crown for winners."""
    left, right, base = NAMES, WIDTH - EDGE, height + 11
    total = lettering.line(Language.number(curve.totals[-1]), NAME)
    assert total
    room = right - left - total.width - 20 - (48 if curve.has_won else 0)
    name = lettering.name_line(curve.name, curve.seat, NAME, room)
    put_line(picture, (left, base), name, colour)
    put_line(picture, (right, base), total, WHITE, across=1.0)
    if curve.has_won:
        put(picture, sign("crown", 40), (left + name.width + 28, height - 2))
