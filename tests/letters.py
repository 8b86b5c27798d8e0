"""Turns emojis of cards and tappable commands back into text."""

from __future__ import annotations

import re
from typing import Any

from bot.delivery.components import signs
from bot.pictures import FACES, emoji_name
from engine.cards import CLUB_JOKER, DECK

SYMBOLS = {emoji_name(card, faces): faces.printed(card.symbol) for faces in FACES for card in DECK}
SYMBOLS[emoji_name(CLUB_JOKER)] = CLUB_JOKER.symbol
EMOJI = re.compile(r"<:(?P<name>\w+):\d+>")
COMMAND = re.compile(r"<(?P<name>/[a-z ]+):\d+>")


def in_letters(text: str) -> str:
    """A text with the emojis of cards and the commands as plain text."""
    text = COMMAND.sub("`\\g<name>`", text)
    return EMOJI.sub(lambda found: signs(f"`{SYMBOLS[found['name']]}`"), text)


def label_on(button: dict[str, Any]) -> str:
    """A button's text, including the card of its emoji: `Q♠`, `Q♠ (exposed)`, `Expose Q♠`."""
    said = button.get("label") or ""
    if not (emoji := button.get("emoji")):
        return said
    card = signs(SYMBOLS[emoji["name"]])
    return f"{card} {said}".strip() if said.startswith("(") else f"{said} {card}".strip()
