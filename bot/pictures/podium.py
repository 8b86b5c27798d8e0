"""Draws a tournament's podium."""

import math
import random
from functools import cache

from PIL import Image, ImageChops, ImageDraw

from bot.pictures.files import WIDTH
from bot.pictures.lettering import fitted, name_line, put_line, write
from bot.pictures.palette import DARK, FELTS, GOLD, INK, WHITE, Colour, between, main_colours, mixed, palette
from bot.pictures.seats import Point
from bot.pictures.sprites import put, sign
from bot.pictures.standings import BRONZE, MEDALS
from bot.vocabulary.scenes import PodiumScene, PodiumStep

HEIGHT = 660
#: The steps for the first, second and third place: the x of the middle, and the y of the top.
SPOTS: tuple[tuple[int, int], ...] = ((550, 322), (218, 400), (882, 450))
#: The width of a step, how deep its top looks, and the room for a name.
STEP, DEEP, ROOM = 312, 26, 316
NIGHT: Colour = (12, 34, 25)
LIGHT: Colour = (88, 176, 124)
SOFT: Colour = (206, 226, 215)
CONFETTI: tuple[Colour, ...] = (GOLD, (255, 107, 107), (86, 176, 255), (105, 219, 124), (218, 119, 242))
FINE = 2
#: The number of colours for the background and the steps, besides those of the words.
TONES = 190


def podium(scene: PodiumScene) -> Image.Image:
    """Draw the podium, with the winners' names above their steps."""
    picture = _background().copy()
    write(picture, (WIDTH / 2, 66), scene.title, 48, WHITE, most=WIDTH - 80, across=0.5)
    write(picture, (WIDTH / 2, 116), scene.note, 32, SOFT, most=WIDTH - 80, across=0.5)
    for spot, step in reversed(list(zip(SPOTS, scene.steps, strict=False))):
        _step(picture, spot, step)
    return picture


def _step(picture: Image.Image, spot: tuple[int, int], step: PodiumStep) -> None:
    """Draw a step, with the player's name above it and their score on its front."""
    (x, top), metal = spot, MEDALS.get(step.place, BRONZE)
    picture.paste(_block(metal, HEIGHT - top), (x - STEP // 2, top))
    size = 50 if step.place == 1 else 44
    name = name_line(step.name, step.seat, size, ROOM)
    put_line(picture, (x, top - 24), name, WHITE, across=0.5)
    if step.place == 1:
        put(picture, sign("crown", 92), (x, top - 24 - size - 52))
    write(picture, (x, top + DEEP + 88), str(step.place), 84, INK, across=0.5)
    score = fitted(step.score, 46, STEP - 30)
    if score:
        put_line(picture, (x, top + DEEP + 154), score, INK, across=0.5)


@cache
def _block(metal: Colour, height: int) -> Image.Image:
    """A step: a light top, and a front that darkens towards the floor."""
    front = Image.new("RGB", (STEP, height), metal)
    shade = (
        Image.linear_gradient("L").resize((STEP, height)).point([value * 70 // 255 for value in range(256)])
    )
    front.paste(mixed(metal, DARK, 0.85), (0, 0), shade)
    top = mixed(metal, WHITE, 0.45)
    front.paste(top, (0, 0, STEP, DEEP))
    front.paste(mixed(metal, INK, 0.4), (0, DEEP, STEP, DEEP + 3))
    return front


@cache
def _background() -> Image.Image:
    """The picture without steps and words: felt in the light of three lamps, with confetti."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), NIGHT)
    floor = Image.linear_gradient("L").resize((WIDTH, HEIGHT))
    picture.paste(FELTS[0], (0, 0), floor)
    for centre, reach in ((550, 380), (218, 300), (882, 300)):
        picture.paste(LIGHT, (0, 0), _lamp(centre, reach))
    _confetti(picture)
    return picture


def _lamp(x: int, reach: int) -> Image.Image:
    """A mask of the light of a lamp above, with its beam around `x`."""
    large = Image.new("L", (WIDTH // 2, HEIGHT // 2))
    draw = ImageDraw.Draw(large)
    for number in range(24):
        share = 1 - number / 24
        half = reach * share / 4
        draw.polygon(
            [
                (x / 2 - 14 * share, 0),
                (x / 2 + 14 * share, 0),
                (x / 2 + half, HEIGHT),
                (x / 2 - half, HEIGHT),
            ],
            fill=3 + number * 3,
        )
    fade = ImageChops.invert(Image.linear_gradient("L")).resize(large.size)
    return ImageChops.multiply(large, fade).resize((WIDTH, HEIGHT), Image.Resampling.BILINEAR)


def _confetti(picture: Image.Image) -> None:
    """Draw bits of paper, always in the same places and never behind the words."""
    chance = random.Random(11)
    large = Image.new("RGBA", (WIDTH * FINE, HEIGHT * FINE))
    draw = ImageDraw.Draw(large)
    for number in range(150):
        x, y = chance.uniform(0, WIDTH), chance.uniform(0, HEIGHT * 0.9)
        turn, size = chance.uniform(0, math.pi), chance.uniform(6, 12)
        if 14 < y < 130 and 90 < x < WIDTH - 90:
            continue
        ink = mixed(CONFETTI[number % len(CONFETTI)], NIGHT, chance.uniform(0.0, 0.45))
        draw.polygon(_scrap((x, y), turn, size), fill=(*ink, 255))
    small = large.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    picture.paste(small, (0, 0), small)


def _scrap(centre: Point, turn: float, size: float) -> list[Point]:
    x, y = centre
    corners = ((-size, -size / 2.4), (size, -size / 2.4), (size, size / 2.4), (-size, size / 2.4))
    cos, sin = math.cos(turn), math.sin(turn)
    return [((x + a * cos - b * sin) * FINE, (y + a * sin + b * cos) * FINE) for a, b in corners]


@cache
def podium_palette() -> Image.Image:
    """The picture's own colours, and those of the words on it."""
    sample = _background().copy()
    for (x, top), metal in zip(SPOTS, MEDALS.values(), strict=True):
        sample.paste(_block(metal, HEIGHT - top), (x - STEP // 2, top))
    colours = main_colours(sample, TONES)
    colours += [WHITE, GOLD, SOFT, INK, *MEDALS.values()]
    ground = mixed(NIGHT, LIGHT, 0.2)
    for ink in (WHITE, SOFT, GOLD):
        colours += between(ground, ink, 0.2, 0.4, 0.6, 0.75, 0.88)
    for metal in MEDALS.values():
        colours += between(mixed(metal, DARK, 0.12), INK, 0.2, 0.4, 0.6, 0.8)
    return palette(colours)
