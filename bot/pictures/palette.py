"""The colours of pictures: few enough for small files, without visible loss.

Smooth edges between two colours need mixtures of both, so a palette has colours and such mixtures.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from PIL import Image

from engine.cards import Suit

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
DARK: Colour = (7, 34, 23)
GOLD: Colour = (255, 213, 74)
INK: Colour = (44, 34, 4)
RED: Colour = (208, 44, 66)
GREEN: Colour = (34, 150, 84)
SOFT: Colour = (190, 226, 207)
VEIL: Colour = (14, 40, 28)
#: The felt, from its dark edge to its bright middle.
FELTS: tuple[Colour, ...] = (
    (23, 95, 60),
    (25, 100, 64),
    (27, 105, 67),
    (30, 109, 71),
    (32, 114, 74),
    (34, 119, 78),
)
FELT = FELTS[3]
LINE: Colour = (52, 138, 96)
#: Four colours that differ in brightness too, each at least 5 : 1 against a card.
SUITS: dict[Suit, Colour] = {
    Suit.CLUBS: (8, 115, 58),
    Suit.DIAMONDS: (23, 95, 208),
    Suit.SPADES: (20, 22, 27),
    Suit.HEARTS: (207, 23, 48),
}
JOKER: Colour = (109, 47, 184)
#: Crowns and stars, with their outline.
METALS: tuple[Colour, ...] = ((122, 77, 2), (255, 223, 128), (245, 200, 90), (230, 176, 56), (217, 152, 26))
EDGES: tuple[Colour, ...] = ((201, 199, 193), (231, 229, 224))

#: How much cancelled cards are darkened, and cards that aren't chosen.
VEILS = (0.45, 0.28)

_QUARTERS = (0.25, 0.5, 0.75)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """A mixture of two colours with this share of the second, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def between(first: Colour, second: Colour, *shares: float) -> list[Colour]:
    """Mixtures of two colours with these shares of the second, by default 0.25, 0.5 and 0.75."""
    return [mixed(first, second, share) for share in shares or _QUARTERS]


def palette(colours: Iterable[Colour]) -> Image.Image:
    """A palette for Pillow's `quantize`, of at most 256 colours."""
    several = list(dict.fromkeys(colours))
    assert len(several) <= 256
    holder = Image.new("P", (1, 1))
    holder.putpalette([value for colour in several for value in colour])
    return holder


def main_colours(picture: Image.Image, count: int) -> list[Colour]:
    """The colours, at most `count`, that represent a picture best."""
    values = picture.quantize(count, Image.Quantize.MEDIANCUT).getpalette() or []
    triples = zip(values[::3], values[1::3], values[2::3], strict=True)
    return list(triples)[:count]


@cache
def table_palette() -> Image.Image:
    """All colours of a table and of a hand."""
    inks = (*SUITS.values(), JOKER)
    colours = [WHITE, DARK, GOLD, INK, RED, GREEN, SOFT, LINE, *inks, *FELTS, *METALS, *EDGES]
    for ink in inks:
        colours += between(ink, WHITE)
        for veil in VEILS:
            colours += [mixed(ink, VEIL, veil), mixed(mixed(ink, VEIL, veil), mixed(WHITE, VEIL, veil), 0.5)]
    for veil in VEILS:
        colours += [mixed(WHITE, VEIL, veil), mixed(METALS[2], VEIL, veil), mixed(METALS[4], VEIL, veil)]
    colours += between(FELT, WHITE) + between(DARK, WHITE, 0.2, 0.4, 0.6, 0.8) + between(FELT, DARK)
    colours += (
        between(FELT, GOLD, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85) + between(GOLD, INK) + between(GOLD, WHITE, 0.5)
    )
    for pill in (RED, GREEN):
        colours += between(pill, WHITE) + between(pill, DARK, 0.5)
    colours += between(SOFT, FELT) + between(METALS[0], WHITE, 0.5) + between(METALS[0], METALS[2], 0.5)
    return palette(colours)
