"""The art files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engine.cards import DECK, Card

#: Raise it when an emoji looks different, so that all are uploaded again; a test compares it with the art.
EMOJI_VERSION = 1

#: The width and height of a card on the sheet, which has 13 in a row, and the cards' codes in its order.
CARD = (200, 280)
BACK = "back"
SHEET = (*(card.code for card in DECK), "JK", BACK)
#: Every picture's width.
WIDTH = 1100

_ART = files("bot.pictures") / "art"


def emoji_name(card: Card) -> str:
    """The name of its emoji, which screen readers say: `queen_of_spades`, `joker`."""
    return card.title.replace(" ", "_")


def read(name: str) -> bytes:
    """One file of the art."""
    return (_ART / name).read_bytes()


@cache
def emojis() -> Mapping[str, bytes]:
    """The 52 cards, the joker and `card_back` as PNG files of 128 x 128, by their names."""
    found = {one.name.removesuffix(".png"): one.read_bytes() for one in (_ART / "emojis").iterdir()}
    return MappingProxyType(dict(sorted(found.items())))


def avatar() -> bytes:
    """The bot's own face, a PNG file of 512 x 512."""
    return read("avatar.png")
