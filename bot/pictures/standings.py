"""Draws a tournament's standings against par, and what was luck in them."""

from collections.abc import Iterable
from functools import cache

from PIL import Image, ImageDraw

from bot.pictures.charts import FINE, GREY, GRID, GROUND, ZERO, canvas, line
from bot.pictures.files import WIDTH
from bot.pictures.lettering import line as text_line
from bot.pictures.lettering import name_line, put_line, write
from bot.pictures.palette import GOLD, GREEN, INK, METALS, RED, WHITE, Colour, between, mixed, palette
from bot.pictures.seats import Box, around
from bot.pictures.sprites import fill
from bot.vocabulary.scenes import LuckLine, LuckScene, StandingLine, StandingsScene, Tone

#: The heights of the title's room, of a line, of a line of two bars, and below all of them.
TOP, ROW, PAIR, BELOW = 132, 66, 84, 26
#: Text sizes: the title, the note beside it, names and scores, and small words.
TITLE, NOTE, NAME, SMALL = 42, 34, 38, 28
#: Where names begin, the bars' room, and where scores end.
LEFT, NAMES, BARS, RIGHT = 40, 112, (500, 900), WIDTH - 40
#: A bar's thickness, and the least that the longest one stands for, so that small scores don't look large.
THICK, LEAST = 30, 4.0
PANEL: Colour = mixed(GROUND, WHITE, 0.05)
SILVER: Colour = (198, 206, 214)
BRONZE: Colour = (214, 144, 88)
MEDALS = {1: GOLD, 2: SILVER, 3: BRONZE}
BRIGHT_GREEN: Colour = (61, 201, 121)
BRIGHT_RED: Colour = (240, 84, 104)
CARDS: Colour = (86, 160, 240)
TONES = {Tone.GOOD: BRIGHT_GREEN, Tone.BAD: BRIGHT_RED, Tone.PLAIN: WHITE}


def standings(scene: StandingsScene) -> Image.Image:
    """Draw the standings: a line for each player, with a bar for their points against par."""
    height = TOP + ROW * len(scene.lines) + BELOW
    scale = Bars(player.value for player in scene.lines)
    picture = _ground(height, scale, TOP - 8)
    _title(picture, scene.title, scene.note)
    for way, words in ((1.0, f"◂ {scene.worse}"), (0.0, f"{scene.better} ▸")):
        aside = -14 if way else 14
        write(picture, (scale.zero + aside, TOP - 22), words, SMALL, GREY, most=330, across=way)
    for number, player in enumerate(scene.lines):
        _line(picture, number, player, scale)
    return picture


class Bars:
    """Maps values to bars from a common line, placed so that the longest bars of both sides fit."""

    def __init__(self, values: Iterable[float]) -> None:
        numbers = list(values)
        least, most = min(0.0, *numbers, -LEAST / 2), max(0.0, *numbers, LEAST / 2)
        left, right = BARS
        self._unit = (right - left) / (most - least)
        self.zero = round(left - least * self._unit)

    def box(self, value: float, middle: float, thick: int) -> Box:
        """The bar of a value, centred at the height `middle`."""
        end = round(self.zero + value * self._unit)
        left, right = sorted((self.zero, end))
        return around((left + right) / 2, middle, max(4, right - left), thick)


def _ground(height: int, scale: Bars, top: int) -> Image.Image:
    large, draw = canvas(height)
    line(draw, [(scale.zero, top), (scale.zero, height - BELOW + 6)], ZERO, 3)
    return large.reduce(FINE)


def _title(picture: Image.Image, title: str, note: str) -> None:
    write(picture, (LEFT, 62), title, TITLE, WHITE, most=WIDTH * 0.6)
    write(picture, (RIGHT, 60), note, NOTE, GREY, most=WIDTH * 0.28, across=1.0)


