"""The settings of a server: the form for its managers, and the confirmation."""

from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Form
from bot.words.forms import Field, language_field
from engine.languages import N_, Language
from engine.storage.servers import ServerSettings

PLACE = Field(
    "place",
    N_("New tables open"),
    {
        "channel": (False, N_("In the channel"), None),
        "thread": (
            True,
            N_("In a thread of their own"),
            N_("I need the permission Create Public Threads."),
        ),
    },
    N_("The option “thread” of /hearts new overrides this."),
)
CALLS = Field(
    "calls",
    N_("May hosts call players to a table?"),
    {
        "on": (True, N_("Yes: only people who asked for it are told"), None),
        "off": (False, N_("No"), None),
    },
)
TOURNAMENTS = Field(
    "tournaments",
    N_("Who may open a tournament?"),
    {
        "managers": (False, N_("Those who may manage events"), None),
        "anyone": (True, N_("Anyone"), None),
    },
)
LANGUAGE = language_field(
    "language",
    N_("Language of my posts"),
    N_("The same as the server's in Discord"),
    N_("What only you see is in yours."),
)
#: Sentences for the confirmation.
IN_THREADS = {
    False: N_("New tables open in the channel."),
    True: N_("New tables open in a thread of their own."),
}
MAY_CALL = {True: N_("Hosts may call players."), False: N_("Hosts may not call players.")}
MAY_HOST = {
    True: N_("Anyone may open a tournament."),
    False: N_("Those who may manage events may open a tournament."),
}


class ChangeSettings(Action, verb="settings", who=Who.MANAGER, where=Where.SERVER):
    """Store the server's settings in this form."""


def form(now: ServerSettings, chosen: Language | None, language: Language) -> Form:
    """The form with the server's settings and its chosen language filled in."""
    fields = (
        PLACE.pick(now.in_threads, language),
        CALLS.pick(now.allows_calls, language),
        TOURNAMENTS.pick(now.open_tournaments, language),
        LANGUAGE.pick(chosen, language),
    )
    return Form(language.say("This server's settings"), fields, ChangeSettings(0))


def changed(settings: ServerSettings, posts: Language, language: Language) -> str:
    """Confirm the new settings; `posts` is the language of the bot's posts."""
    sentences = [
        language.say(IN_THREADS[settings.in_threads]),
        language.say(MAY_CALL[settings.allows_calls]),
        language.say(MAY_HOST[settings.open_tournaments]),
        language.say("I post here in {language}. Open tables keep theirs.", language=posts.name),
    ]
    return language.sentences(sentences)
