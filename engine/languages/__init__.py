"""The languages that people read: sentences, numbers, lists and the names of cards in each.

A language is a value: code that makes words is handed one, and says each sentence as a whole.

    >>> ENGLISH.say("Waiting for {who}.", who="Ann")
    'Waiting for Ann.'
    >>> ENGLISH.say_count(2, "{count} point", "{count} points")
    '2 points'

The English sentence in the source is the key to its translations. Each language has a catalog beside this
module, such as `de.po`; a sentence that it lacks is said in English. `N_` marks a sentence that is only said
later, `N_count` one about a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO

import polib

from engine.cards import Card, Suit


def N_(sentence: str) -> str:
    """Mark a sentence for the catalogs where it isn't said yet."""
    return sentence


def N_as(context: str, sentence: str) -> str:
    """Mark a sentence with several meanings for the catalogs where `say_as` isn't called yet."""
    return sentence


def N_count(one: str, many: str) -> tuple[str, str]:
    """Mark both forms of a sentence about a number where `say_count` isn't called yet."""
    return one, many


#: The numbers up to ten, in words.
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
#: The ranks from two to ace, as in a card's name.
RANKS = (
    N_as("rank", "two"),
    N_as("rank", "three"),
    N_as("rank", "four"),
    N_as("rank", "five"),
    N_as("rank", "six"),
    N_as("rank", "seven"),
    N_as("rank", "eight"),
    N_as("rank", "nine"),
    N_as("rank", "ten"),
    N_as("rank", "jack"),
    N_as("rank", "queen"),
    N_as("rank", "king"),
    N_as("rank", "ace"),
)


def _english_place(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else ending}"


def _joined(pattern: str, first: str, last: str) -> str:
    return pattern.format(first=first, last=last)


def _joined_in_spanish(pattern: str, first: str, last: str) -> str:
    """`Ana e Inés`, `7 u 8`: y and o change before their own sound."""
    sound = last.lstrip("*_`“¿¡ ").casefold()
    if re.match("h?[ií](?![aeo])", sound):
        pattern = pattern.replace(" y ", " e ")
    if re.match("h?[oó]|8|11(?![0-9])", sound):
        pattern = pattern.replace(" o ", " u ")
    return _joined(pattern, first, last)


#: The context of buttons that everyone sees, in the language of their posts.
FOR_EVERYONE = "for everyone"


class Catalog:
    """The translations into a language, and the contexts that some of them have."""

    def __init__(
        self,
        translations: NullTranslations,
        contexts: Iterable[str] = (),
        public_buttons: Iterable[str] = (),
    ) -> None:
        self._translations = translations
        self.contexts = frozenset(contexts)
        self.public_buttons = frozenset(public_buttons)  # their English names
        #: Translate a sentence in a context: a game's name, another, or "" for none. Cached, as every card
        #: played repeats a few hundred sentences.
        self.find = lru_cache(maxsize=4096)(self._find)
        self.find_plural = lru_cache(maxsize=4096)(self._find_plural)

    def _find(self, context: str, sentence: str) -> str:
        translation = self._translations.pgettext(context, sentence) if context else sentence
        return self._translations.gettext(sentence) if translation == sentence and sentence else translation

    def _find_plural(self, context: str, one: str, many: str, count: int) -> str:
        translation = self._translations.npgettext(context, one, many, count) if context else one
        return self._translations.ngettext(one, many, count) if translation in (one, many) else translation


@cache
def _catalog(code: str) -> Catalog:
    source = files(__name__) / f"{code}.po"
    if not source.is_file():
        return Catalog(NullTranslations())
    entries = polib.pofile(source.read_text("utf-8"))
    contexts = [entry.msgctxt for entry in entries if entry.msgctxt]
    buttons = [entry.msgid for entry in entries if entry.msgctxt == FOR_EVERYONE]
    return Catalog(GNUTranslations(BytesIO(entries.to_binary())), contexts, buttons)


