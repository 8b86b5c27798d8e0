"""Wishes to be told when a table needs players: the choice, and the form that asks when."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.starts import change_zone
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Button, Choice, Form, Pick, Whisper
from engine.errors import Refusal
from engine.languages import N_, Language
from engine.storage.call_wishes import CallWay, CallWish
from engine.zones import city_of

#: The field of the preferences, and the fields of the form.
TELL, EVERY, FROM, UNTIL = "tell", "every", "from", "until"
#: The values of the choice; the others are ways.
NOT = "no"
#: At most once in so many hours.
EVERY_HOURS = (1, 3, 6, 12, 24)
#: No hour in which to be left alone begins.
NEVER_QUIET = "none"
#: How they are told, as the choice has it.
WAYS = {
    NOT: N_("No"),
    CallWay.MENTION.value: N_("Mention me in the channel"),
    CallWay.DM.value: N_("Send me a DM"),
}


class OpenTimes(Action, verb="times", who=Who.ANYONE, where=Where.SERVER):
    """Open the form that asks when a person may be told that a table needs players."""


class SetTimes(Action, verb="quiet", who=Who.ANYONE, where=Where.SERVER):
    """Store what that form says."""


def choices(now: CallWish | None, language: Language) -> Iterator[Choice]:
    """Whether and how they are told."""
    is_refused = now is not None and now.way is CallWay.REFUSED
    chosen = NOT if now is None or is_refused else now.way.value
    for value, label in WAYS.items():
        hint = language.say("I couldn't DM you, so I stopped.") if is_refused and value == NOT else None
        yield Choice(language.say(label), value, value == chosen, hint)


def times(wish: CallWish, language: Language) -> Form:
    """The form that asks how often, and at which hours not."""
    say = language.say
    every = tuple(
        [
            Choice(
                language.say_count(count, "{count} hour", "{count} hours"),
                str(count),
                count == wish.every_hours,
            )
            for count in EVERY_HOURS
        ]
    )
    hours = [Choice(_hour(hour), str(hour), hour == wish.quiet_from) for hour in range(24)]
    never = Choice(say("No quiet hours"), NEVER_QUIET, wish.quiet_from is None)
    until = 8 if wish.quiet_until is None else wish.quiet_until
    ends = tuple([Choice(_hour(hour), str(hour), hour == until) for hour in range(24)])
    return Form(
        say("When I may tell you"),
        (
            Pick(EVERY, say("At most once in"), every),
            Pick(FROM, say("Leave me alone from"), (never, *hours)),
            Pick(UNTIL, say("Until"), ends),
        ),
        SetTimes(0),
    )


def _hour(hour: int) -> str:
    return f"{hour}:00"


def hour(value: str) -> int | None:
    """The hour that was chosen; Refusal if none that ours could offer."""
    if value == NEVER_QUIET:
        return None
    if value not in map(str, range(24)):
        raise Refusal("stale")
    return int(value)


def chosen(wish: CallWish, zone: str | None, language: Language) -> Whisper:
    """What holds from now on, and the button that changes when."""
    say, say_count = language.say, language.say_count
    if wish.way is CallWay.DM:
        told = say("When a table in this server needs players, I'll send you a DM.")
    else:
        told = say("When a table in this server needs players, I'll mention you.")
    often = say_count(
        wish.every_hours,
        "At most once an hour, and never while you're at a table.",
        "At most once in {count} hours, and never while you're at a table.",
    )
    lines = [told, often]
    row: tuple[Button, ...] = (Button(say("When I may be told"), OpenTimes(0)),)
    if wish.quiet_from is not None and wish.quiet_until is not None:
        quiet = {"start": _hour(wish.quiet_from), "end": _hour(wish.quiet_until)}
        if zone is None:
            lines.append(
                say("Not between {start} and {end}, by your clock; until I know it, not at all.", **quiet)
            )
        else:
            told = say("Not between {start} and {end}, by the clock of {city}.", **quiet, city=city_of(zone))
            lines.append(told)
            row = (*row, change_zone(language))
    return Whisper((language.sentences(lines), row))
