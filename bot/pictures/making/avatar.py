"""The bot's own face: a heart that wears a crown, on felt; Discord cuts a circle out of it."""

from __future__ import annotations

from bot.pictures.making.shapes import GOLD, SUITS, crown, document, placed
from engine.cards import Suit

SIZE = 512
_DEFINITIONS = """
<radialGradient id="felt" cx=".5" cy=".42" r=".7"><stop offset="0" stop-color="#2f9a66"/>
<stop offset="1" stop-color="#0f4a2e"/></radialGradient>
<linearGradient id="red" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff5468"/>
<stop offset="1" stop-color="#c3122c"/></linearGradient>
"""


def avatar() -> str:
    """As SVG, 512 x 512."""
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
    return document("".join(parts), SIZE, SIZE, GOLD + _DEFINITIONS)
