"""The designs of the art files, as SVG: cards as pictures and as emojis, small signs, and the avatar."""

from __future__ import annotations

from bot.pictures.files import BACK, CARD, JOKER, PRINTED, RECOLOURED, SHEET
from bot.pictures.making.shapes import (
    COLOURS,
    CROWNS,
    GOLD,
    STAR,
    SUITS,
    VIOLET,
    crown,
    document,
    letters,
    placed,
)
from engine.cards import Card, Faces, Suit

# Cards as they lie on a table, each 250 x 350: a large index and one large pip, which a court crowns

_SHEET_DEFINITIONS = (
    GOLD
    + """<linearGradient id="back" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#c4263f"/>
<stop offset="1" stop-color="#8d1530"/></linearGradient>"""
)
_EDGE = (
    '<rect x="1.5" y="1.5" width="247" height="347" rx="23" fill="#fff" stroke="#c9c7c1" stroke-width="3"/>'
)


def sheet() -> str:
    """All cards as one SVG: the usual faces in a row for each suit, then the joker, the back, other faces."""
    drawn = {name: _face(*how) for name, how in PRINTED.items()} | {JOKER: _joker(), BACK: _back()}
    cells = []
    for index, name in enumerate(SHEET):
        x, y = index % 13 * 250, index // 13 * 350
        cells.append(f'<g transform="translate({x} {y})">{drawn[name]}</g>')
    rows = -(-len(SHEET) // 13)
    return document("".join(cells), 13 * 250, rows * 350, _SHEET_DEFINITIONS, CARD[0] / 250)


def _face(card: Card, faces: Faces) -> str:
    assert card.suit
    ink, shape, rank = _ink(card.suit, faces), SUITS[card.suit], faces.printed(card.symbol)[:-1]
    colour, ten, court = f'fill="{ink}"', rank == "10", card.symbol[:-1]
    index = letters(rank, (62, 76), 102, 96, ink, -60 if ten else 0)
    small = placed(shape, 61, 176, 70, colour)
    if court in CROWNS:
        return _EDGE + index + small + placed(shape, 162, 258, 142, colour) + crown(court, 162, 160, 112)
    return _EDGE + index + small + placed(shape, 160, 246, 176 if rank == "A" else 158, colour)


def _ink(suit: Suit, faces: Faces) -> str:
    """The colour in which these faces print this suit."""
    is_other = faces.two_colours and suit in RECOLOURED
    return COLOURS[RECOLOURED[suit][1] if is_other else suit]


def _joker() -> str:
    style = 'fill="url(#gold)" stroke="#8a5a06" stroke-width="2.5" stroke-linejoin="round"'
    return _EDGE + letters("JOKER", (125, 62), 58, 196, VIOLET) + placed(STAR, 125, 218, 180, style)


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


# Emojis: square tiles that are read at 20 pixels, the whole rank top left, the suit bottom right

TILE_SIZE = 128
TILE = '<rect x="1" y="1" width="126" height="126" rx="25" fill="#fff" stroke="#b9bec8" stroke-width="2"/>'


def emojis() -> dict[str, str]:
    """All tiles as SVG, by their emojis' names."""
    tiles = {name: _tile(*how) for name, how in PRINTED.items()}
    tiles |= {JOKER: _joker_tile(), BACK: _back_tile()}
    return {name: document(body, TILE_SIZE, TILE_SIZE) for name, body in tiles.items()}


def _tile(card: Card, faces: Faces) -> str:
    """The emoji of a card; a white rim keeps the suit clear of the rank's foot."""
    assert card.suit
    colour, shape, rank = _ink(card.suit, faces), SUITS[card.suit], faces.printed(card.symbol)[:-1]
    ten = rank == "10"
    index = letters(rank, (44 if ten else 42, 48), 76, 72 if ten else 64, colour, -120 if ten else 0)
    rim = placed(shape, 93, 95, 60, 'fill="#fff" stroke="#fff" stroke-width="17" stroke-linejoin="round"')
    return TILE + index + rim + placed(shape, 93, 95, 60, f'fill="{colour}"')


def _joker_tile() -> str:
    return TILE + placed(STAR, 64, 62, 104, f'fill="{VIOLET}"')


def _back_tile() -> str:
    inner = '<rect x="11" y="11" width="106" height="106" rx="17" fill="#b01f38"/>'
    lines = '<path d="M11 64L64 11L117 64L64 117Z" fill="none" stroke="#d892a0" stroke-width="5"/>'
    return TILE + inner + lines + placed(SUITS[Suit.HEARTS], 64, 66, 58, 'fill="#fff"')


# Small signs around the cards, each in a square of 96 x 96


def signs() -> dict[str, str]:
    """The small signs as SVG, by their names."""
    drawn = {
        "heart": placed(SUITS[Suit.HEARTS], 48, 49, 92, 'fill="#ff6478"'),
        "crown": crown("K", 48, 52, 92),
        "robot": _robot("#cfe3d8", "#0d2c1e"),
        "dark_robot": _robot("#4a3a08", "#ffd54a"),
    }
    return {name: document(body, 96, 96, GOLD) for name, body in drawn.items()}


def _robot(colour: str, ground: str) -> str:
    head = (
        '<rect x="14" y="30" width="68" height="54" rx="14"/><rect x="45" y="12" width="6" height="20"/>'
        '<circle cx="48" cy="12" r="8"/>'
        '<rect x="4" y="46" width="8" height="22" rx="4"/><rect x="84" y="46" width="8" height="22" rx="4"/>'
    )
    face = (
        '<circle cx="34" cy="53" r="8"/><circle cx="62" cy="53" r="8"/>'
        '<rect x="32" y="67" width="32" height="7" rx="3.5"/>'
    )
    return f'<g fill="{colour}">{head}</g><g fill="{ground}">{face}</g>'


# The bot's avatar: a heart that wears a crown, on felt; Discord cuts a circle out of it

AVATAR_SIZE = 512

_AVATAR_DEFINITIONS = """
<radialGradient id="felt" cx=".5" cy=".42" r=".7"><stop offset="0" stop-color="#2f9a66"/>
<stop offset="1" stop-color="#0f4a2e"/></radialGradient>
<linearGradient id="red" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff5468"/>
<stop offset="1" stop-color="#c3122c"/></linearGradient>
"""


def avatar() -> str:
    """The bot's avatar as SVG, 512 x 512."""
    heart = SUITS[Suit.HEARTS]
    parts = [
        '<rect width="512" height="512" fill="url(#felt)"/>',
        '<circle cx="256" cy="256" r="236" fill="none" stroke="#4a9a72" stroke-width="6"/>',
        placed(heart, 256, 332, 336, 'fill="#06281a" fill-opacity=".35"'),
        placed(heart, 256, 318, 330, 'fill="url(#red)" stroke="#fff" stroke-width="4.5"'),
        '<path d="M156 270C149 234 172 211 204 213" fill="none" stroke="#ffa9b3" stroke-width="17" '
        'stroke-linecap="round"/>',
        crown("K", 256, 118, 246),
    ]
    return document("".join(parts), AVATAR_SIZE, AVATAR_SIZE, GOLD + _AVATAR_DEFINITIONS)
