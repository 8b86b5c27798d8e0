"""The pages of `/preferences` and `/privacy`: what a person has chosen, and the data stored about them."""

from enum import Enum
from itertools import permutations

from bot.invitations import telling
from bot.table.calls import LATE, LATE_LIVE
from bot.vocabulary.controls import EXPORTS, PAGES, Action, Where, Who
from bot.vocabulary.messages import Button, Form, Style, Whisper
from bot.words.forms import Field, Said, as_it_is, enum_field, language_field
from bot.words.text import chips
from engine.cards import Letters, Suit, card
from engine.languages import LANGUAGES, N_, Language
from engine.storage.call_wishes import CallWish
from engine.tables import Calls, Forced, Forgotten, Preference


def _after_a_while(language: Language) -> str:
    return language.say(
        "After {late} seconds; at a live table after {late_live}.",
        late=round(LATE),
        late_live=round(LATE_LIVE),
    )


def _in_order(suits: tuple[Suit, ...]) -> tuple[str, tuple[tuple[Suit, ...], Said, None]]:
    signs = " ".join([suit.sign for suit in suits])
    return "".join([suit.value for suit in suits]), (suits, as_it_is(signs), None)


CALLS = enum_field(
    "calls",
    N_("Mention me when it is my turn"),
    {
        Calls.ALWAYS: N_("At every turn"),
        Calls.LATE: (N_("When I haven't moved for a while"), _after_a_while),
        Calls.NEVER: N_("Never"),
    },
    N_("In the table's channel; the mention disappears once you've moved."),
)
FORCED = enum_field(
    "forced",
    N_("What plays itself after a second"),
    {
        Forced.KNOWN: (
            N_("The opening lead and a hand's last card"),
            N_("Everyone knows these are forced."),
        ),
        Forced.EVERY: (
            N_("Every card I have no choice about"),
            N_("Quicker, but it tells the others that you had no other card to play."),
        ),
    },
)
TAPS_TWICE = Field(
    "taps",
    N_("How you play a card"),
    {
        "once": (False, N_("Tap a card to play it"), None),
        "twice": (
            True,
            N_("Tap a card twice to play it"),
            N_("The first tap raises the card and asks."),
        ),
    },
)
TWO_COLOURS = Field(
    "colours",
    N_("Colours"),
    {
        "four": (False, N_("Four: ♣ green, ♦ blue, ♠ black, ♥ red"), None),
        "two": (True, N_("Two: ♣ and ♠ black, ♦ and ♥ red"), None),
    },
)
#: A language in which these letters are used, which names them in the list.
SPOKEN = {Letters.ENGLISH: "en", Letters.GERMAN: "de", Letters.FRENCH: "fr"}
LETTERS = Field(
    "letters",
    N_("Letters on jacks, queens and kings"),
    {
        one.value: (one, as_it_is(" ".join(one.value)), as_it_is(LANGUAGES[code].name))
        for one, code in SPOKEN.items()
    },
)
SUITS: Field[tuple[Suit, ...]] = Field(
    "suits", N_("Order of the suits"), dict(map(_in_order, permutations(Suit)))
)
INVITES = Field(
    "invites",
    N_("Invitations to a table"),
    {
        "anyone": (
            True,
            N_("Anyone in a server we share may invite me"),
            N_(
                "One mention per table, in its channel. If you chose “Never” under **Turns**, nobody can "
                "invite you."
            ),
        ),
        "nobody": (False, N_("Nobody may invite me"), None),
    },
)
LANGUAGE = language_field(
    "language",
    N_("Language"),
    N_("The same as my Discord"),
    N_("For what only you see. A table's host chooses the language of its posts."),
)


class Topic(Enum):
    """A form of the preferences."""

    TURNS = "turns"
    CARDS = "cards"
    INVITATIONS = "invitations"
    LANGUAGE = "language"


class OpenPreferences(Action, verb="topic", who=Who.ANYONE, where=Where.ANYWHERE, private=True):
    """Open a form of the preferences."""

    topic: Topic


