"""Cards as they lie on a table, each 250 x 350: a large index and one large pip, which a court crowns."""

from __future__ import annotations

from bot.pictures.files import BACK, CARD, SHEET
from bot.pictures.making.shapes import (
    COLOURS,
    CROWNS,
    GOLD,
    JOKER,
    STAR,
    SUITS,
    crown,
    document,
    letters,
    placed,
)
from engine.cards import DECK, Card, Suit

DEFINITIONS = (
    GOLD
    + """<linearGradient id="back" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#c4263f"/>
<stop offset="1" stop-color="#8d1530"/></linearGradient>"""
)
_EDGE = (
    '<rect x="1.5" y="1.5" width="247" height="347" rx="23" fill="#fff" stroke="#c9c7c1" stroke-width="3"/>'
)


def sheet() -> str:
    """All faces in a row for each suit, then the joker and the back, as one SVG."""
    faces = {card.code: _face(card) for card in DECK} | {"JK": _joker(), BACK: _back()}
    cells = []
    for index, code in enumerate(SHEET):
        x, y = index % 13 * 250, index // 13 * 350
        cells.append(f'<g transform="translate({x} {y})">{faces[code]}</g>')
    rows = -(-len(SHEET) // 13)
    return document("".join(cells), 13 * 250, rows * 350, DEFINITIONS, CARD[0] / 250)


def _face(card: Card) -> str:
    assert card.suit
    colour, shape, rank = f'fill="{COLOURS[card.suit]}"', SUITS[card.suit], card.symbol[:-1]
    ten = rank == "10"
    index = letters(rank, (62, 76), 102, 96, COLOURS[card.suit], -60 if ten else 0)
    small = placed(shape, 61, 176, 70, colour)
    if rank in CROWNS:
        return _EDGE + index + small + placed(shape, 162, 258, 142, colour) + crown(rank, 162, 160, 112)
    return _EDGE + index + small + placed(shape, 160, 246, 176 if rank == "A" else 158, colour)


def _joker() -> str:
    style = 'fill="url(#gold)" stroke="#8a5a06" stroke-width="2.5" stroke-linejoin="round"'
    return _EDGE + letters("JOKER", (125, 62), 58, 196, JOKER) + placed(STAR, 125, 218, 180, style)


def _back() -> str:
    lines = "".join(
        f'<path d="M{x} 12L{x + 326} 338M{x} 338L{x + 326} 12" stroke="#cf5265" stroke-width="4"/>'
        for x in range(-314, 250, 36)
    )
    return (
        _EDGE + '<clipPath id="inside"><rect x="14" y="14" width="222" height="322" rx="14"/></clipPath>'
        '<g clip-path="url(#inside)"><rect width="250" height="350" fill="url(#back)"/>'
        f"{lines}</g>"
        + placed(SUITS[Suit.HEARTS], 125, 178, 126, 'fill="#9c1a34"')
        + placed(SUITS[Suit.HEARTS], 125, 178, 100, 'fill="#fff"')
    )
