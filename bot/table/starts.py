"""A planned start in words: in the lobby, on the page of the rules, as a question, and as a reminder.

Discord shows each reader a moment in their own time, but not in a button or a list: there, hours are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from bot.table.controls import OpenForm, SendForm
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import (
    Button,
    Choice,
    Colour,
    Form,
    Part,
    Post,
    Select,
    Style,
    TextField,
    Whisper,
)
from bot.words.deadlines import WEEKDAYS
from bot.words.text import harmless, mentions, names
from bot.words.typed_times import Reading, TimeOfDay, readings, tomorrow
from engine.languages import Language
from engine.tables import Plan, PublicTable
from engine.zones import ZONES, city_of, clock_in

#: The form that asks when the game shall start.
PLAN_FORM = "plan"
#: Characters of a time that someone types.
LONGEST_TIME = 60
#: The lists of clocks, each of which holds 25 at most, and the cities beside a clock.
LISTS, CITIES = 3, 3
#: Any time of day: for zones that are asked for by themselves.
MIDNIGHT = TimeOfDay(0, 0)


class BeHere(Action, verb="here", who=Who.PLAYER, where=Where.CHANNEL, says_presence=True):
    """Say that one is there for the planned start."""


class ChooseStart(
    Action, verb="when", who=Who.HOST, where=Where.CHANNEL | Where.AROUND, private=True, lobby_only=True
):
    """Plan the start for the time that was chosen by what one's clock shows; there are several lists."""

    part: int = 0


class OpenZones(Action, verb="zones", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Ask for one's time zone again."""


class ChooseZone(Action, verb="zone", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Store one's time zone, chosen by what one's clock shows; there are several lists."""

    part: int = 0


class DropPlan(
    Action, verb="unplan", who=Who.HOST, where=Where.CHANNEL | Where.AROUND, private=True, lobby_only=True
):
    """Let the game start by hand again."""


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
            "The start is near: press **I'm here**, or a computer plays your cards until you arrive."
        )
    elif plan:
        yield language.say("The game starts by itself then; computers play for players who don't come.")


def buttons(table: int, plan: Plan | None, language: Language) -> Iterator[tuple[Button, ...]]:
    """What is pressed shortly before a planned start."""
    if plan and plan.reminded:
        yield (here(table, language),)


def here(table: int, language: Language) -> Button:
    """Says that one is there."""
    return Button(language.say_as("for everyone", "I'm here"), BeHere(table), Style.GOOD)


def reminder(table: PublicTable) -> Post:
    """Calls the players who are not there yet, once, shortly before the start."""
    assert table.plan is not None
    missing = [number for number in sorted(table.seats.occupied) if not table.seats[number].is_here]
    # Note: To one player, or to several.
    text = table.say(
        "🕗 {who}: the game starts {distance}. Press **I'm here**, or a computer plays your cards until "
        "you arrive.",
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


def plan_button(table: int, language: Language) -> Button:
    """Asks when the game shall start or, where that is planned, shows it."""
    return Button(language.say("Plan"), OpenForm(table, PLAN_FORM))


def planning(table: PublicTable) -> tuple[Part, ...]:
    """The planned start, and what opens its form and drops it."""
    if table.plan is None:
        return ()
    when = moment(table.plan.at)
    told = table.say("The game starts {time}, shown to everyone in their own time.", time=when)
    row = (
        Button(table.say("Change the start"), OpenForm(table.id, PLAN_FORM)),
        Button(table.say("Drop the planned start"), DropPlan(table.id)),
    )
    return f"🕗 {told}", row


def start_form(table: PublicTable, action: SendForm, now: float) -> Form:
    """Asks for the time in words."""
    hint = table.say("Such as: in 45 minutes, 20:00, {day} 20:00", day=tomorrow(now, table.language))
    line = TextField(PLAN_FORM, table.say("When the game starts"), "", LONGEST_TIME, hint)
    return Form(table.say("Plan the start"), (line,), action)


def confirmed(table: PublicTable) -> Whisper:
    """The time that was chosen, to be seen in one's own time, and changed if that is wrong."""
    dropped = () if table.plan else (table.say("No start is planned: the game starts with **Start**."),)
    return Whisper((*dropped, *planning(table), (change_zone(table.language),)))


def which_clock(
    choose: Callable[[int], Action], typed: str, found: Sequence[Reading], language: Language
) -> Whisper:
    """Asks for the clock by which the time that someone typed is understood.

    `choose` gives what each list does, by its number from 0.
    """
    asked = language.say(
        "Discord doesn't tell me your time zone. To plan the start for **{time}**, choose what your clock "
        "shows now.",
        time=harmless(typed, language),
    )
    values = [f"{int(one.at)} {one.zone}" for one in found]
    return _asks_zone(asked, choose, found, values, language)


def which_zone(now: float, language: Language) -> Whisper:
    """Asks for a person's time zone, apart from any start."""
    asked = language.say("Discord doesn't tell me your time zone. Choose what your clock shows now.")
    found = readings(MIDNIGHT, now)
    return _asks_zone(asked, partial(ChooseZone, 0), found, [one.zone for one in found], language)


def _asks_zone(
    asked: str,
    choose: Callable[[int], Action],
    found: Sequence[Reading],
    values: Sequence[str],
    language: Language,
) -> Whisper:
    remembered = language.say("I remember it for your planned starts and quiet hours.")
    choices = [Choice(clock_there(one, language), value) for one, value in zip(found, values, strict=True)]
    size = -(-len(choices) // LISTS)
    lists = [
        Select(choose(part), _span(found[size * part : size * (part + 1)], language), tuple(some))
        for part, some in enumerate([choices[start : start + size] for start in range(0, len(choices), size)])
    ]
    heading = f"### {language.say('What time is it for you?')}\n{asked}\n-# {remembered}"
    return Whisper((heading, *lists))


def _span(found: Sequence[Reading], language: Language) -> str:
    first, last = (f"{one.clock:%H:%M}" for one in (found[0], found[-1]))
    return language.say("My clock shows {first} to {last}…", first=first, last=last)


def clock_there(one: Reading, language: Language) -> str:
    """`14:35 (Monday) · Berlin, Paris, Madrid`."""
    names = next((names for names in ZONES if names[0] == one.zone), (one.zone,))
    cities = ", ".join([city_of(name) for name in names[:CITIES]])
    return f"{clock(one.clock, language)} · {cities}"


def zone_chosen(name: str, now: float, language: Language) -> Whisper:
    """The time zone that was chosen, by what its clocks show."""
    there = clock(clock_in(name, now), language)
    told = language.say(
        "OK, I go by the clock of {city}, where it's {time} now.", city=city_of(name), time=there
    )
    return Whisper((told, (change_zone(language),)))


def change_zone(language: Language) -> Button:
    """Asks for the time zone again."""
    return Button(language.say("Change my time zone"), OpenZones(0))


def clock(shown: datetime, language: Language) -> str:
    """`14:35 (Monday)`, of a clock that shows this now."""
    time = f"{shown:%H:%M}"
    if language.words == "en":
        time = f"{time} / {shown:%I:%M %p}".replace("/ 0", "/ ")
    weekday = language.say(WEEKDAYS[shown.weekday()])
    # Note: What a clock shows: 14:35 (Monday).
    return language.say("{time} ({weekday})", time=time, weekday=weekday)


def suggested(typed: str, reading: Reading, now: float, language: Language) -> str:
    """A time that was typed, as it is understood where clocks show this."""
    return language.say(
        "{start} · my clock shows {clock} · starts in {duration}",
        start=typed,
        clock=f"{clock(reading.clock, language)}, {city_of(reading.zone)}",
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
