"""Building blocks of texts: names, cards, lists and tables of figures."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from wcwidth import iter_graphemes, wcswidth

from engine.cards import Card, Faces, Letters
from engine.languages import Language
from engine.names import number_of
from engine.tables import PublicTable

#: Columns of a name in a text: Discord's names have up to 32 characters, some of which fill two columns.
LONGEST_NAME = 64
#: Columns of a name among many others in a line.
SHORT_NAME = 12
#: Characters of a picture's description that aren't too many to listen to, and the most that Discord allows.
DESCRIPTION, LONGEST_DESCRIPTION = 256, 1024
_NO_BREAK = "\N{NO-BREAK SPACE}"

#: Invisible characters, some of which change how the rest is shown: Unicode's Default_Ignorable_Code_Point
#: (except for those that choose the look of an emoji), control characters, lone surrogates and the blank
#: Braille pattern. Joiners combine signs in emoji and many scripts, but beside ASCII they only hide.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e"
    r"\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    r"|(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])"
)
#: Letters that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours.
_LEFTWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
#: Where Discord opens a server's channel.
_CHANNELS = "https://discord.com/channels"
#: A card as the rules name it: `Q♠`, `10♥`.
SYMBOL = re.compile("(?:10|[2-9JQKA])[♣♦♠♥]")
#: What Discord reads as Markdown in a single line, and what turns a text into a link.
_MARKDOWN = re.compile(r"[\\*_~`|\[\]]|^[>#-]|(?<=:)//")


@cache  # there are 53
def chip(card: Card) -> str:
    """A card in a text, which is shown as an emoji where possible."""
    return f"`{card.symbol}`"


def chips(cards: Iterable[Card]) -> str:
    """Cards in a text."""
    return " ".join(map(chip, cards))


def symbols(cards: Iterable[Card]) -> str:
    """Cards as plain text: `Q♠ 10♥`."""
    return " ".join([card.symbol for card in cards])


def lettered(text: str, faces: Faces) -> str:
    """Replace the letters of cards in a text by those of these faces: `D♠` for `Q♠`."""
    if faces.letters is Letters.ENGLISH:
        return text
    return SYMBOL.sub(lambda match: faces.printed(match[0]), text)


def chipped(text: str) -> str:
    """Set off the cards in a sentence of the rules, as `chip` does."""
    return SYMBOL.sub("`\\g<0>`", text)


def struck(card: Card) -> str:
    """A cancelled card, struck out."""
    return f"~~{chip(card)}~~"


def length(text: str) -> int:
    """How many of a message's 4000 characters a text takes: most emoji count twice, as do suits."""
    return _units(text) + sum(map(text.count, "♣♦♠♥"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@lru_cache(maxsize=1024)  # every picture says the same few names
def visible(text: str, language: Language) -> str:
    """A text by others, in one line, without characters that are invisible or turn the text around them."""
    flat = " ".join(_UNSEEN.sub("", text).split())
    return flat if wcswidth(flat) > 0 else language.say("(no name)")


def harmless(text: str, language: Language) -> str:
    """A text by others that can't mention anyone, nor link, nor change the layout."""
    return _escaped(visible(text, language))


@lru_cache(maxsize=1024)  # every message says the same few names
def person(name: str, language: Language, width: int = LONGEST_NAME) -> str:
    """A name in a text, cut to `width` columns."""
    return _escaped(cut_name(visible(name, language), width))


@lru_cache(maxsize=1024)
def short(name: str, language: Language) -> str:
    """A short name among many others, where Markdown isn't read."""
    return cut_name(visible(name, language), SHORT_NAME)


def _escaped(text: str) -> str:
    return _isolated(_MARKDOWN.sub(r"\\\g<0>", text).replace("@", "@\u200b").replace("<", "‹"))


def _isolated(text: str) -> str:
    """Isolate a text that runs from right to left, which would draw the figures after it to its left."""
    return f"\u2068{text}\u2069" if _LEFTWARD.search(text) else text


def cut(text: str, width: int) -> str:
    """Cut one line of text to `width` columns, without splitting a grapheme."""
    if wcswidth(text) <= width:
        return text
    start = ""
    for sign in iter_graphemes(text):
        if wcswidth(start + sign) >= width:
            break
        start += sign
    return start.rstrip(" .") + "…"


def cut_name(name: str, width: int) -> str:
    """Cut a name to `width` columns, but keep the number that tells it from others."""
    number = number_of(name)
    return cut(name.removesuffix(number), width - len(number)) + number


def described(text: str, longest: int = DESCRIPTION) -> str:
    """A picture's description, cut to `longest` characters."""
    return shortened(text, longest)


def shortened(text: str, longest: int) -> str:
    """Cut a text to `longest` characters as Discord counts them, without splitting a grapheme."""
    if _units(text) <= longest:
        return text
    start = ""
    for sign in iter_graphemes(text):
        if _units(start + sign) >= longest:
            break
        start += sign
    return start + "…"


def bold(table: PublicTable, seat: int) -> str:
    """The name of the player in this seat, in bold."""
    return f"**{person(table.names[seat], table.language)}**"


def player(table: PublicTable, seat: int, *, stressed: bool = True) -> str:
    """The name of the player in this seat, with 🤖 if a computer is playing."""
    sitting = table.seats[seat]
    name = person(table.names[seat], table.language)
    return (f"**{name}**" if stressed else name) + " 🤖" * (not sitting.is_played_by_person)


def brief(table: PublicTable, seat: int) -> str:
    """The name of the player in this seat, short enough for a line with many others."""
    return person(table.names[seat], table.language, SHORT_NAME)


@cache
def seat_number(language: Language, seat: int) -> str:
    """The name of a seat; in pictures it replaces a name that no font has."""
    return language.say("Seat {number}", number=seat + 1)


def names(table: PublicTable, seats: Iterable[int]) -> str:
    """`**Ann**, **Bo** and **Cy**`."""
    return table.language.listing([bold(table, seat) for seat in seats])


def place_of(table: PublicTable) -> str:
    """The game, and where it is played, in small print."""
    game = table.say(table.rules.preset.title)
    if table.is_private:
        return f"-# {table.say('{game}, alone with computers', game=game)}"
    return f"-# {table.say('{game} in {channel}', game=game, channel=f'<#{table.channel}>')}"


def mentions(people: Iterable[int]) -> str:
    """Mentions of these people."""
    return " ".join([f"<@{person}>" for person in people])


def unbroken(text: str) -> str:
    """A text in which no line can break."""
    return text.replace(" ", _NO_BREAK)


def in_a_row(texts: Iterable[str]) -> str:
    """`You 3 · Bo 5 · Cy 0`: lines break only between the texts, after a dot."""
    return f"{_NO_BREAK}· ".join(map(unbroken, texts))


def plain(name: str, language: Language, width: int = 32) -> str:
    """A name for a label, where Markdown isn't read, cut to `width` columns."""
    return _isolated(cut_name(visible(name, language), width))


#: Before the names of the best three; others have the number of their place.
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def place(number: int) -> str:
    """A place at the beginning of a line: a medal, or a number that Discord doesn't take for a list."""
    return MEDALS.get(number, f"**{number}.**")


def channel_link(guild: int, channel: int) -> str:
    """The address of a channel or thread of this server."""
    return f"{_CHANNELS}/{guild}/{channel}"


def message_link(guild: int, channel: int, message: int) -> str:
    """The address of a message in this server's channel, or in a DM if `guild` is 0."""
    return f"{_CHANNELS}/{guild or '@me'}/{channel}/{message}"
