"""The layout of a table, by its number of players, in pixels of a picture `WIDTH` wide."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from bot.pictures.files import CARD, WIDTH

Point = tuple[float, float]

#: The distance of texts from a picture's edge.
MARGIN = 36


class Box(NamedTuple):
    """A part of a picture."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height

    @property
    def centre(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def around(x: float, y: float, width: int, height: int) -> Box:
    """A box around a point."""
    left, top = round(x - width / 2), round(y - height / 2)
    return Box(left, top, left + width, top + height)


@dataclass(frozen=True, slots=True)
class SeatLayout:
    """The boxes of a seat's card, its name plate and its exposed cards."""

    card: Box
    plate: Box
    exposed: Box
    tilt: int = 0  # degrees clockwise


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The layout of a table: its seats clockwise, and the boxes of everything that belongs to no seat."""

    height: int
    text: int  # size of the names
    spots: tuple[SeatLayout, ...]
    title: Box
    on_hold: Box
    last: Box
    in_rows: bool
    is_narrow: bool = False  # whether names need all the room that there is


@cache
def plan(players: int) -> SeatPlan:
    """The layout for this many players: up to four sit around the table, more in two rows."""
    return _around(players) if players <= 4 else _rows(players)


def _around(players: int) -> SeatPlan:
    """Place the first seat at the bottom, and the others clockwise; exposed cards lie outside the trick."""
    middle, width = WIDTH // 2, 170 if players == 4 else 184
    height = width * CARD[1] // CARD[0]
    aside, side_y = 300, 202 + height // 2
    edge = width // 2 + 18
    bottom = SeatLayout(
        around(middle, 592 - height / 2, width, height),
        around(middle, 638, 440, 58),
        Box(middle + edge, 534, WIDTH - MARGIN, 598),
        -2,
    )
    left, right = (
        SeatLayout(
            around(middle + way * aside, side_y, width, height),
            around(middle + way * aside, side_y + height / 2 + 44, 2 * (aside - edge - 10), 58),
            Box(x := middle + way * (aside + edge + 32) - 32, 206, x + 64, round(side_y + height / 2)),
            3 * way,
        )
        for way in (-1, 1)
    )
    top = SeatLayout(
        around(middle, 88 + height / 2, width, height),
        around(middle, 44, 380, 58),
        Box(middle + edge, 88, middle + edge + 64, 88 + height),
        2,
    )
    return SeatPlan(
        680,
        36,
        (bottom, left, top, right) if players == 4 else (bottom, left, right)[:players],
        title=Box(MARGIN, 28, 355, 190),
        on_hold=Box(MARGIN, 532, 335, 650),
        last=Box(760, 26, WIDTH - MARGIN, 194),
        in_rows=False,
    )


def _rows(players: int) -> SeatPlan:
    """Place the first seat at the bottom right, the next to the left, and the rest back along the top."""
    below = players // 2
    above = players - below
    width, text = {3: (158, 36), 4: (146, 33), 5: (134, 28)}[above]
    height = width * CARD[1] // CARD[0]
    column = (WIDTH - 40) / above
    strip = 180 if above > 3 else 128
    top = 18 + 58 + 8 + height / 2
    low = top + height + strip
    whole = round(low + height / 2 + 8 + 58 + 14)
    places = [(WIDTH / 2 + ((below - 1) / 2 - index) * column, low, 1) for index in range(below)]
    places += [(WIDTH / 2 + (index - (above - 1) / 2) * column, top, -1) for index in range(above)]
    beside = min(64, round((column - width) / 2) - 10)
    spots = tuple(
        SeatLayout(
            around(x, y, width, height),
            around(x, y + way * (height / 2 + 37), round(column) - 8, 58),
            around(x + width / 2 + 6 + beside / 2, y, beside, height),
        )
        for x, y, way in places
    )
    upper, lower = round(top + height / 2) + 12, round(low - height / 2) - 8
    return SeatPlan(
        whole,
        text,
        spots,
        title=Box(MARGIN, upper, 370, lower),
        on_hold=Box(390, upper, 700, lower),
        last=Box(720, upper, WIDTH - MARGIN, lower),
        in_rows=True,
        is_narrow=above > 3,
    )
