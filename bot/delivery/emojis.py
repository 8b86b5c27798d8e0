"""Cards as emojis, in texts and on buttons; and tappable commands in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import discord

from bot.pictures import emoji_name
from bot.render.text import SYMBOL
from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Card

#: A card or a command in a text; also what stays letters: code, and cancelled cards, as Discord can't strike
#: out an emoji.
_CHIPS = re.compile(f"(```.*?```|~~`[^`]+`~~|`(?:{SYMBOL.pattern}|Joker|/[a-z ]+)`)", re.DOTALL)


class Emojis:
    """The cards' emojis, used once Discord has them all: a hand half of letters would be hard to read.

    `on_loss` is called when Discord no longer knows them.
    """

    def __init__(self) -> None:
        self.of: dict[Card, discord.PartialEmoji] = {}
        self._mentions: dict[str, str] = {}
        self._by_chip: dict[str, str] = {}
        self.on_loss: Callable[[], None] = lambda: None

    def know(self, ids: Mapping[str, int]) -> None:
        """Use these from now on, by the names that `bot.pictures` gives them."""
        self.of = {
            card: discord.PartialEmoji(name=emoji_name(card), id=ids[emoji_name(card)])
            for card in (*DECK, CLUB_JOKER, WILD_JOKER)
        }
        self._index()

    def mention(self, commands: Mapping[str, str]) -> None:
        """Make each of these commands, by its name (`/hearts new`), tappable in texts from now on."""
        self._mentions = {f"`{name}`": mention for name, mention in commands.items()}
        self._index()

    def lose(self) -> bool:
        """Stop using them; False if none were in use."""
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
        """A text with its cards as emojis, unless they are struck out, and its commands tappable."""
        if not self._by_chip or "`" not in text:
            return text
        return "".join([self._by_chip.get(piece, piece) for piece in _CHIPS.split(text)])
