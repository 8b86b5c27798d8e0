"""The art files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType

from engine.cards import DECK, USUAL_FACES, Card, Faces, Letters, Suit

#: Raise it when an emoji looks different, so that all are uploaded again; a test compares it with the art.
EMOJI_VERSION = 1

#: All ways to print cards, the usual one first.
FACES = tuple([Faces(*how) for how in product((False, True), Letters)])
#: The suits that two colours print in the colour of another: its name, and that suit.
RECOLOURED = {Suit.CLUBS: ("black", Suit.SPADES), Suit.DIAMONDS: ("red", Suit.HEARTS)}

#: The width and height of a card on the sheet, which has 13 in a row.
CARD = (200, 280)
JOKER, BACK = "joker", "card_back"
#: Every picture's width.
WIDTH = 1100

ART = Path(__file__).parent / "art"


def emoji_name(card: Card, faces: Faces = USUAL_FACES) -> str:
    """The name of its emoji, which screen readers say: `queen_of_spades`, `queen_of_clubs_black_d`."""
    name = card.title.replace(" ", "_")
    if name == JOKER:
        return name
    if faces.two_colours and card.suit in RECOLOURED:
        name += f"_{RECOLOURED[card.suit][0]}"
    symbol = faces.printed(card.symbol)
    return name if symbol == card.symbol else f"{name}_{symbol[0].lower()}"


#: The card and how it is printed, by the name of its emoji: first those that are printed as usual.
PRINTED = {emoji_name(card, faces): (card, faces) for faces in reversed(FACES) for card in DECK}
USUAL_CARDS = (*map(emoji_name, DECK), JOKER, BACK)
#: The names of the cards on the sheet, in its order.
SHEET = (*USUAL_CARDS, *sorted(PRINTED.keys() - set(USUAL_CARDS)))


def read(name: str) -> bytes:
    """One file of the art."""
    return (ART / name).read_bytes()


@cache
def emojis() -> Mapping[str, bytes]:
    """The cards in all faces, the joker and `card_back`: PNG files of 128 x 128, by their names."""
    return MappingProxyType({name: read(f"emojis/{name}.png") for name in SHEET})


def avatar() -> bytes:
    """The bot's own face, a PNG file of 512 x 512."""
    return read("avatar.png")
