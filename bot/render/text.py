"""Words and signs that all messages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from discord.utils import escape_markdown

from engine.cards import Card
from engine.tables import PublicTable, Seat

LONGEST_NAME = 32
#: Seconds from which on the hour alone does not say which day's it is.
HALF_A_DAY = 12 * 60 * 60


def chip(card: Card) -> str:
    """A card in a text, set off like a card."""
    return f"`{card.symbol}`"


def chips(cards: Iterable[Card]) -> str:
    """Cards in a text."""
    return " ".join(map(chip, cards))


def struck(card: Card) -> str:
    """A card that is cancelled."""
    return f"~~{chip(card)}~~"


def harmless(text: str) -> str:
    """What others wrote, in a text: it can neither mention anybody nor change the layout."""
    flat = " ".join(text.split()).replace("@", "@\u200b").replace("<", "‹")
    return escape_markdown(flat, ignore_links=False)


def person(name: str) -> str:
    """A name in a text."""
    return harmless(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


def seat_name(seat: Seat) -> str:
    """Who sits here, and whether a computer plays."""
    if seat.person is None:
        return f"🤖 {person(seat.name)}"
    return f"{person(seat.name)} (🤖 plays)" if seat.away else person(seat.name)


def bold(table: PublicTable, seat: int) -> str:
    """The name of who sits there, in bold."""
    return f"**{person(table.seats[seat].name)}**"


def player(table: PublicTable, seat: int, *, stressed: bool = True) -> str:
    """The name of who sits there, and a sign where a computer plays in their place."""
    name = bold(table, seat) if stressed else person(table.seats[seat].name)
    return name + " 🤖" * table.seats[seat].away


def names(table: PublicTable, seats: Iterable[int]) -> str:
    """`**Ann**, **Bo** and **Cy**`."""
    return listing([bold(table, seat) for seat in seats])


def listing(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def number(value: int) -> str:
    """With a real minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def change(value: int) -> str:
    """`+5`, `−10` or `0`."""
    return f"+{value}" if value > 0 else number(value)


def cards_in_words(count: int) -> str:
    """`one card`, `3 cards`."""
    return "one card" if count == 1 else f"{count} cards"


def points(value: int) -> str:
    """`1 point`, `13 points`, `−10 points`."""
    return f"{number(value)} point{'' if abs(value) == 1 else 's'}"


def grid(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table in fixed-width letters: the first `left` columns to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *rest = (
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
    body = "\n".join(lines)
    return f"```\n{body}\n```"


def plain(name: str, width: int = 16) -> str:
    """A name inside a grid, where markdown is not read but a backtick would end it."""
    short = name.replace("`", "'").replace("\n", " ")
    return short if len(short) <= width else short[: width - 1] + "…"


def until(table: PublicTable, deadline: float | None = None) -> str:
    """When the table's time is up (or was, then), in the reader's own time; nothing where it has no end."""
    if deadline is None and table.timer and table.people and not table.paused:
        deadline = table.timer.deadline
    if deadline is None:
        return ""
    style = "f" if (table.pace.seconds or 0) > HALF_A_DAY else "t"
    return f" until <t:{int(deadline)}:{style}>"


def time_left(table: PublicTable) -> str:
    """The same for the end of a sentence that says something else."""
    time = until(table)
    return f" ({time.lstrip()})" if time else ""


def channel_link(table: PublicTable) -> str:
    """The address of the table's channel."""
    return f"https://discord.com/channels/{table.guild}/{table.channel}"
