"""A language that nobody speaks: every letter has an accent, and everything is 40 % longer.

What is shown in plain letters was not said in a language.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from gettext import NullTranslations
from typing import Any

from bot.vocabulary.controls import Action
from bot.vocabulary.messages import Attachment, Form, Link, Message
from engine.cards import Card
from engine.languages import LANGUAGES, Catalog, Language
from engine.names import COMPUTERS
from engine.rules.presets import PRESETS
from engine.zones import ZONES, city_of

ACCENTED = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÀƁÇĐÈƑĜĤÎĴĶĻṀÑÒƤɊŔŜŢÛṼŴẊÝŽàƀçđèƒĝĥîĵķļṁñòƥɋŕŝţûṽŵẋýž",
)
#: What stays as it is: values, code, links and times, and names of commands.
KEPT = re.compile(
    r"\{\w*\}|`[^`]*`|<[^>]*>|https?://\S+|/(?:hearts|help|stats|leaderboard|preferences|privacy)\b"
)
#: The languages' own names.
NAMES = [language.name for language in LANGUAGES.values()]
CITIES = [city_of(zone) for names in ZONES for zone in names]
#: What is shown as it is in every language: cards, seals, what games and values are called in commands, and
#: what people (of `widest`), computers and cities are called.
COMMON = re.compile(
    "|".join(
        [
            KEPT.pattern,
            rf"\b(?:{'|'.join((*COMPUTERS, *PRESETS, *NAMES, *CITIES, 'first-and-last', 'Joker', 'UTC'))})\b",
            r"\b[JQKA]\b|\b[0-9a-f]{30,}\b",
            r"W{2,}|https\S*?(?:x{2,}|…)|e\u0301",
        ]
    )
)
PLAIN = re.compile(r"[A-Za-z]{2,}")


def stretched(sentence: str) -> str:
    """The sentence as it is said in this language."""
    told, last = "", 0
    for kept in (*KEPT.finditer(sentence), None):
        words = sentence[last : kept.start() if kept else None]
        told += re.sub(r"[aeiou]", r"\g<0>\g<0>", words, count=len(words) * 2 // 5).translate(ACCENTED)
        if kept:
            told, last = told + kept.group(), kept.end()
    return told


class Saying(NullTranslations):
    """Says each English sentence as this function does."""

    def __init__(self, say: Callable[[str], str]) -> None:
        super().__init__()
        self._say = say

    def gettext(self, message: str) -> str:
        return self._say(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._say(super().ngettext(msgid1, msgid2, n))


PSEUDO = Language("pseudo", "Þšéûðö", lambda count: f"{count}.")
vars(PSEUDO)["catalog"] = Catalog(Saying(stretched))


def words(shown: Any) -> Iterator[str]:
    """Every text of a message, a form or a part of one that somebody reads."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, tuple):
        for one in shown:
            yield from words(one)
    elif is_dataclass(shown) and not isinstance(shown, Attachment | Action | Card):
        unread = ("url",) if isinstance(shown, Link) else ("action", "value", "name", "follows", "code")
        for field in fields(shown):
            if field.name not in unread:
                yield from words(getattr(shown, field.name))


def left_in_english(shown: Iterable[Message | Form]) -> dict[str, str]:
    """The plain words that messages in this language still have, each with a text that has it."""
    said = {text for one in shown for text in words(one)}
    return {word: text for text in said for word in PLAIN.findall(COMMON.sub(" ", text))}
