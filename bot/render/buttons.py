"""The buttons that stand below several kinds of messages, and those that turn pages."""

from __future__ import annotations

from collections.abc import Callable

from bot.messages import Button, Link, Row, Style, action
from bot.render.text import CHANNELS
from engine.tables import PublicTable, TableInfo


def my_hand(table: PublicTable) -> Button:
    """Shows a player their hand, for them alone."""
    return Button("My hand", action("hand", table.id), Style.MAIN)


def watch(table: PublicTable) -> tuple[Button, ...]:
    """Shows all hands of the last deal that is done; nothing as long as none is."""
    return (Button("Watch", action("watch", table.id)),) if table.view and table.view.points else ()


def replay(table: PublicTable) -> Button:
    """Opens the table's game again, with all hands."""
    return Button("Replay", action("replay", table.id))


def rematch(table: PublicTable) -> Button:
    """Opens a lobby with the same rules and people."""
    return Button("Rematch", action("rematch", table.id), Style.GOOD)


def ask_back(table: int, deal: int) -> Button:
    """Asks how one has played a deal that is done."""
    return Button("How did I play?", action("review", table, deal))


def to_table(table: TableInfo) -> Link:
    """Leads from a DM to the table's channel."""
    return Link("Go to the table", f"{CHANNELS}/{table.guild}/{table.channel}")


def take_a_seat(table: int) -> Button:
    """Asks for a seat from the next deal on."""
    return Button("Take a seat", action("seat", table))


def come_back(table: int, *deal: int) -> Button:
    """Takes a player's seat at this table back from the computer.

    With a `deal`, it stands below their hand in it, which then shows their cards again.
    """
    return Button("I'm back", action("back", table, *deal), Style.GOOD)


def pager(
    number: int, count: int, turn: Callable[[int], str], *, more: bool = False, style: Style = Style.MAIN
) -> Row:
    """Back, which page (from 1) of how many this is, and Next, which `turn` gives what they do.

    With `more`, there may be another page by the time that somebody presses Next.
    """
    return (
        Button("Back", turn(number - 1), enabled=number > 1),
        Button(f"{number} of {count}", turn(number), enabled=False),
        Button("Next", turn(number + 1), style, enabled=number < count or more),
    )
