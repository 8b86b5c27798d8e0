"""Times in words: how long a table waits, how long something takes, and the days of the daily deals."""

from __future__ import annotations

from datetime import date

from engine.languages import N_, Language
from engine.tables import PublicTable
from engine.tables.days import day_after, start_of_day

#: Seconds up to which a deadline counts down.
AN_HOUR = 60 * 60
MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)
WEEKDAYS = (
    N_("Monday"),
    N_("Tuesday"),
    N_("Wednesday"),
    N_("Thursday"),
    N_("Friday"),
    N_("Saturday"),
    N_("Sunday"),
)


def with_deadline(table: PublicTable, told: str, deadline: float | None = None) -> str:
    """The text and, on a line of its own, when the table's time is up (or was, then), if it ever is.

    A near time counts down, "in 30 seconds", and in the end "5 minutes ago".
    """
    if deadline is None and table.timer and table.has_people and not table.paused:
        deadline = table.timer.deadline
    if deadline is None:
        return told
    if _counts_down(table):
        line = table.say("Deadline {time}", time=f"<t:{int(deadline)}:R>")
    else:
        line = table.say("Until {time}", time=f"<t:{int(deadline)}:f>")
    return f"{told}\n-# {line}"


def moment(table: PublicTable, time: float) -> str:
    """`21:40 (in 10 minutes)`: a moment to come (seconds since 1970), in the reader's own time."""
    if not _counts_down(table):
        return f"<t:{int(time)}:f>"
    # Note: 21:40 (in 10 minutes)
    return table.say("{time} ({distance})", time=f"<t:{int(time)}:t>", distance=f"<t:{int(time)}:R>")


def _counts_down(table: PublicTable) -> bool:
    """Whether the table's deadlines are so near that the time of day would be of no use."""
    return (table.pace.seconds or 0) <= AN_HOUR


def long(seconds: float, language: Language) -> str:
    """`10 minutes`, `24 hours`."""
    if seconds < AN_HOUR:
        return language.say_count(round(seconds / 60), "{count} minute", "{count} minutes")
    return language.say_count(round(seconds / AN_HOUR), "{count} hour", "{count} hours")


def spent(minutes: float, language: Language) -> str:
    """How long something takes, as roughly as it is known: `8 min`, `45 min`, `2½ hours`."""
    if minutes < 90:
        step = 5 if minutes >= 10 else 1
        return language.say("{minutes} min", minutes=max(1, round(minutes / step) * step))
    hours, halves = divmod(round(minutes / 30), 2)
    if halves:
        return language.say("{hours}½ hours", hours=hours)
    return language.say_count(hours, "{count} hour", "{count} hours")


# Days, by UTC as the daily deals have them


def short_date(day: str, language: Language) -> str:
    """`November 22`, or `22 November`."""
    found = date.fromisoformat(day)
    month = language.say(MONTHS[found.month - 1])
    if language.month_first:
        return f"{month} {found.day}"
    # Note: 22 November. The first form is for the first of a month, where that is said another way.
    return language.say_count(found.day, "{count} {month}", "{count} {month}", month=month)


def long_date(day: str, language: Language) -> str:
    """`Sunday, 22 November`."""
    weekday = language.say(WEEKDAYS[date.fromisoformat(day).weekday()])
    return language.say("{weekday}, {date}", weekday=weekday, date=short_date(day, language))


def ends_in(day: str) -> str:
    """How far off the end of the day is."""
    return f"<t:{int(start_of_day(day_after(day)))}:R>"


def until_midnight(day: str) -> str:
    """When the day is over, in the reader's own time."""
    return f"<t:{int(start_of_day(day_after(day)))}:t>"
