"""Times in words: how long a table waits, how long something takes, and the days of the daily deals."""

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


def with_deadline(table: PublicTable, text: str, deadline: float | None = None) -> str:
    """Add a line with this `deadline`, or with the table's current one if it has any.

    A near time counts down: "in 30 seconds", and after that "5 minutes ago".
    """
    if deadline is None and table.timer and table.has_people and not table.paused:
        deadline = table.timer.deadline
    if deadline is None:
        return text
    if _counts_down(table):
        line = table.say("Deadline {time}", time=f"<t:{int(deadline)}:R>")
    else:
        line = table.say("Until {time}", time=f"<t:{int(deadline)}:f>")
    return f"{text}\n-# {line}"


def moment(table: PublicTable, time: float) -> str:
    """`21:40 (in 10 minutes)`: a time in the future (seconds since 1970), by the reader's own clock."""
    if not _counts_down(table):
        return f"<t:{int(time)}:f>"
    # Note: 21:40 (in 10 minutes)
    return table.say("{time} ({distance})", time=f"<t:{int(time)}:t>", distance=f"<t:{int(time)}:R>")


def _counts_down(table: PublicTable) -> bool:
    """Whether the table's turns are so short that a countdown says more than a time of day."""
    return (table.pace.seconds or 0) <= AN_HOUR


def long(seconds: float, language: Language) -> str:
    """`10 minutes`, `24 hours`."""
    if seconds < AN_HOUR:
        return language.say_count(round(seconds / 60), "{count} minute", "{count} minutes")
    return language.say_count(round(seconds / AN_HOUR), "{count} hour", "{count} hours")


def spent(minutes: float, language: Language) -> str:
    """How long something takes, roughly: `8 min`, `45 min`, `2½ hours`."""
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
    parsed = date.fromisoformat(day)
    month = language.say(MONTHS[parsed.month - 1])
    if language.month_first:
        return f"{month} {parsed.day}"
    # Note: 22 November. The first form is for the first of a month, where that is said another way.
    return language.say_count(parsed.day, "{count} {month}", "{count} {month}", month=month)


def long_date(day: str, language: Language) -> str:
    """`Sunday, 22 November`."""
    weekday = language.say(WEEKDAYS[date.fromisoformat(day).weekday()])
    return language.say("{weekday}, {date}", weekday=weekday, date=short_date(day, language))


def ends_in(day: str) -> str:
    """The time until the end of the day: `in 3 hours`."""
    return f"<t:{int(start_of_day(day_after(day)))}:R>"


def until_midnight(day: str) -> str:
    """The end of the day by the reader's own clock: `01:00`."""
    return f"<t:{int(start_of_day(day_after(day)))}:t>"