class Prefer(Action, verb="prefer", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Store the preferences in this form."""

    topic: Topic


class ExportData(
    Action, verb="export", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=EXPORTS, own_data=True
):
    """Send everything stored about the person as a file."""


class AskToDelete(Action, verb="delete", who=Who.ANYONE, where=Where.ANYWHERE, private=True, own_data=True):
    """Ask whether to delete everything stored about the person."""


class DeleteData(
    Action, verb="forget", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=EXPORTS, own_data=True
):
    """Delete everything stored about the person."""


class KeepData(Action, verb="remember", who=Who.ANYONE, where=Where.ANYWHERE, private=True, own_data=True):
    """Keep the data stored about the person."""


#: The buttons that open the forms.
TOPICS = {
    Topic.TURNS: N_("Turns"),
    Topic.CARDS: N_("Cards"),
    Topic.INVITATIONS: N_("Invitations"),
    Topic.LANGUAGE: N_("Language"),
}

#: A sentence about mentions and forced cards, by the two preferences.
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


def page(now: Preference, language: Language, wish: CallWish | None = None) -> Whisper:
    """A person's preferences, with a button for each form that changes them."""
    lines = [f"### {language.say('Your preferences')}", chosen(now, language)]
    row = tuple([Button(language.say(label), OpenPreferences(0, topic)) for topic, label in TOPICS.items()])
    wish_parts = telling.chosen(wish, now.zone, language).parts if wish else ()
    return Whisper(("\n".join(lines), row, *wish_parts), faces=now.faces)


def form(
    topic: Topic,
    now: Preference,
    language: Language,
    wish: CallWish | None = None,
    *,
    in_server: bool = True,
) -> Form:
    """One of the forms, filled in; `wish`, to be told of tables, is only asked about in servers."""
    match topic:
        case Topic.TURNS:
            fields = [
                CALLS.pick(now.calls, language),
                FORCED.pick(now.forced, language),
                TAPS_TWICE.pick(now.taps_twice, language),
            ]
        case Topic.CARDS:
            fields = [
                TWO_COLOURS.pick(now.faces.two_colours, language),
                LETTERS.pick(now.faces.letters, language),
                SUITS.pick(now.suits, language),
            ]
        case Topic.INVITATIONS:
            fields = [INVITES.pick(now.may_be_invited, language)]
            if in_server:
                fields.append(telling.choice_field(wish, language))
        case Topic.LANGUAGE:
            fields = [LANGUAGE.pick(now.language, language)]
    return Form(language.say("Your preferences"), tuple(fields), Prefer(0, topic))


def chosen(preference: Preference, language: Language) -> str:
    """The preferences in words, a line each."""
    sentences = [language.say(CHOSEN[preference.calls, preference.forced])]
    if preference.taps_twice:
        sentences.append(language.say("You tap a card twice to play it."))
    courts = [card(rank + suit.value) for rank, suit in zip("JQKA", preference.suits, strict=True)]
    sentences.append(language.say("Your cards look like this: {cards}", cards=chips(courts)))
    if not preference.may_be_invited:
        sentences.append(language.say("Nobody may invite you to a table."))
    if preference.language:
        name = preference.language.name
        sentences.append(language.say("What only you see is in {language}.", language=name))
    return "\n".join([f"- {line}" for line in sentences])


# Stored data

#: What deleting the data does.
DELETED = (
    N_("Your name and ID are removed from every table. If you have a seat, a computer takes it for good."),
    N_("Your results are removed from the leaderboards and `/hearts stats`."),
    N_("Your preferences, and any game file you uploaded, are deleted."),
    N_("House rules you saved no longer belong to anyone."),
    N_("If you've started today's daily deal, I remember that until midnight (UTC), and nothing else."),
)

#: The answers to a deletion, which say only what was really deleted.
FORGOTTEN = {
    Forgotten.WHOLLY: N_(
        "Everything I stored about you is deleted. If you sit down at a table, I store your name again."
    ),
    Forgotten.REWRITE_PENDING: N_(
        "Everything I stored about you is deleted, and nobody can look it up any more. "
        "My file still has to be rewritten to remove the last traces, which happens by itself."
    ),
    Forgotten.IN_PART: N_(
        "Not everything is deleted yet, because something can't be saved right now. I'll keep trying, even "
        "after a restart, until it's done. Until then I store nothing new about you."
    ),
}

NOTHING_DELETED = N_("Nothing was deleted.")

EXPORTED = N_("This is everything I store about you.")


def privacy_page(language: Language) -> Whisper:
    """The page to export or delete the stored data."""
    say, say_as = language.say, language.say_as
    heading = say("What I store about you")
    stored = say(
        "Your Discord ID, the name you had at tables, how you played, and what you chose in "
        "`/hearts preferences`. You can get all of it as a file, or delete it."
    )
    row = (
        Button(say_as("button", "Export"), ExportData(0), Style.MAIN),
        Button(say_as("button", "Delete"), AskToDelete(0), Style.RED),
    )
    return Whisper((f"### {heading}\n{stored}", row))


def question(language: Language) -> Whisper:
    """The question before everything is deleted."""
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
