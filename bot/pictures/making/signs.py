"""Small signs around the cards, each in a square of 96 x 96."""

from __future__ import annotations

from bot.pictures.making.shapes import GOLD, SUITS, crown, document, placed
from engine.cards import Suit


def signs() -> dict[str, str]:
    """All as SVG, by their names."""
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
