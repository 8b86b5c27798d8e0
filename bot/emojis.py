"""Cards as emojis, in texts and on buttons."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import discord

from bot.pictures import emoji_name
from engine.cards import CLUB_JOKER, DECK, Card

_SYMBOL = "(?:10|[2-9JQKA])[♣♦♠♥]|Joker"
#: A chip; and what stays letters: code, and a card that is cancelled, as no line strikes a picture.
_CHIPS = re.compile(f"```.*?```|~~`[^`]+`~~|`(?P<card>{_SYMBOL})`", re.DOTALL)


class Emojis:
    """The cards' emojis, once Discord has all of them: a hand half of letters would be hard to read.

    `on_loss` hears when Discord does not know them any more.
    """

    def __init__(self) -> None:
        self._by_symbol: dict[str, discord.PartialEmoji] = {}
        self.on_loss: Callable[[], None] = _unheard

    def know(self, ids: Mapping[str, int]) -> None:
        """From now on these are used, by the names that `bot.pictures` gives them."""
        self._by_symbol = {
            card.symbol: discord.PartialEmoji(name=emoji_name(card), id=ids[emoji_name(card)])
            for card in (*DECK, CLUB_JOKER)
        }

    def lose(self) -> bool:
        """From now on none is used; False if none was."""
        if not self._by_symbol:
            return False
        self._by_symbol = {}
        self.on_loss()
        return True

    def of(self, card: Card) -> discord.PartialEmoji | None:
        """This card's, where it is known."""
        return self._by_symbol.get(card.symbol)

    def in_text(self, text: str) -> str:
        """A text with its chips as emojis, but for those that are struck out."""
        return _CHIPS.sub(self._shown, text) if self._by_symbol else text

    def _shown(self, found: re.Match[str]) -> str:
        return str(self._by_symbol[found["card"]]) if found["card"] else found[0]


def _unheard() -> None:
    """Until somebody listens."""
