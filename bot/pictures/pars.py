"""Draws each player's points against par, deal by deal: what the cards were worth, and what play added."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw

from bot.pictures import lettering
from bot.pictures.charts import FINE, GREY, GROUND, ZERO, canvas, line
from bot.pictures.files import WIDTH
from bot.pictures.lettering import put_line, write
from bot.pictures.palette import METALS, WHITE, Colour, between, palette
from bot.pictures.seats import Box, Point
from bot.pictures.sprites import put, sign
from bot.vocabulary.scenes import DealAgainstPar, ParScene, PlayerAgainstPar, Tone
from engine.languages import Language

#: The part of the points that the cards account for; and the gap to par, by whether it helped or hurt.
CARDS: Colour = (96, 110, 124)
GAPS: dict[Tone, Colour] = {Tone.PLAIN: CARDS, Tone.GOOD: (64, 192, 112), Tone.BAD: (240, 84, 104)}
INKS: dict[Tone, Colour] = {Tone.PLAIN: GREY, Tone.GOOD: (105, 219, 140), Tone.BAD: (255, 130, 144)}
#: The text sizes of the title, the legend, names, sums, gains, and the numbers of points and deals.
TITLE, LEGEND, NAME, SUMMARY, GAIN, NUMBER = 36, 30, 38, 31, 44, 29
#: The side margins, and the height of the title with the legend, of a name, and of the deals' numbers.
EDGE, TOP, HEAD, BOTTOM = 36, 150, 66, 62
#: The gap below a player's bars.
GAP = 30
#: The least height of a player's bars, and the most as a multiple of the usual height.
LOWEST, TALLEST = 40, 1.5
#: The greatest width of a bar, and its share of a deal's room.
WIDEST, SHARE = 56, 0.6
#: The most deals for which bars show their points, if there are at most CROWD players; also the most numbers
#: below the bars.
NUMBERED, CROWD = 13, 6


@dataclass(frozen=True, slots=True)
class ParBars:
    """Maps a player's deals and points to the `room` for bars, in a `box` with more room for numbers."""

    box: Box
    room: Box
    deals: int
    least: float
    most: float

    def x(self, index: int) -> float:
        """The middle of a deal's bar."""
        return self.room.left + self.room.width * (index + 0.5) / self.deals

    def y(self, points: float) -> float:
        return self.room.bottom - self.room.height * (points - self.least) / (self.most - self.least)

    @property
    def half(self) -> float:
        """Half of a bar's width."""
        return min(WIDEST, SHARE * self.room.width / self.deals) / 2


def pars(scene: ParScene) -> Image.Image:
    """Draw the bars of all players, each below their name and sums."""
    layout = bars(scene)
    large, draw = canvas(layout[-1].box.bottom + BOTTOM)
    for player, scale in zip(scene.players, layout, strict=True):
        line(draw, [(scale.room.left, scale.y(0)), (scale.room.right, scale.y(0))], ZERO, 2)
        for index, deal in enumerate(player.deals):
            _bar(draw, deal, scale, scale.x(index))
    _legend_signs(draw, scene)
    picture = large.reduce(FINE)
    _title(picture, scene)
    for player, scale in zip(scene.players, layout, strict=True):
        _head(picture, player, scale)
        if _has_numbers(scene):
            _points(picture, player.deals, scale)
    _deals(picture, scene, layout[-1])
    return picture


def bars(scene: ParScene) -> list[ParBars]:
    """The room for each player's bars: as high as they need, all with the same scale."""
    reaches = [_reach(player) for player in scene.players]
    spans = [most - least for least, most in reaches]
    count = len(spans)
    usual = 136 if count <= 4 else 100 if count <= CROWD else 60
    scale = min(count * usual / sum(spans), TALLEST * usual / max(spans))
    number = NUMBER + 12 if _has_numbers(scene) else 0
    layouts, top = [], TOP + HEAD
    for player, (least, most) in zip(scene.players, reaches, strict=True):
        first, tall = top + number, max(LOWEST, math.ceil((most - least) * scale))
        below = number if least < 0 else 0
        box = Box(EDGE, top, WIDTH - EDGE, first + tall + below)
        room = Box(EDGE, first, WIDTH - EDGE, first + tall)
        layouts.append(ParBars(box, room, len(player.deals), least, least + tall / scale))
        top = box.bottom + GAP + HEAD
    return layouts


def _reach(player: PlayerAgainstPar) -> tuple[float, float]:
    """The least and the most of 0 and a player's points and pars; they always differ."""
    points = [deal.points for deal in player.deals]
    pars = [deal.par for deal in player.deals if deal.par is not None]
    least, most = min(0, *points, *pars), max(0, *points, *pars)
    return least, max(most, least + 1)


