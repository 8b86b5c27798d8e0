"""A planned start in words: in the lobby, on the page that changes it, as a question, and as a reminder.

Discord shows each reader a moment in their own time, but not in a button or a list: these give durations.
"""

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

#: The form that asks when the game should start.
PLAN_FORM = "plan"
#: The most characters of a typed time.
LONGEST_TIME = 60
#: The number of lists of clocks, which hold 25 each, and of cities beside each clock.
LISTS, CITIES = 3, 3
#: Any time of day would do, to ask for a time zone without a start.
MIDNIGHT = TimeOfDay(0, 0)


class BeHere(Action, verb="here", who=Who.PLAYER, where=Where.CHANNEL, says_presence=True):
    """Note that the player is there for the planned start."""


class ChooseStart(
    Action, verb="when", who=Who.HOST, where=Where.CHANNEL | Where.AROUND, private=True, lobby_only=True
):
    """Plan the start, by the clock chosen from list number `part`."""

    part: int = 0


class OpenZones(Action, verb="zones", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Ask for a person's time zone again."""


class ChooseZone(Action, verb="zone", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Store a person's time zone, by the clock chosen from list number `part`."""

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
    """The line below the game's name that says when it starts; "" if no start is planned."""
    if plan is None:
        return ""
    style = "t" if plan.at - plan.made < 12 * 3600 else "f"  # with the date unless it's soon
    when = language.say(
        "Starts {time} ({distance})", time=f"<t:{int(plan.at)}:{style}>", distance=f"<t:{int(plan.at)}:R>"
    )
    return f"\n🕗 **{when}**"


def in_short(plan: Plan | None, language: Language) -> Iterator[str]:
    """What happens at the planned start, in small print."""
    if plan and plan.reminded:
        yield language.say(
            "The start is near: press **I'm here**, or a computer plays your cards until you arrive."
        )
    elif plan:
        yield language.say(
            "At the planned time the game starts by itself; computers play for players who don't come."
        )


def presence_buttons(table: int, plan: Plan | None, language: Language) -> Iterator[tuple[Button, ...]]:
    """The row with the button that is shown shortly before a planned start."""
    if plan and plan.reminded:
        yield (presence_button(table, language),)


def presence_button(table: int, language: Language) -> Button:
    """The button with which players say that they are there."""
    return Button(language.say_as("for everyone", "I'm here"), BeHere(table), Style.GOOD)


def reminder(table: PublicTable) -> Post:
    """The post that mentions the players who aren't there yet, shortly before the start."""
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
    row = (presence_button(table.id, table.language),)
    return Post((text, row), Colour.TURN, call=mentions(ping), ping=ping, never_edited=True)


def noted(plan: Plan, language: Language) -> str:
    """The answer to a player who says that they are there."""
    return language.say("Good. The game starts {distance}.", distance=f"<t:{int(plan.at)}:R>")


# What the host decides


def plan_button(table: int, language: Language) -> Button:
    """The button that asks when the game should start or, if that is planned, shows it."""
    return Button(language.say("Plan"), OpenForm(table, PLAN_FORM))


def planning(table: PublicTable) -> tuple[Part, ...]:
    """The planned start, with the buttons that change and drop it; nothing if there is none."""
    if table.plan is None:
        return ()
    when = moment(table.plan.at)
    sentence = table.say("The game starts {time}, shown to everyone in their own time.", time=when)
    row = (
        Button(table.say("Change the start"), OpenForm(table.id, PLAN_FORM)),
        Button(table.say("Drop the planned start"), DropPlan(table.id)),
    )
    return f"🕗 {sentence}", row


def start_form(table: PublicTable, action: SendForm, now: float) -> Form:
    """The form in which the host types when the game should start."""
    hint = table.say("Such as: in 45 minutes, 20:00, {day} 20:00", day=tomorrow(now, table.language))
    field = TextField(PLAN_FORM, table.say("When the game starts"), "", LONGEST_TIME, hint)
    return Form(table.say("Plan the start"), (field,), action)


def confirmed(table: PublicTable) -> Whisper:
    """The planned start in the host's own time, with buttons to change it or their time zone."""
    dropped = () if table.plan else (table.say("No start is planned: the game starts with **Start**."),)
    return Whisper((*dropped, *planning(table), (change_zone(table.language),)))


def which_clock(
    choose: Callable[[int], Action], typed: str, clocks: Sequence[Reading], language: Language
) -> Whisper:
    """Ask which clock a person goes by, to understand the time that they typed.

    `choose` makes the control of each list from its number (from 0).
    """
    question = language.say(
        "Discord doesn't tell me your time zone. To plan the start for **{time}**, choose what your clock "
        "shows now.",
        time=harmless(typed, language),
    )
    values = [f"{int(reading.at)} {reading.zone}" for reading in clocks]
    return _asks_zone(question, choose, clocks, values, language)


def which_zone(now: float, language: Language) -> Whisper:
    """Ask which clock a person goes by, to store their time zone."""
    question = language.say("Discord doesn't tell me your time zone. Choose what your clock shows now.")
    clocks = readings(MIDNIGHT, now)
    return _asks_zone(
        question, partial(ChooseZone, 0), clocks, [reading.zone for reading in clocks], language
    )


def _asks_zone(
    question: str,
    choose: Callable[[int], Action],
    clocks: Sequence[Reading],
    values: Sequence[str],
    language: Language,
) -> Whisper:
    note = language.say("I remember it for your planned starts and quiet hours.")
    choices = [
        Choice(clock_there(reading, language), value) for reading, value in zip(clocks, values, strict=True)
    ]
    size = -(-len(choices) // LISTS)
    lists = [
        Select(choose(part), _span(clocks[size * part : size * (part + 1)], language), tuple(some))
        for part, some in enumerate([choices[start : start + size] for start in range(0, len(choices), size)])
    ]
    heading = f"### {language.say('What time is it for you?')}\n{question}\n-# {note}"
    return Whisper((heading, *lists))


def _span(clocks: Sequence[Reading], language: Language) -> str:
    first, last = (f"{reading.clock:%H:%M}" for reading in (clocks[0], clocks[-1]))
    return language.say("My clock shows {first} to {last}…", first=first, last=last)


def clock_there(reading: Reading, language: Language) -> str:
    """A clock with some cities of its zone: `14:35 (Monday) · Berlin, Paris, Madrid`."""
    names = next((names for names in ZONES if names[0] == reading.zone), (reading.zone,))
    cities = ", ".join([city_of(name) for name in names[:CITIES]])
    return f"{clock(reading.clock, language)} · {cities}"


def zone_chosen(name: str, now: float, language: Language) -> Whisper:
    """The confirmation of a time zone, with the time there."""
    there = clock(clock_in(name, now), language)
    sentence = language.say(
        "OK, I go by the clock of {city}, where it's {time} now.", city=city_of(name), time=there
    )
    return Whisper((sentence, (change_zone(language),)))


def change_zone(language: Language) -> Button:
    """The button that asks for the time zone again."""
    return Button(language.say("Change my time zone"), OpenZones(0))


def clock(at: datetime, language: Language) -> str:
    """What a clock shows at this time: `14:35 (Monday)`."""
    time = f"{at:%H:%M}"
    if language.words == "en":
        time = f"{time} / {at:%I:%M %p}".replace("/ 0", "/ ")
    weekday = language.say(WEEKDAYS[at.weekday()])
    # Note: What a clock shows: 14:35 (Monday).
    return language.say("{time} ({weekday})", time=time, weekday=weekday)


def suggested(typed: str, reading: Reading, now: float, language: Language) -> str:
    """A suggestion for a typed time, as understood by this clock."""
    return language.say(
        "{start} · my clock shows {clock} · starts in {duration}",
        start=typed,
        clock=f"{clock(reading.clock, language)}, {city_of(reading.zone)}",
        duration=until(reading.at - now, language),
    )


def until(seconds: float, language: Language) -> str:
    """How far off a moment is: `25 min`, `5 h 25 min`, `2 d 3 h`."""
    minutes = max(0, round(seconds / 60))
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        # Note: 2 days and 3 hours, in short.
        return language.say("{days} d {hours} h", days=days, hours=hours)
    if hours:
        # Note: 5 hours and 25 minutes, in short.
        return language.say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return language.say("{minutes} min", minutes=minutes)


def suggested_delay(seconds: float, language: Language) -> str:
    """A suggestion for a start after this delay."""
    return language.say("In {duration}", duration=until(seconds, language))
