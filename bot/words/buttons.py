"""Buttons that several kinds of messages share, and those that turn pages."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.vocabulary.controls import (
    GAME,
    GAMES,
    HAND,
    LOBBY,
    PAGES,
    REVIEWS,
    SEATS,
    TABLES,
    Action,
    DealAction,
    Where,
    Who,
)
from bot.vocabulary.messages import Button, Link, Part, Row, Style
from bot.words.text import channel_link
from engine.languages import Language
from engine.tables import PublicTable, TableInfo

T = TypeVar("T")


class Rematch(Action, verb="rematch", who=Who.PLAYER, where=LOBBY, posts=True, cost=TABLES):
    """Open a lobby with the same rules and people."""


class ShowHand(Action, verb="hand", who=Who.ANYONE, where=Where.CHANNEL):
    """Show a player their hand, for them alone."""


class ComeBack(Action, verb="back", who=Who.ANYONE, where=GAME, shows_game=True):
    """Take one's seat back from the computer; with a deal, the button is below the hand in that deal."""

    deal: int | None = None


class AskForSeat(Action, verb="seat", who=Who.ANYONE, where=SEATS):
    """Take the only free seat, or ask which of several."""


class Watch(Action, verb="watch", who=Who.ANYONE, where=LOBBY | Where.AROUND, cost=PAGES / 2):
    """Show the last finished deal."""


class ShareGame(Action, verb="lines", who=Who.ANYONE, where=GAME, cost=GAMES):
    """Show a finished game in a few lines to copy and post anywhere."""


class ShowTricks(DealAction, verb="tricks", who=Who.ANYONE, where=HAND, cost=PAGES / 2):
    """List the finished tricks of a deal in progress."""


class ReviewDeal(DealAction, verb="review", who=Who.ANYONE, where=HAND, cost=REVIEWS):
    """Show which of one's own moves in this deal cost most."""


class OpenReplay(Action, verb="replay", who=Who.ANYONE, where=HAND, cost=GAMES):
    """Replay the table's game card by card."""


def beside(parts: Sequence[Part], row: Row) -> tuple[Part, ...]:
    """Add buttons to the last row of these parts, or in a row of their own if that row has cards."""
    if not row:
        return tuple(parts)
    *others, last = parts
    if isinstance(last, tuple) and not any(map(_is_card, last)):
        return (*others, (*last, *row))
    return (*parts, row)


def _is_card(button: Button | Link) -> bool:
    return isinstance(button, Button) and button.card is not None


def my_hand(table: PublicTable) -> Button:
    """A button that shows players their own hand, privately."""
    return Button(table.language.say_as("for everyone", "My hand"), ShowHand(table.id), Style.MAIN)


def watch(table: PublicTable) -> tuple[Button, ...]:
    """A button that shows all hands of the last finished deal; empty as long as there is none."""
    if table.view is None or not table.view.points:
        return ()
    return (Button(table.language.say_as("for everyone", "Watch"), Watch(table.id)),)


def tricks(table: PublicTable, deal: int) -> Button:
    """A button that lists the finished tricks of this deal."""
    return Button(table.language.say_as("button", "Tricks"), ShowTricks(table.id, deal))


def replay(table: PublicTable) -> Button:
    """A button that replays the table's game, with all hands open."""
    return Button(table.language.say_as("for everyone", "Replay"), OpenReplay(table.id))


def share(table: PublicTable) -> Button:
    """A button that shows the result in a few lines to copy and post anywhere."""
    return Button(table.language.say_as("button", "Share"), ShareGame(table.id))


def rematch(table: PublicTable) -> Button:
    """A button that opens a lobby with the same rules and people."""
    say_as = table.language.say_as
    label = say_as("button", "Play again") if table.is_private else say_as("button", "Rematch")
    return Button(label, Rematch(table.id), Style.GOOD)


def once_more(table: PublicTable) -> Row:
    """A row with the rematch; empty at a tournament's table, as its next round opens by itself."""
    return () if table.tournament else (rematch(table),)


def ask_back(table: int, deal: int, language: Language) -> Button:
    """A button that reviews how the player did in a finished deal."""
    return Button(language.say_as("for everyone", "How did I play?"), ReviewDeal(table, deal))


def to_table(table: TableInfo) -> Link:
    """A link from a DM to the table's channel."""
    return Link(table.say("Go to the table"), channel_link(table.guild, table.channel))


def take_a_seat(table: int, language: Language) -> Button:
    """A button for taking a seat from the next deal on."""
    return Button(language.say_as("for everyone", "Take a seat"), AskForSeat(table))


def come_back(table: int, language: Language, deal: int | None = None) -> Button:
    """A button that takes a player's seat at this table back from the computer.

    With a `deal`, it stands below the player's hand in that deal, which then shows their cards again.
    """
    return Button(language.say("I'm back"), ComeBack(table, deal), Style.GOOD)


def pager(
    number: int,
    count: int,
    turn: Callable[[int], Action],
    language: Language,
    *,
    more: bool = False,
    style: Style = Style.MAIN,
) -> Row:
    """Back, the page (from 1) and the number of pages, and Next; `turn` returns the action for a page.

    With `more`, Next works on the last page too, as there may be another one by then.
    """
    page = language.say("{number} of {count}", number=number, count=count)
    return (
        Button(language.say_as("button", "Back"), turn(number - 1), enabled=number > 1),
        Button(page, turn(number), enabled=False),
        Button(language.say_as("button", "Next"), turn(number + 1), style, enabled=number < count or more),
    )


def paged(
    items: Sequence[T], number: int, size: int, turn: Callable[[int], Action], language: Language
) -> tuple[Sequence[T], tuple[Row, ...]]:
    """The items on this page (from 0; the last one for any number beyond), and the rows that turn pages.

    There are `size` items to a page; for a single page, no row. `turn` is as for `pager`.
    """
    pages = max(1, -(-len(items) // size))
    number = min(number, pages - 1)
    row = pager(number + 1, pages, turn, language)
    return items[number * size : (number + 1) * size], (row,) if pages > 1 else ()
