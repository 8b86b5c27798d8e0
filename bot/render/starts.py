"""A planned start in words: in the lobby, on the page of the rules, as a question, and as a reminder.

Discord shows each reader a moment in their own time, but not in a button or a list: there, hours are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from bot.controls import Action, BeHere, DropPlan, OpenForm, SendForm
from bot.messages import Button, Choice, Colour, Form, Line, Part, Post, Select, Style, Whisper
from bot.render.deadlines import WEEKDAYS
from bot.render.text import harmless, mentions, names
from bot.render.typed_times import Reading
from engine.languages import Language
from engine.tables import Plan, PublicTable

#: The form that asks when the game shall start.
PLAN_FORM = "plan"
#: Characters of a time that somebody types.
LONGEST_TIME = 60


def moment(at: float) -> str:
    """A moment (seconds since 1970) with its date, and how far off it is, in the reader's own time."""
    return f"<t:{int(at)}:F> (<t:{int(at)}:R>)"


# The lobby


def starting_line(plan: Plan | None, language: Language) -> str:
    """The line below the game's name that tells when it starts; "" where no start is planned."""
    if plan is None:
        return ""
    shown = "t" if plan.at - plan.made < 12 * 3600 else "f"  # of another day it is told
    when = language.say(
        "Starts {time} ({distance})", time=f"<t:{int(plan.at)}:{shown}>", distance=f"<t:{int(plan.at)}:R>"
    )
    return f"\n🕗 **{when}**"


def in_short(plan: Plan | None, language: Language) -> Iterator[str]:
    """What happens at that time, in small print."""
    if plan and plan.reminded:
        yield language.say(
            "The start is near: press **I'm here**, or a computer plays your cards until you come."
        )
    elif plan:
        yield language.say("The game starts by itself then; computers play for players who don't come.")


def buttons(table: int, plan: Plan | None, language: Language) -> Iterator[tuple[Button, ...]]:
    """What is pressed shortly before a planned start."""
    if plan and plan.reminded:
        yield (here(table, language),)


def here(table: int, language: Language) -> Button:
    """Says that one is there."""
    return Button(language.say("I'm here"), BeHere(table), Style.GOOD)


def reminder(table: PublicTable) -> Post:
    """Calls the players who are not there yet, once, shortly before the start."""
    assert table.plan is not None
    missing = [number for number in sorted(table.seats.occupied) if not table.seats[number].is_here]
    text = table.say(
        "🕗 {who}: the game starts {distance}. Press **I'm here**, or a computer plays your cards until you "
        "come.",
        who=names(table, missing),
        distance=f"<t:{int(table.plan.at)}:R>",
    )
    ping = tuple([person for number in missing if (person := table.seats[number].person) is not None])
    row = (here(table.id, table.language),)
    return Post((text, row), Colour.TURN, call=mentions(ping), ping=ping, never_edited=True)


def noted(plan: Plan, language: Language) -> str:
    """The answer to a player who is there."""
    return language.say("Good. The game starts {distance}.", distance=f"<t:{int(plan.at)}:R>")


# What the host decides


def planning(table: PublicTable) -> tuple[Part, ...]:
    """The planned start, and what opens its form and drops it."""
    if table.plan is None:
        return ((Button(table.say("Plan the start"), OpenForm(table.id, PLAN_FORM)),),)
    when = moment(table.plan.at)
    told = table.say("The game starts {time}, shown to everyone in their own time.", time=when)
    row = (
        Button(table.say("Change the start"), OpenForm(table.id, PLAN_FORM)),
        Button(table.say("Drop the planned start"), DropPlan(table.id)),
    )
    return f"🕗 {told}", row


def start_form(table: PublicTable, action: SendForm) -> Form:
    """Asks for the time in words."""
    hint = table.say("Such as: in 45 minutes, 20:00, tomorrow 8:30pm, Fri 20:00, 23 Nov 20:00")
    line = Line(PLAN_FORM, table.say("When the game starts"), "", LONGEST_TIME, hint)
    return Form(table.say("Plan the start"), (line,), action)


def confirmed(table: PublicTable) -> Whisper:
    """The time that was chosen, to be seen in one's own time, and changed if that is wrong."""
    dropped = () if table.plan else (table.say("No start is planned: the game starts with **Start**."),)
    return Whisper((*dropped, *planning(table)))


def which_clock(
    choose: Callable[[int], Action],
    typed: str,
    whole: Sequence[Reading],
    between: Sequence[Reading],
    language: Language,
) -> Whisper:
    """Asks for the time that somebody's clock shows, by which the time that they typed is understood.

    `choose` gives what each of the two lists does, the first and the second.
    """
    asked = language.say(
        "Discord doesn't tell me your time zone. To plan the start for **{time}**, choose what your clock "
        "shows now.",
        time=harmless(typed, language),
    )
    return Whisper(
        (
            f"### {language.say('What time is it for you?')}\n{asked}",
            Select(choose(0), language.say("My clock shows…"), _clocks(whole, language)),
            Select(
                choose(1),
                language.say("Half an hour off…"),
                _clocks(between, language),
            ),
        )
    )


def _clocks(found: Sequence[Reading], language: Language) -> tuple[Choice, ...]:
    """A choice for each moment, told by what the clock shows there now."""
    return tuple(Choice(clock(one.clock, language), str(int(one.at))) for one in found)


def clock(shown: datetime, language: Language) -> str:
    """`14:35 (Monday)`, of a clock that shows this now."""
    time = f"{shown:%H:%M}"
    if language.code == "en":
        time = f"{time} / {shown:%I:%M %p}".replace("/ 0", "/ ")
    weekday = language.say(WEEKDAYS[shown.weekday()])
    # Note: What a clock shows: 14:35 (Monday).
    return language.say("{time} ({weekday})", time=time, weekday=weekday)


def suggested(typed: str, reading: Reading, now: float, language: Language) -> str:
    """A time that was typed, as it is understood where clocks show this."""
    return language.say(
        "{start} · my clock shows {clock} · starts in {duration}",
        start=typed,
        clock=clock(reading.clock, language),
        duration=until(reading.at - now, language),
    )


def until(seconds: float, language: Language) -> str:
    """`25 min`, `5 h 25 min`, `2 d 3 h`: how far off a moment is."""
    minutes = max(0, round(seconds / 60))
    hours, minutes = divmod(minutes, 60)
    days, left = divmod(hours, 24)
    if days:
        # Note: 2 days and 3 hours, in short.
        return language.say("{days} d {hours} h", days=days, hours=left)
    if hours:
        # Note: 5 hours and 25 minutes, in short.
        return language.say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return language.say("{minutes} min", minutes=minutes)


def suggested_delay(seconds: float, language: Language) -> str:
    """A start that is so far off, whatever anyone's clock shows."""
    return language.say("In {duration}", duration=until(seconds, language))
