"""The languages that people read: sentences, numbers, lists and the names of cards in each.

The language is a value: whatever makes words is handed one, and says each sentence as a whole.

    >>> ENGLISH.say("Waiting for {who}.", who="Ann")
    'Waiting for Ann.'
    >>> ENGLISH.say_count(2, "{count} point", "{count} points")
    '2 points'

The English sentence in the source is the key to all others. They stand in a catalog for each language beside
this module, such as `de.po`; what one of them lacks is said in English. `N_` marks a sentence that is kept
now and said later, `N_count` one about a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO

import polib

from engine.cards import Card, Suit


def N_(sentence: str) -> str:
    """The sentence itself: marks it for the catalogs where it is not said yet."""
    return sentence


def N_count(one: str, many: str) -> tuple[str, str]:
    """Both forms of a sentence about a number: marks them where `say_count` is not called yet."""
    return one, many


#: Up to ten in words.
NUMBERS = (
    N_("no"),
    N_("one"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
    N_("ten"),
)
ORDINALS = (N_("first"), N_("second"), N_("third"), N_("fourth"), N_("fifth"))
SUITS = {
    Suit.CLUBS: N_("clubs"),
    Suit.DIAMONDS: N_("diamonds"),
    Suit.SPADES: N_("spades"),
    Suit.HEARTS: N_("hearts"),
}
#: From the two to the ace, as in a card's name.
RANKS = (*NUMBERS[2:], N_("jack"), N_("queen"), N_("king"), N_("ace"))


def _english_place(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else ending}"


@dataclass(frozen=True, eq=False)
class Language:
    """A language; there is one object for each, so identity is equality."""

    code: str
    name: str  # as its speakers call it
    place: Callable[[int], str]  # of a ranking: `1st`
    point: str = "."  # before decimals
    thousands: str = ","

    def __reduce__(self) -> tuple[Callable[[str], Language], tuple[str]]:
        """Unpickle to the one object for this language."""
        return by_code, (self.code,)

    def __repr__(self) -> str:
        return f"Language({self.code})"

    @cached_property
    def catalog(self) -> NullTranslations:
        """The translations, compiled when first needed."""
        source = files(__name__) / f"{self.code}.po"
        if not source.is_file():
            return NullTranslations()
        return GNUTranslations(BytesIO(polib.pofile(source.read_text("utf-8")).to_binary()))

    # Sentences

    def say(self, sentence: str, /, **values: object) -> str:
        """The sentence in this language, with these values for the names in braces, if any are given."""
        if not sentence:
            return ""
        told = self.catalog.gettext(sentence)
        return told.format(**values) if values else told

    def say_count(self, count: int, one: str, many: str, /, **values: object) -> str:
        """The sentence for this number of things, which `{count}` in it becomes."""
        told = self.catalog.ngettext(one, many, abs(count))
        return told.format(count=self.number(count), **values)

    def say_as(self, context: str, sentence: str, /, **values: object) -> str:
        """The same as `say`, for words that mean several things: the context tells which."""
        told = self.catalog.pgettext(context, sentence)
        return told.format(**values) if values else told

    def sentence(self, clause: str) -> str:
        """A clause as a sentence of its own: with a capital letter and a full stop."""
        return self.say_as("a clause as a sentence", "{clause}.", clause=clause[:1].upper() + clause[1:])

    def sentences(self, told: Iterable[str]) -> str:
        """Whole sentences, one after the other."""
        return self.say_as("between two sentences", " ").join(told)

    def listing(self, words: Iterable[object]) -> str:
        """`a, b and c`."""
        return self._joined(list(map(str, words)), self.say("{first} and {last}"))

    def either(self, words: Iterable[object]) -> str:
        """`a, b or c`."""
        return self._joined(list(map(str, words)), self.say("{first} or {last}"))

    def series(self, words: Iterable[object]) -> str:
        """`a, b, c`."""
        return self.say_as("between two of a list", ", ").join(map(str, words))

    def _joined(self, words: Sequence[str], pattern: str) -> str:
        if len(words) < 2:
            return "".join(words)
        return pattern.format(first=self.series(words[:-1]), last=words[-1])

    # Numbers

    def number(self, value: int) -> str:
        """The number with a real minus sign."""
        return f"−{-value}" if value < 0 else str(value)

    def change(self, value: int) -> str:
        """`+5`, `−10` or `0`."""
        return f"+{value}" if value > 0 else self.number(value)

    def grouped(self, value: int) -> str:
        """`12,345`."""
        return f"{value:,}".replace(",", self.thousands).replace("-", "−")

    def decimal(self, value: float, digits: int = 1) -> str:
        """`12.3`, `−0.5`."""
        told = f"{value:.{digits}f}"
        return (told.lstrip("-") if float(told) == 0 else told).replace("-", "−").replace(".", self.point)

    def spelled(self, count: int) -> str:
        """`three`; from eleven on in digits."""
        return self.say(NUMBERS[count]) if count < len(NUMBERS) else str(count)

    def ordinal(self, count: int) -> str:
        """`third`, for the first few."""
        return self.say(ORDINALS[count - 1])

    # Cards and points

    def points(self, value: int) -> str:
        """`1 point`, `13 points`, `−10 points`."""
        return self.say_count(value, "{count} point", "{count} points")

    def cards(self, count: int) -> str:
        """`one card`, `3 cards`."""
        return self.say_count(count, "one card", "{count} cards")

    @lru_cache(maxsize=512)  # noqa: B019  (there is one object for each language, for good)
    def card(self, card: Card) -> str:
        """Its name in a sentence: `queen of spades`."""
        if card.suit is None or card.rank < 2:
            return self.say("joker")
        return self.say("{rank} of {suit}", rank=self.say(RANKS[card.rank - 2]), suit=self.suit(card.suit))

    def suit(self, suit: Suit) -> str:
        """Its name in a sentence: `clubs`."""
        return self.say(SUITS[suit])


ENGLISH = Language("en", "English", _english_place)
#: Every language by its code.
LANGUAGES = {
    one.code: one
    for one in (
        ENGLISH,
        Language("zh", "中文", lambda count: f"第{count}"),
        Language("de", "Deutsch", lambda count: f"{count}.", ",", "."),
        Language("es", "Español", lambda count: f"{count}.º", ",", "."),
        Language("fr", "Français", lambda count: "1er" if count == 1 else f"{count}e", ",", "\u202f"),
        Language("pt", "Português", lambda count: f"{count}.º", ",", "."),
    )
}


def by_code(code: str) -> Language:
    """The language with this code; KeyError if there is none."""
    return LANGUAGES[code]


def by_locale(locale: object) -> Language:
    """The language that suits a locale as Discord writes it, `pt-BR`; English if none does."""
    return LANGUAGES.get(str(locale).partition("-")[0], ENGLISH)
