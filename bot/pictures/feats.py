"""Draws the feat of a deal: a moon, a sun, an eclipse for a stopped moon, or the queen."""

import math
import random
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.files import WIDTH
from bot.pictures.lettering import TextLine, name_line, put_line, write
from bot.pictures.palette import GOLD, WHITE, Colour, between, main_colours, mixed, palette
from bot.pictures.seats import Point
from bot.pictures.sprites import card, put
from bot.vocabulary.scenes import FeatScene
from engine.cards import QUEEN_OF_SPADES
from engine.play.feats import FeatKind

HEIGHT = 360
#: Where the words begin, how wide they may be, and their sizes and baselines: name, deed, outcome.
LEFT, ROOM = 64, 620
NAME, DEED, OUTCOME = (88, 158), (54, 232), (40, 294)
SMALL_NAME = 60
#: The centre of the moon or sun in the sky, and its radius.
SKY, RADIUS = (878, 180), 128
#: Round things are drawn this many times as large and then reduced.
FINE = 3
#: The number of colours for the background, besides those of the words.
TONES = 208

NIGHT: tuple[Colour, Colour, Colour] = ((8, 12, 34), (30, 38, 86), (92, 104, 168))
DUSK: tuple[Colour, Colour, Colour] = ((10, 9, 24), (44, 24, 48), (134, 62, 52))
DAWN: tuple[Colour, Colour, Colour] = ((74, 20, 62), (176, 52, 48), (255, 196, 92))
STAGE: tuple[Colour, Colour, Colour] = ((22, 8, 32), (64, 18, 58), (176, 74, 116))
#: The background's colours by feat: at the top, at the bottom, and in the light.
GROUNDS = {
    FeatKind.MOON: NIGHT,
    FeatKind.STOPPED: DUSK,
    FeatKind.SUN: DAWN,
    FeatKind.QUEEN: STAGE,
}
LIT: Colour = (250, 243, 220)
SHADED: Colour = (196, 186, 168)
SEA: Colour = (186, 176, 160)
COPPER: Colour = (96, 34, 26)
SUNNY: Colour = (255, 236, 150)
SUN_EDGE: Colour = (255, 178, 46)
SOFT: Colour = (214, 218, 236)
#: The dark plains of the moon: centre and size in radii.
SEAS = (
    (-0.34, -0.42, 0.30, 0.22),
    (-0.56, -0.06, 0.24, 0.38),
    (-0.30, 0.24, 0.20, 0.16),
    (0.22, -0.38, 0.20, 0.16),
    (0.40, -0.10, 0.26, 0.15),
    (0.60, 0.06, 0.14, 0.20),
    (0.72, -0.40, 0.09, 0.13),
)
#: The craters of the moon: centre and radius in radii.
CRATERS = (
    (0.06, 0.66, 0.09),
    (-0.46, 0.62, 0.05),
    (0.38, 0.46, 0.07),
    (-0.04, 0.10, 0.05),
)


def feat(scene: FeatScene) -> Image.Image:
    """Draw the feat: the player's name, the deed and the outcome beside it."""
    picture = _background(scene.kind).copy()
    put_line(picture, (LEFT, NAME[1]), _name(scene), WHITE)
    write(picture, (LEFT, DEED[1]), scene.deed, DEED[0], GOLD, most=ROOM)
    write(picture, (LEFT, OUTCOME[1]), scene.outcome, OUTCOME[0], SOFT, most=ROOM)
    return picture


def _name(scene: FeatScene) -> TextLine:
    """The name, in smaller letters if it is long, and cut if it is still too long."""
    whole = name_line(scene.name, scene.seat, NAME[0], math.inf)
    size = NAME[0] if whole.width <= ROOM else SMALL_NAME
    return name_line(scene.name, scene.seat, size, ROOM)


@cache
def feats_palette(kind: FeatKind) -> Image.Image:
    """The background's own colours, and those of the words on it."""
    whole, (x, y), reach = _background(kind), SKY, RADIUS + 24
    sample = whole.resize((WIDTH, 2 * reach), Image.Resampling.BILINEAR)
    # The moon or sun gets more weight, as it matters as much as the large sky.
    sample.paste(whole.crop((x - reach, y - reach, x + reach, y + reach)))
    sample.paste(sample.crop((0, 0, 2 * reach, 2 * reach)), (2 * reach, 0))
    colours = main_colours(sample, TONES)
    top, bottom, _ = GROUNDS[kind]
    for ink in (WHITE, GOLD, SOFT):
        colours += [ink, *between(mixed(top, bottom, 0.5), ink, 0.15, 0.3, 0.45, 0.6, 0.75, 0.88)]
    return palette(colours)


@cache
def _background(kind: FeatKind) -> Image.Image:
    """The picture without the words."""
    top, bottom, light = GROUNDS[kind]
    picture = Image.composite(_plain(bottom), _plain(top), Image.linear_gradient("L").resize((WIDTH, HEIGHT)))
    if kind is not FeatKind.SUN:
        _stars(picture, 40 if kind is FeatKind.QUEEN else 150)
    else:
        _rays(picture)
    picture.paste(light, (0, 0), _glow())
    match kind:
        case FeatKind.MOON:
            put(picture, _cut_out(_face()), SKY)
        case FeatKind.STOPPED:
            put(picture, _eclipsed(), SKY)
        case FeatKind.SUN:
            put(picture, _cut_out(_shaded(SUNNY, SUN_EDGE)), SKY)
        case FeatKind.QUEEN:
            _queen(picture)
    return picture


