"""Draws a rating over time, game by game."""

from PIL import Image, ImageDraw

from bot.pictures.charts import (
    DOTTED,
    FINE,
    GREY,
    GROUND,
    RATING,
    SHADE,
    Scale,
    canvas,
    dot,
    grid,
    line,
    ticks,
)
from bot.pictures.files import WIDTH
from bot.pictures.lettering import write
from bot.pictures.palette import METALS, WHITE
from bot.pictures.seats import Box, Point
from bot.vocabulary.scenes import RatingScene
from engine.languages import Language

HEIGHT = 500
#: The text sizes of the current rating, the title and the numbers.
NOW, TITLE, NUMBER = 60, 36, 28
#: The least range to show, so that small changes don't look like leaps.
LEAST_RANGE = 100


def ratings(scene: RatingScene) -> Image.Image:
    """Draw the curve of a rating, with its highest and its current value."""
    scale = rating_scale(scene)
    points = [(scale.x(game), scale.y(rating)) for game, rating in scene.ratings]
    large, draw = canvas(HEIGHT)
    _shade(draw, points, scale)
    grid(draw, scale)
    line(draw, points, RATING, 8)
    best = _best(scene)
    for radius, ink in ((11, GROUND), (8, RATING)):
        for point in points if len(points) <= DOTTED else points[-1:]:
            dot(draw, point, radius, ink)
    if best is not None:
        dot(draw, points[best], 14, GROUND)
        dot(draw, points[best], 11, METALS[2])
    dot(draw, points[-1], 15, GROUND)
    dot(draw, points[-1], 12, WHITE)
    picture = large.reduce(FINE)
    _words(picture, scene, scale)
    if best is not None:
        _name_best(picture, points[best], scene.ratings[best][1])
    return picture


def rating_scale(scene: RatingScene) -> Scale:
    """The curve's scale, which doesn't start at 0, as no rating does."""
    values = [rating for _, rating in scene.ratings]
    room = max(0, LEAST_RANGE - (max(values) - min(values))) // 2 + 10
    box, (first, _), (last, _) = Box(124, 136, WIDTH - 56, HEIGHT - 72), scene.ratings[0], scene.ratings[-1]
    return Scale(box, last, min(values) - room, max(values) + room, first)


def _shade(draw: ImageDraw.ImageDraw, points: list[Point], scale: Scale) -> None:
    """Draw the area below the curve."""
    below = [(points[-1][0], scale.room.bottom), (points[0][0], scale.room.bottom)]
    draw.polygon([(x * FINE, y * FINE) for x, y in (*points, *below)], fill=SHADE)


def _best(scene: RatingScene) -> int | None:
    """The index of the highest rating, unless that is the current one."""
    values = [rating for _, rating in scene.ratings]
    best = max(values)
    return None if values[-1] == best else values.index(best)


def _name_best(picture: Image.Image, peak: Point, rating: int) -> None:
    x = min(max(peak[0], 180), WIDTH - 100)
    write(picture, (x, peak[1] - 26), Language.number(rating), NUMBER, METALS[2], across=0.5)


def _words(picture: Image.Image, scene: RatingScene, scale: Scale) -> None:
    """Write the title, the current rating, and the numbers along both axes."""
    write(picture, (40, 66), scene.title, TITLE, WHITE, most=WIDTH - 300)
    write(picture, (WIDTH - 40, 78), Language.number(scene.ratings[-1][1]), NOW, WHITE, across=1.0)
    for value in ticks(scale.least, scale.most):
        write(
            picture,
            (scale.room.left - 18, scale.y(value) + 10),
            Language.number(value),
            NUMBER,
            GREY,
            across=1.0,
        )
    for game in ticks(scale.first, scale.last):
        write(picture, (scale.x(game), scale.room.bottom + 46), str(game), NUMBER, GREY, across=0.5)
