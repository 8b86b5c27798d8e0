"""Days in words, by UTC as the daily deals have them."""

from __future__ import annotations

from datetime import date

from engine.tables.days import begins, day_after

_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905


def short_date(day: str) -> str:
    """`22 November`."""
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]}"


def long_date(day: str) -> str:
    """`Sunday, 22 November`."""
    return f"{_WEEKDAYS[date.fromisoformat(day).weekday()]}, {short_date(day)}"


def ends_in(day: str) -> str:
    """How far off the end of the day is."""
    return f"<t:{int(begins(day_after(day)))}:R>"


def until_midnight(day: str) -> str:
    """When the day is over, in the reader's own time."""
    return f"<t:{int(begins(day_after(day)))}:t>"
