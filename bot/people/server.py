"""What the managers of a server decide for everyone in it: the form, and what holds then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Choice, Form, Pick
from engine.languages import LANGUAGES, N_, Language
from engine.storage.servers import ServerSettings

#: The fields of the form.
PLACE, CALLS, TOURNAMENTS, LANGUAGE = "place", "calls", "tournaments", "language"
#: Stands for the language that Discord has for the server.
AS_IN_DISCORD = "discord"
#: The choices of a field by their values: what each means, its label and its explanation.
Rows = Mapping[str, tuple[bool, str, str | None]]
#: Whether tables open in threads.
PLACES: Rows = {
    "channel": (False, N_("In the channel"), None),
    "thread": (True, N_("In a thread of their own"), N_("I need the permission Create Public Threads.")),
}
#: What holds from now on.
CHOSEN = {False: N_("New tables open in the channel."), True: N_("New tables open in a thread of their own.")}

#: Whether hosts may call players, and what holds then.
CALLING: Rows = {
    "on": (True, N_("Yes: people who asked are told, within their limits"), None),
    "off": (False, N_("No"), None),
}
MAY_CALL = {True: N_("Hosts may call players."), False: N_("Hosts may not call players.")}

#: Whether anyone may open tournaments, and what holds then.
HOSTING: Rows = {
    "managers": (False, N_("Those who may manage events"), None),
    "anyone": (True, N_("Anyone"), None),
}
MAY_HOST = {
    True: N_("Anyone may open a tournament."),
    False: N_("Those who may manage events may open a tournament."),
}


class ChangeSettings(Action, verb="settings", who=Who.MANAGER, where=Where.SERVER):
    """Store the settings of the server that the form says."""


def form(now: ServerSettings, chosen: Language | None, language: Language) -> Form:
    """The form with the server's settings and its chosen language filled in."""
    say = language.say
    hint = say("The option “thread” of /hearts new can say otherwise.")
    return Form(
        say("This server's settings"),
        (
            Pick(PLACE, say("New tables open"), _choices(PLACES, now.in_threads, language), hint),
            Pick(
                CALLS,
                say("May hosts call players to a table?"),
                _choices(CALLING, now.allows_calls, language),
            ),
            Pick(
                TOURNAMENTS,
                say("Who may open a tournament?"),
                _choices(HOSTING, now.open_tournaments, language),
            ),
            Pick(
                LANGUAGE,
                say("Language of my posts"),
                tuple(_languages(chosen, language)),
                say("What only you see is in yours."),
            ),
        ),
        ChangeSettings(0),
    )


def _choices(rows: Rows, now: bool, language: Language) -> tuple[Choice, ...]:
    """The choices of a field, with what holds now filled in."""
    return tuple(
        [
            Choice(language.say(label), value, means is now, language.say(hint) if hint else None)
            for value, (means, label, hint) in rows.items()
        ]
    )


def _languages(chosen: Language | None, language: Language) -> Iterator[Choice]:
    yield Choice(language.say("The same as the server's in Discord"), AS_IN_DISCORD, chosen is None)
    for one in LANGUAGES.values():
        yield Choice(one.name, one.code, chosen is one)


def changed(settings: ServerSettings, posts: Language, language: Language) -> str:
    """What holds from now on; `posts` is the language of the bot's posts."""
    told = [
        language.say(CHOSEN[settings.in_threads]),
        language.say(MAY_CALL[settings.allows_calls]),
        language.say(MAY_HOST[settings.open_tournaments]),
        language.say("I post here in {language}. Open tables keep theirs.", language=posts.name),
    ]
    return language.sentences(told)
