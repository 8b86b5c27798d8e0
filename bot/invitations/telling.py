"""Wishes to be told when a table needs players: the choice, and the form for how often and when."""

from dataclasses import replace
from functools import partial

from bot.table.starts import change_zone
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Button, ChoiceField, Form, Whisper
from bot.words.forms import Field
from engine.languages import N_, Language
from engine.storage.call_wishes import CallWay, CallWish
from engine.zones import city_of


def _hours(count: int, language: Language) -> str:
    return language.say_count(count, "{count} hour", "{count} hours")


def hour(number: int) -> str:
    """`20:00`: an hour as a clock shows it."""
    return f"{number}:00"


#: Whether and how someone is told.
TELL: Field[CallWay | None] = Field(
    "tell",
    N_("Tell me when a table needs players"),
    {
        "no": (None, N_("No"), None),
        CallWay.MENTION.value: (CallWay.MENTION, N_("Mention me in the channel"), None),
        CallWay.DM.value: (CallWay.DM, N_("Send me a DM"), None),
    },
    N_("In this server; when its host calls players, and never while you're at a table."),
)
#: The least number of hours from one message to the next.
EVERY = Field(
    "every",
    N_("At most once every"),
    {str(hours): (hours, partial(_hours, hours), None) for hours in (1, 3, 6, 12, 24)},
)
#: The quiet hours, in which no message is sent.
FROM: Field[int | None] = Field(
    "from",
    N_("Quiet hours from"),
    {"none": (None, N_("No quiet hours"), None)} | {str(one): (one, hour(one), None) for one in range(24)},
)
UNTIL = Field("until", N_("Until"), {str(one): (one, hour(one), None) for one in range(24)})


class OpenTimes(Action, verb="times", who=Who.ANYONE, where=Where.SERVER):
    """Open the form for how often and when a person may be told that a table needs players."""


class SetTimes(Action, verb="quiet", who=Who.ANYONE, where=Where.SERVER):
    """Store that form."""


def choice_field(now: CallWish | None, language: Language) -> ChoiceField:
    """The field of the preferences for whether and how someone is told."""
    is_refused = now is not None and now.way is CallWay.REFUSED
    pick = TELL.pick(None if now is None or is_refused else now.way, language)
    if not is_refused:
        return pick
    no, *ways = pick.choices
    hint = language.say("I couldn't DM you, so I stopped.")
    return replace(pick, choices=(replace(no, hint=hint), *ways))


def times(wish: CallWish, language: Language) -> Form:
    """The form for how often someone is told, and for their quiet hours."""
    fields = (
        EVERY.pick(wish.every_hours, language),
        FROM.pick(wish.quiet_from, language),
        UNTIL.pick(8 if wish.quiet_until is None else wish.quiet_until, language),
    )
    return Form(language.say("When I may tell you of tables"), fields, SetTimes(0))


def chosen(wish: CallWish, zone: str | None, language: Language) -> Whisper:
    """What someone has chosen, and the buttons that change the times."""
    say, say_count = language.say, language.say_count
    if wish.way is CallWay.DM:
        how = say("When a table in this server needs players, I'll send you a DM.")
    else:
        how = say("When a table in this server needs players, I'll mention you.")
    often = say_count(
        wish.every_hours,
        "At most once an hour, and never while you're at a table.",
        "At most once in {count} hours, and never while you're at a table.",
    )
    sentences = [how, often]
    row: tuple[Button, ...] = (Button(say("Set the times"), OpenTimes(0)),)
    if wish.quiet_from is not None and wish.quiet_until is not None:
        quiet = {"start": hour(wish.quiet_from), "end": hour(wish.quiet_until)}
        if zone is None:
            sentences.append(
                say(
                    "Not between {start} and {end} by your clock. I don't know your time zone yet: "
                    "until you tell me, I won't tell you about tables at all.",
                    **quiet,
                )
            )
        else:
            hours = say("Not between {start} and {end}, by the clock of {city}.", **quiet, city=city_of(zone))
            sentences.append(hours)
            row = (*row, change_zone(language))
    return Whisper((language.sentences(sentences), row))
