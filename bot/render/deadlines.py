"""Times in words: how long a table waits, how long something takes, and the days of the daily deals."""

from __future__ import annotations

from datetime import date

from engine.tables import PublicTable
from engine.tables.days import begins, day_after

#: Seconds up to which a deadline counts down.
AN_HOUR = 60 * 60
_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905


def timed(
    table: PublicTable, unlimited: str, near: str, far: str, deadline: float | None = None, **values: object
) -> str:
    """Say the sentence that fits when the table's time is up (or was, then), which its `{time}` becomes.

    A near time counts down, "in 30 seconds", and in the end "5 minutes ago".
    """
    if deadline is None and table.timer and table.has_people and not table.paused:
        deadline = table.timer.deadline
    if deadline is None:
        return table.say(unlimited, **values)
    if _counts_down(table):
        return table.say(near, time=f"<t:{int(deadline)}:R>", **values)
    return table.say(far, time=f"<t:{int(deadline)}:f>", **values)


def moment(table: PublicTable, time: float) -> str:
    """`21:40 (in 10 minutes)`: a moment to come (seconds since 1970), in the reader's own time."""
    return f"<t:{int(time)}:t> (<t:{int(time)}:R>)" if _counts_down(table) else f"<t:{int(time)}:f>"


def _counts_down(table: PublicTable) -> bool:
    """Whether the table's deadlines are so near that the time of day would be of no use."""
    return (table.pace.seconds or 0) <= AN_HOUR


def long(seconds: float) -> str:
    """`10 minutes`, `24 hours`."""
    return f"{seconds / 60:.0f} minutes" if seconds < AN_HOUR else f"{seconds / AN_HOUR:.0f} hours"


def spent(minutes: float) -> str:
    """How long something takes, as roughly as it is known: `8 min`, `45 min`, `2½ hours`."""
    if minutes < 90:
        step = 5 if minutes >= 10 else 1
        return f"{max(1, round(minutes / step) * step)} min"
    halves = round(minutes / 30)
    return f"{halves // 2}{'½' * (halves % 2)} hours"


# Days, by UTC as the daily deals have them


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