class PrivateCatalog:
    """A language's translations for private messages beside posts in another language.

    Their sentences name public buttons as the posts do. A private message's own buttons stay in its language.
    """

    def __init__(self, own: Language, posts: Language) -> None:
        self._own = own
        self._posts = posts

    @property
    def contexts(self) -> frozenset[str]:
        """The contexts that some translations have."""
        return self._own.catalog.contexts

    @property
    def public_buttons(self) -> frozenset[str]:
        """The English names of public buttons, from either catalog, as English itself has none."""
        return self._own.catalog.public_buttons | self._posts.catalog.public_buttons

    def find(self, context: str, sentence: str) -> str:
        """The translated sentence, naming public buttons, which are in bold, as the posts do."""
        return self._renamed(self._own.catalog.find(context, sentence), sentence)

    def find_plural(self, context: str, one: str, many: str, count: int) -> str:
        """The translated sentence for this number, naming public buttons as the posts do."""
        return self._renamed(self._own.catalog.find_plural(context, one, many, count), one)

    def _renamed(self, translation: str, english: str) -> str:
        for name in re.findall(r"\*\*(.+?)\*\*", english) if "**" in english else ():
            if name in self.public_buttons:
                own = self._own.catalog.find(FOR_EVERYONE, name)
                public = self._posts.catalog.find(FOR_EVERYONE, name)
                translation = translation.replace(f"**{own}**", f"**{public}**")
        return translation


@dataclass(frozen=True, eq=False)
class Language:
    """A language, or a region's way of writing it. Each has one object, so compare with `is`."""

    code: str
    name: str  # as its speakers call it
    place: Callable[[int], str]  # of a ranking: `1st`
    point: str = "."  # before decimals
    thousands: str = ","
    gap: str = " "  # between two sentences
    capital_after_colon: bool = False  # whether a sentence begins with a capital letter there too
    month_first: bool = False  # `November 22`
    joined: Callable[[str, str, str], str] = _joined  # fills a pattern's {first} and {last}
    region_of: str = ""  # the code of the language that this is a region's form of
    game: str = ""  # the name of the game whose own words it uses
    beside: Language | None = None  # in private: the language of the posts beside it, and of their buttons

    def __reduce__(self) -> tuple[Callable[[str, str], Language], tuple[str, str]]:
        """Unpickle to the one object for this language."""
        return by_code, (self.code, self.game)

    def __repr__(self) -> str:
        return f"Language({self.code})"

    @cached_property
    def catalog(self) -> Catalog | PrivateCatalog:
        """The translations, compiled when first needed."""
        return PrivateCatalog(self.itself, self.beside) if self.beside else _catalog(self.words)

    @property
    def words(self) -> str:
        """The code of its catalog: a region's is that of its language."""
        return self.region_of or self.code

    @property
    def itself(self) -> Language:
        """The language without posts beside it."""
        return by_code(self.code, self.game)

    def in_private(self, posts: Language) -> Language:
        """The language for private messages beside posts in another one, naming buttons as the posts do."""
        return self.itself if posts.words == self.words else _in_private(self.itself, posts.itself)

    def of_game(self, game: str) -> Language:
        """The language with the words of this game's players; the same object if they have none of their own.

        Catalog entries whose context is the game's name then take precedence.
        """
        return _of_game(self, game) if game in self.catalog.contexts else self

    # Sentences

    def say(self, sentence: str, /, **values: object) -> str:
        """Say a sentence in this language, with these values for its placeholders, if there are any."""
        translation = self.catalog.find(self.game, sentence)
        return translation.format(**values) if values else translation

    def say_count(self, count: int, one: str, many: str, /, **values: object) -> str:
        """Say the sentence for this number of things, which replaces `{count}` in it."""
        translation = self.catalog.find_plural(self.game, one, many, abs(count))
        return translation.format(count=self.number(count), **values)

    def say_as(self, context: str, sentence: str, /, **values: object) -> str:
        """Say a sentence that has several meanings as this context requires."""
        translation = self.catalog.find(context, sentence)
        return translation.format(**values) if values else translation

    def sentence(self, clause: str) -> str:
        """A clause as a sentence of its own: with a capital letter and a full stop."""
        return self.say_as("a clause as a sentence", "{clause}.", clause=clause[:1].upper() + clause[1:])

    def sentences(self, sentences: Iterable[str]) -> str:
        """Join whole sentences."""
        return self.gap.join(sentences)

    def statements(self, statements: Iterable[str]) -> str:
        """Join statements without full stops; the last one stays without."""
        return self.say_as("between two statements", ". ").join(statements)

    def after_colon(self, sentence: str) -> str:
        """The sentence as written after a colon."""
        return sentence if self.capital_after_colon else sentence[:1].lower() + sentence[1:]

    def listing(self, words: Iterable[object]) -> str:
        """`a, b and c`."""
        return self._list(list(map(str, words)), self.say("{first} and {last}"))

    def either(self, words: Iterable[object]) -> str:
        """`a, b or c`."""
        return self._list(list(map(str, words)), self.say("{first} or {last}"))

    def series(self, words: Iterable[object]) -> str:
        """`a, b, c`."""
        return self.say_as("between two of a list", ", ").join(map(str, words))

    def clauses(self, words: Iterable[object]) -> str:
        """`a; b; c`, for things that may contain commas."""
        return self.say_as("between two of a list with commas in it", "; ").join(map(str, words))

    def full_stop(self, statement: str) -> str:
        """The statement as a sentence, with its full stop."""
        return self.say("{statement}.", statement=statement)

    def _list(self, words: Sequence[str], pattern: str) -> str:
        if len(words) < 2:
            return "".join(words)
        return self.joined(pattern, self.series(words[:-1]), words[-1])

    # Numbers

    @staticmethod
    def number(value: int) -> str:
        """The number with a real minus sign, the same in every language."""
        return f"−{-value}" if value < 0 else str(value)

    @staticmethod
    def change(value: int) -> str:
        """`+5`, `−10` or `0`, the same in every language."""
        return f"+{value}" if value > 0 else Language.number(value)

    def grouped(self, value: int) -> str:
        """`12,345`."""
        return f"{value:,}".replace(",", self.thousands).replace("-", "−")

    def decimal(self, value: float, digits: int = 1) -> str:
        """`12.3`, `−0.5`."""
        text = f"{value:.{digits}f}"
        return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−").replace(".", self.point)

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
        rank = self.say_as("rank", RANKS[card.rank - 2])
        return self.say("{rank} of {suit}", rank=rank, suit=self.suit(card.suit))

    def suit(self, suit: Suit) -> str:
        """Its name in a sentence: `clubs`."""
        return self.say(SUITS[suit])