def _has_numbers(scene: ParScene) -> bool:
    """Whether each bar has its number of points."""
    return len(scene.players) <= CROWD and len(scene.players[0].deals) <= NUMBERED


def _bar(draw: ImageDraw.ImageDraw, deal: DealAgainstPar, scale: ParBars, x: float) -> None:
    """Draw what the cards account for, the gap between the points and par, and par as a line."""
    par = deal.points if deal.par is None else deal.par
    own = min(par, deal.points, key=abs) if par * deal.points > 0 else 0.0
    _block(draw, scale, x, (0.0, own), CARDS)
    _block(draw, scale, x, (par, deal.points), GAPS[deal.tone])
    if deal.par is not None:
        _par(draw, x, scale.y(par), scale.half + min(8, scale.half / 2))


def _block(
    draw: ImageDraw.ImageDraw, scale: ParBars, x: float, ends: tuple[float, float], ink: Colour
) -> None:
    top, bottom = sorted(map(scale.y, ends))
    if bottom - top >= 1:
        edges = (x - scale.half, top, x + scale.half, bottom)
        draw.rectangle([FINE * edge for edge in edges], fill=ink)


def _par(draw: ImageDraw.ImageDraw, x: float, y: float, half: float) -> None:
    """Draw the line of par, set off from the bar behind it."""
    for ink, width in ((GROUND, 12), (WHITE, 6)):
        line(draw, [(x - half, y), (x + half, y)], ink, width)


# Words


def _title(picture: Image.Image, scene: ParScene) -> None:
    write(picture, (EDGE, 60), scene.title, TITLE, WHITE, most=WIDTH - 2 * EDGE)
    for (x, y), word in zip(_legend(scene), scene.legend, strict=True):
        write(picture, (x + 50, y + 11), word, LEGEND, GREY)


def _legend(scene: ParScene) -> list[Point]:
    """The point of each sign in the legend, left of its word."""
    spots, x = [], float(EDGE)
    for word in scene.legend:
        spots.append((x, 108.0))
        x += 50 + lettering.width(word, LEGEND) + 48
    return spots


def _legend_signs(draw: ImageDraw.ImageDraw, scene: ParScene) -> None:
    (par, y), *gaps = _legend(scene)
    _par(draw, par + 18, y, 18)
    for (x, y), ink in zip(gaps, (GAPS[Tone.GOOD], GAPS[Tone.BAD]), strict=True):
        draw.rectangle([FINE * edge for edge in (x + 4, y - 15, x + 34, y + 15)], fill=ink)


def _head(picture: Image.Image, player: PlayerAgainstPar, scale: ParBars) -> None:
    """Write the name, with a crown for winners, and the player's sums."""
    base = scale.box.top - 14
    gain = lettering.line(player.gain.text, GAIN)
    assert gain
    put_line(picture, (WIDTH - EDGE, base), gain, INKS[player.gain.tone], across=1.0)
    right = WIDTH - EDGE - gain.width - 28
    summary = lettering.fitted(player.summary, SUMMARY, 480)
    if summary:
        put_line(picture, (right, base), summary, GREY, across=1.0)
        right -= summary.width
    name = lettering.name_line(player.name, player.seat, NAME, right - EDGE - 70)
    put_line(picture, (EDGE, base), name, WHITE)
    if player.has_won:
        put(picture, sign("crown", 42), (EDGE + name.width + 34, base - 14))


def _points(picture: Image.Image, deals: Sequence[DealAgainstPar], scale: ParBars) -> None:
    """Write each deal's points at the end of its bar."""
    for index, deal in enumerate(deals):
        par = deal.points if deal.par is None else deal.par
        is_below = deal.points < 0
        y = scale.y(min(par, deal.points) if is_below else max(par, deal.points, 0.0))
        base = y + 14 + NUMBER * 0.73 if is_below else y - 14
        number = Language.number(deal.points)
        write(picture, (scale.x(index), base), number, NUMBER, INKS[deal.tone], across=0.5)


def _deals(picture: Image.Image, scene: ParScene, scale: ParBars) -> None:
    """Number the deals below the last player's bars."""
    step = -(-scale.deals // NUMBERED)
    base = scale.box.bottom + 44
    for index in range(0, scale.deals, step):
        write(picture, (scale.x(index), base), str(scene.first + index), NUMBER, GREY, across=0.5)


@cache
def pars_palette() -> Image.Image:
    """All colours of these pictures."""
    inks = [WHITE, GREY, ZERO, CARDS, *GAPS.values(), *INKS.values()]
    colours = [
        GROUND,
        *dict.fromkeys(inks),
        *METALS,
        *between(METALS[0], GROUND),
        *between(METALS[2], GROUND),
    ]
    for ink in dict.fromkeys(inks):
        colours += between(GROUND, ink, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
    for ink in (CARDS, *GAPS.values()):
        colours += between(ZERO, ink)
    return palette(colours)
