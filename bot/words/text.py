"""Words and signs that all messages share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
#: Characters of a picture's description that are not too much to listen to, and those that Discord takes.
DESCRIPTION, LONGEST_DESCRIPTION = 256, 1024
_NO_BREAK = "\N{NO-BREAK SPACE}"

#: What nobody sees, though it may steer how the rest is shown: Unicode's Default_Ignorable_Code_Point but for
#: what chooses the look of an emoji, control characters, halves of a character, the empty pattern of Braille.
#: Joiners make one sign of two in emoji and many scripts, in none that ASCII writes: there they only hide.
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
#: What Discord reads as layout in a text of one line, and what makes an address of it.
_MARKDOWN = re.compile(r"[\\*_~`|\[\]]|^[>#-]|(?<=:)//")


@cache  # there are 53
def chip(card: Card) -> str:
    """A card in a text, set off like a card."""
    return f"`{card.symbol}`"


def chips(cards: Iterable[Card]) -> str:
    """Cards in a text."""
    return " ".join(map(chip, cards))


def symbols(cards: Iterable[Card]) -> str:
    """Cards where nothing sets them off: `Q♠ 10♥`."""
    return " ".join([card.symbol for card in cards])


def lettered(text: str, faces: Faces) -> str:
    """A text whose cards have these letters: `D♠` for `Q♠`."""
    if faces.letters is Letters.ENGLISH:
        return text
    return SYMBOL.sub(lambda found: faces.printed(found[0]), text)


def chipped(text: str) -> str:
    """A sentence of the rules whose cards are set off like cards."""
    return SYMBOL.sub("`\\g<0>`", text)


def struck(card: Card) -> str:
    """A card that is cancelled."""
    return f"~~{chip(card)}~~"


def length(text: str) -> int:
    """How many of a message's 4000 characters a text may take: most emoji are two, and a suit gets a sign."""
    return _units(text) + sum(map(text.count, "♣♦♠♥"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@lru_cache(maxsize=1024)  # every picture says the same few names
def visible(text: str, language: Language) -> str:
    """What others wrote, in one line, without what cannot be seen or turns the text around it."""
    flat = " ".join(_UNSEEN.sub("", text).split())
    return flat if wcswidth(flat) > 0 else language.say("(no name)")


def harmless(text: str, language: Language) -> str:
    """What others wrote, in a text: it can neither mention anybody, nor link, nor change the layout."""
    return _escaped(visible(text, language))


@lru_cache(maxsize=1024)  # every message says the same few names
def person(name: str, language: Language, width: int = LONGEST_NAME) -> str:
    """A name in a text, cut to `width` columns."""
    return _escaped(cut_name(visible(name, language), width))


@lru_cache(maxsize=1024)
def short(name: str, language: Language) -> str:
    """A name where markdown is not read, among many others."""
    return cut_name(visible(name, language), SHORT_NAME)


def _escaped(text: str) -> str:
    return _isolated(_MARKDOWN.sub(r"\\\g<0>", text).replace("@", "@\u200b").replace("<", "‹"))


def _isolated(text: str) -> str:
    """Keeps a text from right to left from drawing the figures after it to its left."""
    return f"\u2068{text}\u2069" if _LEFTWARD.search(text) else text


def cut(text: str, width: int) -> str:
    """One line of text cut to `width` columns, without splitting a sign that is made of several."""
    if wcswidth(text) <= width:
        return text
    kept = ""
    for sign in iter_graphemes(text):
        if wcswidth(kept + sign) >= width:
            break
        kept += sign
    return kept.rstrip(" .") + "…"


def cut_name(name: str, width: int) -> str:
    """A name cut to `width` columns before the number that tells it from others."""
    number = number_of(name)
    return cut(name.removesuffix(number), width - len(number)) + number


def described(text: str, longest: int = DESCRIPTION) -> str:
    """A picture's description, cut to `longest` characters."""
    return shortened(text, longest)


def shortened(text: str, longest: int) -> str:
    """A text cut to `longest` characters as Discord counts them, without splitting a sign made of several."""
    if _units(text) <= longest:
        return text
    kept = ""
    for sign in iter_graphemes(text):
        if _units(kept + sign) >= longest:
            break
        kept += sign
    return kept + "…"


def bold(table: PublicTable, seat: int) -> str:
    """The name of the player in this seat, in bold."""
    return f"**{person(table.names[seat], table.language)}**"


def player(table: PublicTable, seat: int, *, stressed: bool = True) -> str:
    """The name of the player in this seat, and a sign where a computer plays."""
    sitting = table.seats[seat]
    name = person(table.names[seat], table.language)
    return (f"**{name}**" if stressed else name) + " 🤖" * (not sitting.is_played_by_person)


def brief(table: PublicTable, seat: int) -> str:
    """The name of the player in this seat, short enough for a line with many others."""
    return person(table.names[seat], table.language, SHORT_NAME)


@cache
def seat_number(language: Language, seat: int) -> str:
    """The seat, in pictures in place of a name that no font has."""
    return language.say("Seat {number}", number=seat + 1)


def names(table: PublicTable, seats: Iterable[int]) -> str:
    """`**Ann**, **Bo** and **Cy**`."""
    return table.language.listing([bold(table, seat) for seat in seats])


def place_of(table: PublicTable) -> str:
    """Which game it is, and where it is played, in small print."""
    game = table.say(table.rules.preset.title)
    if table.is_private:
        return f"-# {table.say('{game}, alone with computers', game=game)}"
    return f"-# {table.say('{game} in {channel}', game=game, channel=f'<#{table.channel}>')}"


def mentions(people: Iterable[int]) -> str:
    """These people, so that Discord tells them."""
    return " ".join([f"<@{person}>" for person in people])


def unbroken(text: str) -> str:
    """A text within which no line breaks."""
    return text.replace(" ", _NO_BREAK)


def in_a_row(texts: Iterable[str]) -> str:
    """`You 3 · Bo 5 · Cy 0`: none of these is broken, and no line begins with a dot."""
    return f"{_NO_BREAK}· ".join(map(unbroken, texts))


def grid(rows: Sequence[Sequence[str]], gap: str = "  ") -> str:
    """A table in fixed-width letters: the first column to the left, the others to the right."""
    widths = [max(map(wcswidth, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [
            " " * (width - wcswidth(cell)) + cell for cell, width in zip(others, widths[1:], strict=True)
        ]
        lines.append(gap.join([first + " " * (widths[0] - wcswidth(first)), *cells]).rstrip())
    body = "\n".join(lines)
    return f"```\n{body}\n```"


def plain(name: str, language: Language, width: int = 32) -> str:
    """A name in a label, where markdown is not read, cut to `width` columns."""
    return _isolated(cut_name(visible(name, language), width))


#: Before the names of the best three; others have the number of their place.
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def place(number: int) -> str:
    """A place as a line begins with it, which is no list of Discord's."""
    return MEDALS.get(number, f"**{number}.**")


def channel_link(guild: int, channel: int) -> str:
    """The address of a channel or thread of this server."""
    return f"{_CHANNELS}/{guild}/{channel}"


def message_link(guild: int, channel: int, message: int) -> str:
    """The address of a message in this server's channel; in a DM, where there is no server, that is 0."""
    return f"{_CHANNELS}/{guild or '@me'}/{channel}/{message}"