def _line(picture: Image.Image, number: int, player: StandingLine, scale: Bars) -> None:
    top = TOP + ROW * number
    middle = top + ROW / 2
    _stripe(picture, number, ROW, scale)
    _medal(picture, player.place, middle)
    ink = WHITE if player.place <= 3 else mixed(GROUND, WHITE, 0.86)
    name = name_line(player.name, player.seat, NAME, BARS[0] - NAMES - 44)
    put_line(picture, (NAMES, middle + 13), name, ink)
    if player.is_playing:
        fill(picture, around(NAMES + name.width + 24, middle, 16, 16), GOLD)
    _bar(picture, player.value, middle, THICK, scale, TONES[player.score.tone])
    write(picture, (RIGHT, middle + 13), player.score.text, NAME, TONES[player.score.tone], across=1.0)


def _stripe(picture: Image.Image, number: int, height: int, scale: Bars) -> None:
    """Draw the lighter ground of every second line (from 0), and the bars' common line across it."""
    if number % 2 == 0:
        top = TOP + height * number
        fill(picture, Box(LEFT - 20, top, WIDTH - LEFT + 20, top + height), PANEL, 14)
        ImageDraw.Draw(picture).line([(scale.zero, top), (scale.zero, top + height)], ZERO, 3)


def _medal(picture: Image.Image, place: int, middle: float) -> None:
    if place in MEDALS:
        fill(picture, around(LEFT + 24, middle, 48, 48), MEDALS[place])
    ink = INK if place in MEDALS else GREY
    write(picture, (LEFT + 24, middle + 12), str(place), 32, ink, across=0.5)


def _bar(picture: Image.Image, value: float, middle: float, thick: int, scale: Bars, colour: Colour) -> None:
    if value:
        fill(picture, scale.box(value, middle, thick), colour, 7)


# Luck


def luck(scene: LuckScene) -> Image.Image:
    """Draw two bars for each player: their luck with the cards, and their play."""
    height = TOP + PAIR * len(scene.lines) + BELOW
    scale = Bars(value for player in scene.lines for value in (player.cards, player.play))
    picture = _ground(height, scale, TOP - 8)
    write(picture, (LEFT, 62), scene.title, TITLE, WHITE, most=WIDTH - 2 * LEFT)
    x = float(LEFT)
    for words, colour in ((scene.cards, CARDS), (scene.play, BRIGHT_GREEN)):
        fill(picture, around(x + 13, TOP - 31, 26, 26), colour, 6)
        caption = text_line(words, SMALL, 440)
        if caption:
            put_line(picture, (x + 38, TOP - 22), caption, GREY)
            x += 38 + caption.width + 48
    for number, player in enumerate(scene.lines):
        _pair(picture, number, player, scale)
    return picture


def _pair(picture: Image.Image, number: int, player: LuckLine, scale: Bars) -> None:
    _stripe(picture, number, PAIR, scale)
    middle = TOP + PAIR * (number + 0.5)
    name = name_line(player.name, player.seat, NAME, BARS[0] - LEFT - 30)
    put_line(picture, (LEFT, middle + 13), name, WHITE)
    for way, value, text, colour in (
        (-1, player.cards, player.cards_text, CARDS),
        (1, player.play, player.play_text, BRIGHT_GREEN if player.play >= 0 else BRIGHT_RED),
    ):
        level = middle + way * 19
        _bar(picture, value, level, 24, scale, colour)
        write(picture, (RIGHT, level + 11), text, 32, colour, across=1.0)


@cache
def standings_palette() -> Image.Image:
    """All colours of the standings and of the picture of luck."""
    inks = (WHITE, GREY, GOLD, SILVER, BRONZE, BRIGHT_GREEN, BRIGHT_RED, CARDS)
    colours = [GROUND, PANEL, GRID, ZERO, INK, GREEN, RED, *inks, *METALS, mixed(GROUND, WHITE, 0.86)]
    for ink in inks:
        colours += between(GROUND, ink, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88)
        colours += between(PANEL, ink, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88)
    for medal in (GOLD, SILVER, BRONZE):
        colours += between(medal, INK)
    return palette(colours)
