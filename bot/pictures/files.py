"""The art files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType

from engine.cards import DECK, USUAL_FACES, Card, Faces, Letters, Suit

#: Raise it when an emoji changes, so that all are uploaded again; a test compares it with the art.
EMOJI_VERSION = 1

#: All ways to print cards, the usual one first.
FACES = tuple([Faces(*how) for how in product((False, True), Letters)])
#: With two colours, the suits that are printed like another one: the colour's name, and the other suit.
RECOLOURED = {Suit.CLUBS: ("black", Suit.SPADES), Suit.DIAMONDS: ("red", Suit.HEARTS)}

#: The width and height of a card on the sheet, which has 13 in a row.
CARD = (200, 280)
JOKER, BACK = "joker", "card_back"
#: Every picture's width.
WIDTH = 1100

ART = Path(__file__).parent / "art"


def emoji_name(card: Card, faces: Faces = USUAL_FACES) -> str:
    """The name of a card's emoji, which screen readers say: `queen_of_spades`, `queen_of_clubs_black_d`."""
    name = card.title.replace(" ", "_")
    if name == JOKER:
        return name
    if faces.two_colours and card.suit in RECOLOURED:
        name += f"_{RECOLOURED[card.suit][0]}"
    symbol = faces.printed(card.symbol)
    return name if symbol == card.symbol else f"{name}_{symbol[0].lower()}"


#: Each card with its faces, by the name of its emoji; if several faces share a name, with the first in FACES.
PRINTED = {emoji_name(card, faces): (card, faces) for faces in reversed(FACES) for card in DECK}
USUAL_CARDS = (*map(emoji_name, DECK), JOKER, BACK)
#: The names of the cards on the sheet, in order.
SHEET = (*USUAL_CARDS, *sorted(PRINTED.keys() - set(USUAL_CARDS)))


def read(name: str) -> bytes:
    """The content of a file in the art folder."""
    return (ART / name).read_bytes()


@cache
def emojis() -> Mapping[str, bytes]:
    """The emojis of the cards in all faces, the joker and the back: PNG files of 128 x 128, by name."""
    return MappingProxyType({name: read(f"emojis/{name}.png") for name in SHEET})


def avatar() -> bytes:
    """The bot's avatar, a PNG file of 512 x 512."""
    return read("avatar.png")
