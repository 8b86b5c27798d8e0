"""The buttons that turn pages."""

from __future__ import annotations

from collections.abc import Callable

from bot.messages import Button, Row, Style


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
