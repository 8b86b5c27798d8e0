"""Cards as emojis, in texts and on buttons; and commands that can be tapped in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import discord

from bot.pictures import emoji_name
from bot.render.text import SYMBOL
from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Card

#: A chip or a command; and what stays letters: code, and a card that is cancelled, as no line strikes a
#: picture.
_CHIPS = re.compile(f"(```.*?```|~~`[^`]+`~~|`(?:{SYMBOL.pattern}|Joker|/[a-z ]+)`)", re.DOTALL)


class Emojis:
    """The cards' emojis, once Discord has all of them: a hand half of letters would be hard to read.

    `on_loss` hears when Discord does not know them any more.
    """

    def __init__(self) -> None:
        self.of: dict[Card, discord.PartialEmoji] = {}  # each card's, where it is known
        self._mentions: dict[str, str] = {}
        self._by_chip: dict[str, str] = {}
        self.on_loss: Callable[[], None] = lambda: None

    def know(self, ids: Mapping[str, int]) -> None:
        """From now on these are used, by the names that `bot.pictures` gives them."""
        self.of = {
            card: discord.PartialEmoji(name=emoji_name(card), id=ids[emoji_name(card)])
            for card in (*DECK, CLUB_JOKER, WILD_JOKER)
        }
        self._index()

    def mention(self, commands: Mapping[str, str]) -> None:
        """From now on each of these, by its name (`/hearts new`), is written so that it can be tapped."""
        self._mentions = {f"`{name}`": mention for name, mention in commands.items()}
        self._index()

    def lose(self) -> bool:
        """From now on none is used; False if none was."""
        if not self.of:
            return False
        self.of = {}
        self._index()
        self.on_loss()
        return True

    def _index(self) -> None:
        emojis = {f"`{card.symbol}`": str(emoji) for card, emoji in self.of.items()}
        self._by_chip = self._mentions | emojis

    def in_text(self, text: str) -> str:
        """A text with its chips as emojis, but for those that are struck out, and its commands to tap."""
        if not self._by_chip or "`" not in text:
            return text
        return "".join([self._by_chip.get(piece, piece) for piece in _CHIPS.split(text)])
