"""Shapes as SVG: suits, crowns, and letters as outlines, so that rendering needs no font."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from bot.pictures import palette
from engine.cards import Suit

FONT = Path(__file__).parent / "fonts" / "RobotoCondensed-ExtraBold.ttf"

COLOURS = {suit: f"#{bytes(colour).hex()}" for suit, colour in palette.SUITS.items()}
VIOLET = f"#{bytes(palette.JOKER).hex()}"

#: The suits, each in a box of 100 x 100.
SUITS = {
    Suit.HEARTS: "M50 93C46 88 7 61 7 33C7 17 19 7 31 7C40 7 47 12 50 20C53 12 60 7 69 7C81 7 93 17 93 33C"
    "93 61 54 88 50 93Z",
    Suit.SPADES: "M50 5C54 12 93 38 93 62C93 75 84 83 73 83C65 83 58 80 54 73C55 82 60 90 67 95L33 95C"
    "40 90 45 82 46 73C42 80 35 83 27 83C16 83 7 75 7 62C7 38 46 12 50 5Z",
    Suit.DIAMONDS: "M50 3C59 20 73 37 88 50C73 63 59 80 50 97C41 80 27 63 12 50C27 37 41 20 50 3Z",
    Suit.CLUBS: "M50 4C62 4 71 13 71 25C71 32 68 38 63 42C66 40 70 39 74 39C86 39 95 48 95 60C"
    "95 72 86 81 74 81C65 81 57 76 54 69C54 80 60 90 68 95L32 95C40 90 46 80 46 69C"
    "43 76 35 81 26 81C14 81 5 72 5 60C5 48 14 39 26 39C30 39 34 40 37 42C32 38 29 32 29 25C"
    "29 13 38 4 50 4Z",
}
STAR = "M50 2L62 36L98 37L69 58L80 94L50 72L20 94L31 58L2 37L38 36Z"
#: The crowns of the jack, queen and king, each in a box of 100 x 60.
CROWNS = {
    "J": '<path d="M8 56L5 26C14 34 22 34 28 24C34 36 44 36 50 20C56 36 66 36 72 24C78 34 86 34 95 26'
    'L92 56Z"/>'
    '<circle cx="5" cy="22" r="5.5"/><circle cx="28" cy="19" r="5"/><circle cx="50" cy="14" r="6"/>'
    '<circle cx="72" cy="19" r="5"/><circle cx="95" cy="22" r="5.5"/>',
    "Q": '<path d="M8 56C6 42 4 31 2 21C14 31 24 35 30 31C38 27 46 17 50 4C54 17 62 27 70 31C'
    '76 35 86 31 98 21C96 31 94 42 92 56Z"/>'
    '<circle cx="3" cy="17" r="4.5"/><circle cx="30" cy="22" r="4.5"/>'
    '<circle cx="50" cy="2" r="5.5"/><circle cx="70" cy="22" r="4.5"/><circle cx="97" cy="17" r="4.5"/>',
    "K": '<path d="M6 56L2 16L24 34L37 7L50 30L63 7L76 34L98 16L94 56Z"/><circle cx="3" cy="14" r="5"/>'
    '<circle cx="37" cy="5" r="5"/><circle cx="63" cy="5" r="5"/><circle cx="97" cy="14" r="5"/>',
}

#: The gradient that fills crowns and stars.
GOLD = """<linearGradient id="gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffdf80"/>
<stop offset="1" stop-color="#d9981a"/></linearGradient>"""


@cache
def _outline(text: str, tracking: int) -> tuple[str, float, float, float, float]:
    """A text as one path in the font's units, y downward; then its least and its greatest x and y."""
    font = TTFont(FONT)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    pen, bounds, x = SVGPathPen(glyphs, ntos="{:.0f}".format), BoundsPen(glyphs), 0
    for sign in text:
        glyph = glyphs[names[ord(sign)]]
        for target in (pen, bounds):
            glyph.draw(TransformPen(target, (1, 0, 0, -1, x, 0)))
        x += glyph.width + tracking
    return pen.getCommands(), *bounds.bounds


def letters(
    text: str, centre: tuple[float, float], capital: float, widest: float, colour: str, tracking: int = 0
) -> str:
    """Text with capitals of the height `capital`, squeezed if it would be wider than `widest`."""
    path, left, _, right, _ = _outline(text, tracking)
    _, _, cap_top, _, cap_bottom = _outline("K", 0)
    scale_y = capital / (cap_bottom - cap_top)
    scale_x = min(scale_y, widest / (right - left))
    x, y = centre[0] - (left + right) / 2 * scale_x, centre[1] - (cap_top + cap_bottom) / 2 * scale_y
    transform = f"translate({x:.2f} {y:.2f}) scale({scale_x:.5f} {scale_y:.5f})"
    return f'<path fill="{colour}" transform="{transform}" d="{path}"/>'


def placed(shape: str, x: float, y: float, size: float, style: str) -> str:
    """A shape from a box of 100 x 100, scaled to `size` and centred at a point."""
    scale = size / 100
    transform = f"translate({x - size / 2:.2f} {y - size / 2:.2f}) scale({scale:.4f})"
    return f'<path {style} transform="{transform}" d="{shape}"/>'


def crown(rank: str, x: float, y: float, width: float) -> str:
    """The crown of this rank (J, Q or K), centred at a point."""
    scale = width / 100
    return (
        f'<g transform="translate({x - width / 2:.2f} {y - 30 * scale:.2f}) scale({scale:.4f})" '
        f'fill="url(#gold)" stroke="#7a4d02" stroke-width="2.2" stroke-linejoin="round">{CROWNS[rank]}</g>'
    )


def document(body: str, width: float, height: float, definitions: str = "", zoom: float = 1) -> str:
    """A complete SVG file with `zoom` pixels to a unit."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width * zoom}" height="{height * zoom}"><defs>{definitions}</defs>{body}</svg>'
    )
