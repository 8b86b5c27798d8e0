"""Cards as emojis, in texts and on buttons; and tappable commands in texts."""

import re
from collections.abc import Callable, Mapping

import discord

from bot.pictures import FACES, emoji_name
from bot.words.text import SYMBOL
from engine.cards import CLUB_JOKER, DECK, USUAL_FACES, WILD_JOKER, Card, Faces

#: A card or a command in a text; also what stays letters: code, and cancelled cards, as Discord can't strike
#: out an emoji.
_CHIPS = re.compile(f"(```.*?```|~~`[^`]+`~~|`(?:{SYMBOL.pattern}|Joker|/[a-z ]+)`)", re.DOTALL)


class Emojis:
    """The cards' emojis, used once Discord has them all: a hand half of letters would be hard to read.

    `on_loss` is called when Discord no longer knows them.
    """

    def __init__(self) -> None:
        self.of: dict[Card, discord.PartialEmoji] = {}
        self._ids: dict[str, int] = {}
        self._of: dict[Faces, dict[Card, discord.PartialEmoji]] = {}
        self._mentions: dict[str, str] = {}
        self._by_chip: dict[Faces, dict[str, str]] = {}
        self.on_loss: Callable[[], None] = lambda: None

    def know(self, ids: Mapping[str, int]) -> None:
        """Use the emojis with these ids from now on, by the names that `bot.pictures` gives them.

        Until the other ways to print cards are uploaded, the usual emojis stand in for them.
        """
        if self.of and ids == self._ids:  # a start uses the stored ids before it has checked them
            return
        self._ids = dict(ids)
        for faces in FACES:
            names = {card: emoji_name(card, faces) for card in (*DECK, CLUB_JOKER, WILD_JOKER)}
            available = {card: name if name in ids else emoji_name(card) for card, name in names.items()}
            self._of[faces] = {
                card: discord.PartialEmoji(name=name, id=ids[name]) for card, name in available.items()
            }
        self.of = self._of[USUAL_FACES]
        self._index()

    def mention(self, commands: Mapping[str, str]) -> None:
        """Make these commands tappable in texts from now on: their mentions by name (`/hearts new`)."""
        self._mentions = {f"`{name}`": mention for name, mention in commands.items()}
        self._index()

    def lose(self) -> bool:
        """Stop using them; False if none were in use."""
        if not self.of:
            return False
        self.of, self._of = {}, {}
        self._index()
        self.on_loss()
        return True

    def _index(self) -> None:
        for faces in FACES:
            by_card = self._of.get(faces, {})
            emojis = {f"`{card.symbol}`": str(emoji) for card, emoji in by_card.items()}
            self._by_chip[faces] = self._mentions | emojis

    def of_card(self, card: Card, faces: Faces) -> discord.PartialEmoji | None:
        """The emoji of a card printed with these faces; None if emojis aren't in use."""
        return self.of.get(card) if faces == USUAL_FACES else self._of.get(faces, {}).get(card)

    def in_text(self, text: str, faces: Faces = USUAL_FACES) -> str:
        """A text with its cards as emojis, unless they are struck out, and its commands tappable."""
        by_chip = self._by_chip.get(faces)
        if not by_chip or "`" not in text:
            return text
        return "".join([by_chip.get(piece, piece) for piece in _CHIPS.split(text)])
