"""The cards of a hand, as text, as a picture and as buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot.messages import Button, Part, Picture
from bot.render.text import chips
from bot.scenes import FanScene
from engine.cards import Card, Hand, Suit

#: In the order in which a hand shows them; jokers last.
SUITS = (*Suit, None)


def by_suit(cards: Hand) -> str:
    """The hand as text, a suit a line."""
    lines = [chips(card for card in cards if card.suit is suit) for suit in SUITS]
    return "\n".join(line for line in lines if line)


def fan(hand: Hand, raised: frozenset[int] = frozenset()) -> Picture:
    """The hand as a picture, with some of its cards raised."""
    held = " ".join(card.symbol for card in hand)
    return Picture(FanScene(hand, raised), f"Your hand: {held}", by_suit(hand))


def rows(buttons: Iterable[tuple[Card, Button]]) -> list[Part]:
    """The buttons of these cards, each suit in a row of its own."""
    suits: dict[Suit | None, list[Button]] = {suit: [] for suit in SUITS}
    for card, button in buttons:
        suits[card.suit].append(button)
    return [tuple(suit) for suit in suits.values() if suit]


def slots(cards: Hand) -> list[tuple[Card, str]]:
    """Each card with its code and the number of its copy, which tells two of them apart: `QS.0`."""
    seen: Counter[Card] = Counter()
    found = []
    for card in cards:
        found.append((card, f"{card.code}.{seen[card]}"))
        seen[card] += 1
    return found
