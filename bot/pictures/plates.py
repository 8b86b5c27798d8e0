"""The plates with the players' names, and scores in their colours."""

from dataclasses import dataclass

from PIL import Image

from bot.pictures.lettering import TextLine, name_line, put_line, width, write
from bot.pictures.palette import DARK, FELT, GOLD, GREEN, INK, RED, WHITE, Colour, mixed
from bot.pictures.seats import Box, around
from bot.pictures.sprites import fill, put, sign
from bot.vocabulary.scenes import Score, SeatScene, Tone

GROUND = mixed(FELT, DARK, 0.8)
#: The glow around the plate of the player whose turn it is: how far it reaches, and its colour.
LIGHT = ((32, mixed(FELT, GOLD, 0.2)), (16, mixed(FELT, GOLD, 0.35)))
#: The text size of points on a plate's corner, and how far they reach into it.
CORNER_TEXT, CORNER = 27, 20
PILLS: dict[Tone, Colour] = {Tone.PLAIN: mixed(FELT, WHITE, 0.25), Tone.GOOD: GREEN, Tone.BAD: RED}


@dataclass(frozen=True, slots=True)
class Plate:
    """A name plate to draw, with the signs and points on it."""

    box: Box
    name: TextLine
    is_turn: bool
    is_computer: bool
    score: Score | None
    points: Box | None  # where the score is drawn


def plate(place: SeatScene, room: Box, size: int, *, at_corner: bool) -> Plate:
    """Lay out the plate of a seat in the middle of its room.

    Points stand after the name or, with `at_corner`, on the upper corner, leaving more room for the name.
    """
    text = CORNER_TEXT if at_corner else size - 4
    points = points_width(place.score, text) if place.score else 0
    inside = 2 * _pad(size) + (_robot(size) + 8 if place.is_computer else 0)
    beyond = 0
    if points and at_corner:
        beyond = points - CORNER
    elif points:
        inside += points + 16 - _pad(size)
    name = name_line(place.name, place.seat, size, room.width - inside - beyond)
    whole = around(*room.centre, round(name.width + inside) + beyond, round(size * 1.6))
    box = whole._replace(right=whole.right - beyond)
    pill = None
    if points:
        right, middle = (whole.right, box.top + 8) if at_corner else (whole.right - 8, box.centre[1])
        pill = around(right - points / 2, middle, points, round(text * 1.36))
    return Plate(box, name, place.is_turn, place.is_computer, place.score, pill)


def put_plate(picture: Image.Image, plate: Plate) -> None:
    """Draw a plate, glowing if it is this player's turn."""
    size, box = plate.name.size, plate.box
    if plate.is_turn:
        for more, colour in LIGHT:
            fill(picture, around(*box.centre, box.width + more, box.height + more), colour)
    fill(picture, box, GOLD if plate.is_turn else GROUND)
    x, middle = box.left + _pad(size), box.centre[1]
    if plate.is_computer:
        robot = _robot(size)
        put(picture, sign("dark_robot" if plate.is_turn else "robot", robot), (x + robot / 2, middle))
        x += robot + 8
    put_line(picture, (x, middle + size * 0.355), plate.name, INK if plate.is_turn else WHITE)
    if plate.score and plate.points:
        put_points(picture, plate.points, plate.score)


def points_width(score: Score, size: int) -> int:
    """The width of a score with its padding."""
    return round(width(score.text, size) + size * 0.8)


def put_points(picture: Image.Image, box: Box, score: Score) -> None:
    """Draw a score in its colour."""
    size = round(box.height / 1.36)
    fill(picture, box, PILLS[score.tone])
    write(picture, (box.centre[0], box.centre[1] + size * 0.36), score.text, size, WHITE, across=0.5)


def _pad(size: int) -> int:
    return round(size * 0.6)


def _robot(size: int) -> int:
    return round(size * 0.95)
