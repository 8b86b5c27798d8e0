"""What the check posts: boards and buttons like a game's."""

from __future__ import annotations

from random import Random

from bot.vocabulary.messages import CHECK, DIVIDER, Button, Part, Picture, Post
from bot.vocabulary.scenes import FanScene, LaidCard, SeatScene, TableScene
from engine.cards import DECK, Card, card, sort_hand
from engine.names import COMPUTERS

SEATS = COMPUTERS[:4]
QUEEN = card("QS")
#: Discord's most buttons in a row.
IN_A_ROW = 5


def board(played: int) -> TableScene:
    """A table after this many cards; each number gives another picture."""
    deck = Random(1).sample(DECK, len(DECK))
    trick, on_table = divmod(played, len(SEATS))
    cards = deck[trick * len(SEATS) :][:on_table]
    places = [
        SeatScene(
            name,
            f"Seat {seat + 1}",
            LaidCard(cards[seat], seat + 1, is_highest=seat == 0) if seat < on_table else None,
            is_turn=seat == on_table,
            is_computer=True,
        )
        for seat, name in enumerate(SEATS)
    ]
    return TableScene(f"Check · Trick {trick + 1}", "", tuple(places))


def picture(played: int) -> Picture:
    """The same board in a message."""
    return Picture(board(played), f"A board after {played} cards, posted by a check.", f"Board {played}")


def fan(count: int) -> Picture:
    """This many cards side by side in a message."""
    return Picture(FanScene(sort_hand(DECK[:count])), f"{count} cards, posted by a check.", f"{count} cards")


def post(*parts: Part) -> Post:
    """A message that says where it comes from."""
    return Post(("-# The bot is being checked. This message will be deleted.", *parts))


def button(run: str, what: str, label: str, *, enabled: bool = True, card: Card | None = None) -> Button:
    """A button of this run of the check."""
    return Button(label, f"{CHECK}{run}:{what}", enabled=enabled, card=card)


def forty(run: str, text: str = "This message has 40 components.", padding: str = "") -> Post:
    """A message of 40 components, with this padding in the custom ids of its buttons."""
    # 6 rows of 5 buttons make 36; the container, two texts and a divider complete the 40.
    cards = DECK[: 6 * IN_A_ROW]
    buttons = [button(run, f"{one.code}{padding}", one.symbol, card=one) for one in cards]
    rows = [tuple(buttons[start : start + IN_A_ROW]) for start in range(0, len(cards), IN_A_ROW)]
    return post(text, DIVIDER, *rows)


def large(run: str) -> Post:
    """The same with more than 10 KB of text and ids: each bullet takes three bytes."""
    return forty(run, "•" * 2500, "x" * 60)
