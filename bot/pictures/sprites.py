"""Sprites for pictures: cards, tiles, signs and plates, drawn once and cached.

All threads share the cache, so callers must not change the pictures.
"""

from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.files import BACK, CARD, SHEET, WIDTH, emoji_name, emojis, read
from bot.pictures.palette import FELTS, GOLD, LINE, RED, VEIL, VEILS, Colour
from bot.pictures.seats import Box, Point
from engine.cards import USUAL_FACES, Card, Faces

#: How many pixels a card's shadow reaches beyond it.
SHADOW = 10
#: How much a card is darkened, by its look.
DARKENED = {"cancelled": VEILS[0], "dimmed": VEILS[1]}
#: Edges are drawn this many times as large and then reduced, as Pillow's are jagged.
_FINE = 4


def opened(name: str) -> Image.Image:
    """A picture from the art files."""
    picture = Image.open(BytesIO(read(name)))
    picture.load()
    return picture


def felt(height: int) -> Image.Image:
    """A new picture of this height: the bare cloth of a table."""
    return _cloth(height).convert("RGB")


@lru_cache(maxsize=16)
def sign(name: str, size: int) -> Image.Image:
    """A small sign from the art: `crown`, `heart`, `robot` or `dark_robot`."""
    return _scaled(opened(f"signs/{name}.png").convert("RGBA"), size, size)


@lru_cache(maxsize=128)
def tile(card: Card, size: int, *, dimmed: bool = False) -> Image.Image:
    """A card as a small, readable tile."""
    face = Image.open(BytesIO(emojis()[emoji_name(card)])).convert("RGBA")
    return _scaled(_veiled(face, DARKENED["cancelled"]) if dimmed else face, size, size)


@lru_cache(maxsize=192)  # with all cards of a fan in each of its looks
def card(
    card: Card | None, width: int, turn: int = 0, look: str = "", faces: Faces = USUAL_FACES
) -> Image.Image:
    """A card of this width (None for a back) with its shadow, turned clockwise by `turn` degrees.

    It may look `highest` (a ring), `cancelled` (dimmed and struck), `dimmed`, or `chosen` (a ring).
    """
    face = _face(card, faces)
    if look in DARKENED:
        face = _veiled(face, DARKENED[look])
    height = width * CARD[1] // CARD[0]
    face = _scaled(face, width, height)
    whole = Image.new("RGBA", (width + 2 * SHADOW, height + 2 * SHADOW))
    whole.paste((0, 0, 0, 255), (0, 0), _shadow(width, height))
    whole.paste(face, (SHADOW, SHADOW), face)
    over = Image.new("RGBA", whole.size)
    if look in ("highest", "chosen"):
        rim = rounded(width + 14, height + 14, width // 10 + 7, line=9)
        over.paste(GOLD, (SHADOW - 7, SHADOW - 7), rim)
    if look == "cancelled":
        over.paste(RED, (SHADOW, SHADOW), _stroke(width, height))
    whole.alpha_composite(over)
    return whole.rotate(-turn, Image.Resampling.BICUBIC, expand=True) if turn else whole


def put(picture: Image.Image, sprite: Image.Image, centre: Point) -> None:
    """Paste a sprite onto a picture, centred at a point."""
    corner = round(centre[0] - sprite.width / 2), round(centre[1] - sprite.height / 2)
    picture.paste(sprite, corner, sprite)


def fill(picture: Image.Image, box: Box, colour: Colour, radius: int | None = None, *, line: int = 0) -> None:
    """Fill a rectangle with round corners (without a radius: round ends), or draw a line inside its edge."""
    radius = box.height // 2 if radius is None else radius
    picture.paste(colour, box[:2], rounded(*box.size, radius, line))


@lru_cache(maxsize=192)
def rounded(width: int, height: int, radius: int, line: int = 0) -> Image.Image:
    """A mask of a rectangle with round corners, or of a line inside its edge."""
    large = Image.new("L", (width * _FINE, height * _FINE))
    box = (0, 0, width * _FINE - 1, height * _FINE - 1)
    draw = ImageDraw.Draw(large)
    if line:
        draw.rounded_rectangle(box, radius * _FINE, outline=255, width=line * _FINE)
    else:
        draw.rounded_rectangle(box, radius * _FINE, fill=255)
    return large.reduce(_FINE)


@lru_cache(maxsize=8)
def _cloth(height: int) -> Image.Image:
    """Felt, lighter towards its middle, with a line around it; a byte per pixel, as it is cached."""
    light = Image.radial_gradient("L").resize((WIDTH, height), Image.Resampling.BILINEAR)
    tones = [max(0, len(FELTS) - 1 - value * len(FELTS) // 200) for value in range(256)]
    cloth = light.point(tones)
    sharp = [0] * 128 + [255] * 128  # palette indexes can't be blended
    cloth.paste(len(FELTS), (12, 12), rounded(WIDTH - 24, height - 24, 26, line=2).point(sharp))
    cloth.putpalette([value for colour in (*FELTS, LINE) for value in colour])
    return cloth


@cache
def _sheet() -> Image.Image:
    return opened("cards.webp").convert("RGBA")


def _face(card: Card | None, faces: Faces) -> Image.Image:
    index = SHEET.index(emoji_name(card, faces) if card else BACK)
    left, top = index % 13 * CARD[0], index // 13 * CARD[1]
    return _sheet().crop((left, top, left + CARD[0], top + CARD[1]))


def _veiled(face: Image.Image, strength: float) -> Image.Image:
    """A darkened card, its edge unchanged."""
    veil = Image.new("RGBA", face.size, (*VEIL, 255))
    dark = Image.blend(face, veil, strength)
    dark.putalpha(face.getchannel("A"))
    return dark


def _scaled(picture: Image.Image, width: int, height: int) -> Image.Image:
    return picture.resize((width, height), Image.Resampling.LANCZOS)


@lru_cache(maxsize=16)
def _shadow(width: int, height: int) -> Image.Image:
    mask = Image.new("L", (width + 2 * SHADOW, height + 2 * SHADOW))
    mask.paste(110, (SHADOW, SHADOW + 2), rounded(width, height, width // 10))
    return mask.filter(ImageFilter.GaussianBlur(4))


@lru_cache(maxsize=16)
def _stroke(width: int, height: int) -> Image.Image:
    """A mask of a diagonal line."""
    large = Image.new("L", (width * 2, height * 2))
    ends = (width * 0.2, height * 1.88, width * 1.8, height * 0.12)
    ImageDraw.Draw(large).line(ends, fill=235, width=width // 6)
    return ImageChops.multiply(large.reduce(2), rounded(width, height, width // 10))