def _plain(colour: Colour) -> Image.Image:
    return Image.new("RGB", (WIDTH, HEIGHT), colour)


def _glow() -> Image.Image:
    """A mask of the light around the moon or sun."""
    size = RADIUS * 6
    light = ImageChops.invert(Image.radial_gradient("L").resize((size, size), Image.Resampling.BILINEAR))
    light = light.point([max(0, value - 74) * max(0, value - 74) // 150 for value in range(256)])
    mask = Image.new("L", (WIDTH, HEIGHT))
    mask.paste(light, (SKY[0] - size // 2, SKY[1] - size // 2))
    return mask


def _stars(picture: Image.Image, count: int) -> None:
    """Draw stars, always in the same places; a few of them sparkle."""
    chance = random.Random(7)
    large = Image.new("L", (WIDTH * FINE, HEIGHT * FINE))
    draw = ImageDraw.Draw(large)
    for number in range(count):
        x, y = chance.uniform(0, WIDTH * FINE), chance.uniform(0, HEIGHT * FINE)
        bright, size = chance.randrange(70, 230), chance.choice((2.0, 2.6, 3.4))
        is_behind_words = x < (LEFT + ROOM) * FINE and 80 * FINE < y < 310 * FINE
        draw.ellipse((x - size, y - size, x + size, y + size), fill=60 if is_behind_words else bright)
        if number % 12 == 0 and not is_behind_words:
            _sparkle(draw, (x, y), chance.uniform(15, 27))
    picture.paste(WHITE, (0, 0), large.reduce(FINE))


def _sparkle(draw: ImageDraw.ImageDraw, centre: Point, size: float) -> None:
    x, y = centre
    thin = size * 0.14
    corners = [(thin, -thin), (thin, thin), (-thin, thin), (-thin, -thin)]
    tips = [(0, -size), (size, 0), (0, size), (-size, 0)]
    star = [point for both in zip(tips, corners, strict=True) for point in both]
    draw.polygon([(x + dx, y + dy) for dx, dy in star], fill=240)


def _rays(picture: Image.Image) -> None:
    """Draw rays of light around the sun."""
    large = Image.new("L", (WIDTH * FINE, HEIGHT * FINE))
    draw = ImageDraw.Draw(large)
    x, y = SKY[0] * FINE, SKY[1] * FINE
    for number in range(0, 36, 2):
        ends = [math.tau * (number + side) / 36 for side in (-0.45, 0.45)]
        far = [(x + 4000 * math.cos(angle), y + 4000 * math.sin(angle)) for angle in ends]
        draw.polygon([(x, y), *far], fill=30)
    picture.paste(GROUNDS[FeatKind.SUN][2], (0, 0), large.reduce(FINE))


def _disc(radius: float = RADIUS) -> Image.Image:
    """A mask of a disc in a square with sides of 2 * RADIUS, FINE times as large."""
    side = 2 * RADIUS * FINE
    mask = Image.new("L", (side, side))
    edge = (RADIUS - radius) * FINE
    ImageDraw.Draw(mask).ellipse((edge, edge, side - edge - 1, side - edge - 1), fill=255)
    return mask


def _shaded(lit: Colour, edge: Colour) -> Image.Image:
    side = 2 * RADIUS * FINE
    light = Image.radial_gradient("L").resize((side * 3 // 2, side * 3 // 2), Image.Resampling.BILINEAR)
    light = light.crop((side // 5, side // 4, side // 5 + side, side // 4 + side))
    light = light.point([min(255, value * value // 150) for value in range(256)])
    return Image.composite(Image.new("RGB", (side, side), edge), Image.new("RGB", (side, side), lit), light)


def _cut_out(face: Image.Image) -> Image.Image:
    face = face.convert("RGBA")
    face.putalpha(_disc())
    return face.reduce(FINE)


def _face() -> Image.Image:
    """The moon with its seas and craters."""
    face = _shaded(LIT, SHADED)
    seas = Image.new("L", face.size)
    draw = ImageDraw.Draw(seas)
    scale = RADIUS * FINE
    for x, y, wide, high in SEAS:
        draw.ellipse(
            [scale * (1 + edge) for edge in (x - wide, y - high, x + wide, y + high)],
            fill=215,
        )
    face.paste(SEA, (0, 0), seas.filter(ImageFilter.GaussianBlur(13)))
    draw = ImageDraw.Draw(face)
    for x, y, radius in CRATERS:
        for shift, ink in ((0.0, SEA), (0.025, mixed(LIT, SHADED, 0.2))):
            inner = radius - shift
            draw.ellipse(
                [scale * (1 + edge) for edge in (x - inner + shift, y - inner + shift, x + inner, y + inner)],
                fill=ink,
            )
    return face


def _eclipsed() -> Image.Image:
    """The moon with the earth's shadow on most of it."""
    face = _face()
    shadow = Image.new("L", face.size)
    scale = RADIUS * FINE
    x, y, radius = 0.74 * scale, 0.88 * scale, 1.06 * scale
    ImageDraw.Draw(shadow).ellipse((x - radius, y - radius, x + radius, y + radius), fill=232)
    face.paste(COPPER, (0, 0), shadow.filter(ImageFilter.GaussianBlur(14)))
    return _cut_out(face)


def _queen(picture: Image.Image) -> None:
    """Draw the queen of spades on two cards that lie face down."""
    x, y = SKY
    for aside, turn in ((-62, -16), (62, 22)):
        put(picture, card(None, 176, turn), (x + aside, y + 14))
    put(picture, card(QUEEN_OF_SPADES, 196, 4), (x, y))
