"""What a player decides for every table: their preferences, and what is stored about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeVar

from bot.controls import AskToDelete, DeleteData, ExportData, KeepData, Prefer
from bot.messages import Button, Choice, Form, Pick, Style, Whisper
from bot.render import telling
from bot.render.calls import LATE, LATE_LIVE
from engine.languages import LANGUAGES, N_, Language
from engine.storage.call_wishes import CallWish
from engine.tables import Calls, Forced, Forgotten, Preference

E = TypeVar("E", bound=Enum)
#: The fields of the form.
CALLS, FORCED, LANGUAGE, INVITES = "calls", "forced", "language", "invites"
#: Stands for the language of the player's Discord.
AS_IN_DISCORD = "discord"
#: When a player can be mentioned: its label and, where needed, an explanation.
WHEN = {
    Calls.ALWAYS: (N_("At every turn"), None),
    Calls.LATE: (
        N_("When I haven't moved for a while"),
        N_("After {late} seconds; at a live table after {late_live}."),
    ),
    Calls.NEVER: (N_("Never"), None),
}
#: Which of their cards can play themselves.
WHICH = {
    Forced.KNOWN: (
        N_("The opening lead and a hand's last card"),
        N_("Everyone knows these are forced."),
    ),
    Forced.EVERY: (
        N_("Every card I have no choice about"),
        N_("Quicker, but it tells the others that you had no other card to play."),
    ),
}


#: Whether others may invite them to tables.
ANYONE, NOBODY_MAY = "anyone", "nobody"

#: What holds from now on.
CHOSEN = {
    (Calls.ALWAYS, Forced.KNOWN): N_(
        "You are mentioned at every turn, and the opening lead and a hand's last card play themselves."
    ),
    (Calls.ALWAYS, Forced.EVERY): N_(
        "You are mentioned at every turn, and every card you have no choice about plays itself."
    ),
    (Calls.LATE, Forced.KNOWN): N_(
        "You are mentioned when you haven't moved for a while, "
        "and the opening lead and a hand's last card play themselves."
    ),
    (Calls.LATE, Forced.EVERY): N_(
        "You are mentioned when you haven't moved for a while, "
        "and every card you have no choice about plays itself."
    ),
    (Calls.NEVER, Forced.KNOWN): N_(
        "You are never mentioned, and the opening lead and a hand's last card play themselves."
    ),
    (Calls.NEVER, Forced.EVERY): N_(
        "You are never mentioned, and every card you have no choice about plays itself."
    ),
}


def form(
    now: Preference, language: Language, wish: CallWish | None = None, *, in_server: bool = True
) -> Form:
    """The form with a player's preferences filled in, and whether they want to be told in this server."""
    say, moved = (
        language.say,
        language.say("In the table's channel; the mention disappears once you've moved."),
    )
    calls, forced = _choices(WHEN, now.calls, language), _choices(WHICH, now.forced, language)
    return Form(
        say("Your preferences"),
        (
            Pick(CALLS, say("Mention me when it is my turn"), calls, moved),
            Pick(FORCED, say("What plays itself after a second"), forced),
            Pick(INVITES, say("Invitations to a table"), tuple(_invites(now, language))),
            *([_telling(wish, language)] if in_server else ()),
            Pick(
                LANGUAGE,
                say("Language"),
                tuple(_languages(now, language)),
                say("Of what only you see. The host of a table chooses that of its posts."),
            ),
        ),
        Prefer(0),
    )


def _choices(words: Mapping[E, tuple[str, str | None]], now: E, language: Language) -> tuple[Choice, ...]:
    say, seconds = language.say, {"late": round(LATE), "late_live": round(LATE_LIVE)}
    return tuple(
        [
            Choice(say(label), one.value, one is now, say(hint, **seconds) if hint else None)
            for one, (label, hint) in words.items()
        ]
    )


def _telling(wish: CallWish | None, language: Language) -> Pick:
    hint = language.say("In this server; when its host calls players, and never while you're at a table.")
    label = language.say("Tell me when a table needs players")
    return Pick(telling.TELL, label, tuple(telling.choices(wish, language)), hint)


def _invites(now: Preference, language: Language) -> Iterator[Choice]:
    say = language.say
    hint = say("By a mention in the channel, once a table. If you're never mentioned, nobody may.")
    yield Choice(say("Anyone in a server we share may invite me"), ANYONE, now.may_be_invited, hint)
    yield Choice(say("Nobody may invite me"), NOBODY_MAY, not now.may_be_invited)


def _languages(now: Preference, language: Language) -> Iterator[Choice]:
    yield Choice(language.say("The same as my Discord"), AS_IN_DISCORD, now.language is None)
    for one in LANGUAGES.values():
        yield Choice(one.name, one.code, now.language is one)


def chosen(preference: Preference, language: Language) -> str:
    """What holds from now on."""
    told = [language.say(CHOSEN[preference.calls, preference.forced])]
    if not preference.may_be_invited:
        told.append(language.say("Nobody may invite you to a table."))
    if preference.language:
        name = preference.language.name
        told.append(language.say("What only you see is in {language}.", language=name))
    return language.sentences(told)


# What is stored about them

#: What deleting it does.
DELETED = (
    N_("Your name and ID are removed from every table. If you have a seat, a computer takes it for good."),
    N_("Your results are removed from the leaderboards and `/hearts stats`."),
    N_("Your preferences, and any game file you uploaded, are deleted."),
    N_("House rules you saved no longer belong to anyone."),
    N_("If you've started today's daily deal, I remember that until midnight (UTC), and nothing else."),
)

#: The answer after that; each says only what was really deleted.
FORGOTTEN = {
    Forgotten.WHOLLY: N_(
        "Everything I stored about you is deleted. If you sit down at a table, I store your name again."
    ),
    Forgotten.BUT_FOR_TRACES: N_(
        "Everything I stored about you is deleted, and nobody can look it up any more. "
        "My file still has to be rewritten to remove the last traces, which happens by itself."
    ),
    Forgotten.IN_PART: N_(
        "Not everything is deleted yet, because something can't be saved right now. I'll keep trying, even "
        "after a restart, until it's done. Until then I store nothing new about you."
    ),
}

KEPT = N_("Nothing was deleted.")

EXPORTED = N_("This is everything I store about you.")


def privacy_page(language: Language) -> Whisper:
    """What people can do about what is stored about them."""
    say, say_as = language.say, language.say_as
    text = f"### {say('What I store about you')}\n{say('You can get all of it as a file, or delete it.')}"
    row = (
        Button(say_as("button", "Export"), ExportData(0), Style.MAIN),
        Button(say_as("button", "Delete"), AskToDelete(0), Style.RED),
    )
    return Whisper((text, row))


def question(language: Language) -> Whisper:
    """Asked before anything is deleted."""
    say = language.say
    heading = f"### {say('Delete everything I store about you?')}"
    stays = language.sentences(
        [
            say("Other players keep their games and results, and what I've written in channels stays there."),
            say("**This can't be undone.**"),
        ]
    )
    text = "\n".join([heading, *[f"- {say(line)}" for line in DELETED], "", stays])
    row = (
        Button(say("Delete it all"), DeleteData(0), Style.RED),
        Button(say("Keep it"), KeepData(0)),
    )
    return Whisper((text, row))