ENGLISH = Language("en", "English", _english_place, month_first=True)
#: Every language by its code.
LANGUAGES = {
    one.code: one
    for one in (
        ENGLISH,
        Language("zh", "简体中文", lambda count: f"第{count}", gap=""),
        Language("zh-TW", "繁體中文", lambda count: f"第{count}", gap=""),
        Language("de", "Deutsch", lambda count: f"{count}.", ",", ".", capital_after_colon=True),
        Language("es", "Español", lambda count: f"{count}.º", ",", ".", joined=_joined_in_spanish),
        Language("fr", "Français", lambda count: "1re" if count == 1 else f"{count}e", ",", "\u202f"),
        Language("pt", "Português", lambda count: f"{count}º", ",", "."),
    )
}


#: Regional ways of writing a language, by Discord's codes. They follow a reader's locale and can't be chosen.
REGIONS = {
    "en-GB": replace(ENGLISH, code="en-GB", region_of="en", month_first=False),
    "es-419": replace(LANGUAGES["es"], code="es-419", region_of="es", point=".", thousands=","),
}
_BY_CODE = LANGUAGES | REGIONS


def by_code(code: str, game: str = "") -> Language:
    """The language with this code, with the words of this game's players; KeyError if there is none."""
    return _BY_CODE[code].of_game(game)


@cache
def _of_game(language: Language, game: str) -> Language:
    return replace(language, game=game)


@cache
def _in_private(language: Language, posts: Language) -> Language:
    return replace(language, beside=posts)


def by_locale(locale: object) -> Language:
    """The language that suits a locale as Discord writes it, `pt-BR`; English if none does."""
    code = str(locale)
    return _BY_CODE.get(code) or LANGUAGES.get(code.partition("-")[0], ENGLISH)
