"""What a player decides for every table: their preferences, and what is stored about them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from bot.messages import Button, Choice, Form, Pick, Style, Whisper, action
from bot.render.calls import LATE, LATE_LIVE
from engine.tables import Calls, Forced, Forgotten, Preference

E = TypeVar("E", bound=Enum)
#: The fields of the form.
CALLS, FORCED = "calls", "forced"
#: When a player can be mentioned: in words, and what else there is to say of it.
WHEN = {
    Calls.ALWAYS: ("At every turn", None),
    Calls.LATE: (
        "When I have not moved for a while",
        f"After {LATE:.0f} seconds; at a live table after {LATE_LIVE:.0f}.",
    ),
    Calls.NEVER: ("Never", None),
}
#: Which of their cards can play themselves.
WHICH = {
    Forced.KNOWN: ("The opening lead and a hand's last card", "Everybody knows that these are forced."),
    Forced.EVERY: (
        "Every card that I have no choice about",
        "Quicker, but it tells the others that you had no other card to play.",
    ),
}


def form(now: Preference) -> Form:
    """All that a player can choose, as it stands now."""
    moved = "In the table's channel; the mention goes when you have moved."
    return Form(
        "Your preferences",
        (
            Pick(CALLS, "Mention me when it is my turn", _choices(WHEN, now.calls), moved),
            Pick(FORCED, "What plays itself after a second", _choices(WHICH, now.forced)),
        ),
        action("prefer", 0),
    )


def _choices(words: Mapping[E, tuple[str, str | None]], now: E) -> tuple[Choice, ...]:
    return tuple([Choice(label, one.value, one is now, hint) for one, (label, hint) in words.items()])


def chosen(preference: Preference) -> str:
    """What holds from now on, in one sentence."""
    calls = {
        Calls.ALWAYS: "You are mentioned at every turn",
        Calls.LATE: "You are mentioned when you have not moved for a while",
        Calls.NEVER: "You are never mentioned",
    }
    forced = {
        Forced.KNOWN: "the opening lead and a hand's last card play themselves",
        Forced.EVERY: "every card that you have no choice about plays itself",
    }
    return f"{calls[preference.calls]}, and {forced[preference.forced]}."


# What is stored about them

QUESTION = """\
### Delete all that I store about you?
• Your name and id go from every table; where you sit, a computer takes your seat for good.
• Your results go from the leaderboards and `/stats`.
• Your preferences, and a game's file that you handed in, are forgotten.
• House rules that you saved belong to nobody.
• If you have begun today's daily deal, I can still tell until midnight (UTC) that you have, and nothing else.

Others keep their games and results, and what I have written in channels stays there. \
**There is no way back.**"""

#: What is said afterwards: it is true, whatever refused meanwhile.
FORGOTTEN = {
    Forgotten.WHOLLY: (
        "Everything I stored about you is deleted. If you sit down at a table, I store your name again."
    ),
    Forgotten.BUT_FOR_TRACES: (
        "Everything I stored about you is deleted, and nobody can look it up any more. "
        "My file still has to be rewritten to lose the last traces: that happens by itself."
    ),
    Forgotten.IN_PART: (
        "Not everything is deleted yet, because something can't be saved just now. I keep trying, also after "
        "a restart, and finish by myself. Until then I also delete whatever else I store about you."
    ),
}

KEPT = "Nothing was deleted."

EXPORTED = "This is all that I store about you."


def question() -> Whisper:
    """Asked before anything is deleted."""
    row = (
        Button("Delete it all", action("forget", 0), Style.RED),
        Button("Keep it", action("remember", 0)),
    )
    return Whisper((QUESTION, row))
