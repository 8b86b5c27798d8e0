"""Cards as square tiles that are read at 20 pixels: the whole rank top left, the suit bottom right."""

from __future__ import annotations

from bot.pictures.files import emoji_name
from bot.pictures.making.shapes import COLOURS, JOKER, STAR, SUITS, document, letters, placed
from engine.cards import DECK, Card, Suit

SIZE = 128
TILE = '<rect x="1" y="1" width="126" height="126" rx="25" fill="#fff" stroke="#b9bec8" stroke-width="2"/>'


def emojis() -> dict[str, str]:
    """All tiles as SVG, by their emojis' names."""
    tiles = {emoji_name(card): _tile(card) for card in DECK} | {"joker": _joker(), "card_back": _back()}
    return {name: document(body, SIZE, SIZE) for name, body in tiles.items()}


def _tile(card: Card) -> str:
    """A white rim keeps the suit clear of the rank's foot."""
    assert card.suit
    colour, shape, rank = COLOURS[card.suit], SUITS[card.suit], card.symbol[:-1]
    ten = rank == "10"
    index = letters(rank, (44 if ten else 42, 48), 76, 72 if ten else 64, colour, -120 if ten else 0)
    rim = placed(shape, 93, 95, 60, 'fill="#fff" stroke="#fff" stroke-width="17" stroke-linejoin="round"')
    return TILE + index + rim + placed(shape, 93, 95, 60, f'fill="{colour}"')


def _joker() -> str:
    return TILE + placed(STAR, 64, 62, 104, f'fill="{JOKER}"')


def _back() -> str:
    inner = '<rect x="11" y="11" width="106" height="106" rx="17" fill="#b01f38"/>'
    lines = '<path d="M11 64L64 11L117 64L64 117Z" fill="none" stroke="#d892a0" stroke-width="5"/>'
    return TILE + inner + lines + placed(SUITS[Suit.HEARTS], 64, 66, 58, 'fill="#fff"')
