"""What a player decides for every table: their preferences, and what is stored about them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from bot.controls import DeleteData, KeepData, Prefer
from bot.messages import Button, Choice, Form, Pick, Style, Whisper
from bot.render.calls import LATE, LATE_LIVE
from engine.tables import Calls, Forced, Forgotten, Preference

E = TypeVar("E", bound=Enum)
#: The fields of the form.
CALLS, FORCED = "calls", "forced"
#: When a player can be mentioned: its label and, where needed, an explanation.
WHEN = {
    Calls.ALWAYS: ("At every turn", None),
    Calls.LATE: (
        "When I haven't moved for a while",
        f"After {LATE:.0f} seconds; at a live table after {LATE_LIVE:.0f}.",
    ),
    Calls.NEVER: ("Never", None),
}
#: Which of their cards can play themselves.
WHICH = {
    Forced.KNOWN: ("The opening lead and a hand's last card", "Everyone knows these are forced."),
    Forced.EVERY: (
        "Every card I have no choice about",
        "Quicker, but it tells the others that you had no other card to play.",
    ),
}


def form(now: Preference) -> Form:
    """The form with a player's preferences filled in."""
    moved = "In the table's channel; the mention disappears once you've moved."
    return Form(
        "Your preferences",
        (
            Pick(CALLS, "Mention me when it is my turn", _choices(WHEN, now.calls), moved),
            Pick(FORCED, "What plays itself after a second", _choices(WHICH, now.forced)),
        ),
        Prefer(0),
    )


def _choices(words: Mapping[E, tuple[str, str | None]], now: E) -> tuple[Choice, ...]:
    return tuple([Choice(label, one.value, one is now, hint) for one, (label, hint) in words.items()])


def chosen(preference: Preference) -> str:
    """What holds from now on, in one sentence."""
    calls = {
        Calls.ALWAYS: "You are mentioned at every turn",
        Calls.LATE: "You are mentioned when you haven't moved for a while",
        Calls.NEVER: "You are never mentioned",
    }
    forced = {
        Forced.KNOWN: "the opening lead and a hand's last card play themselves",
        Forced.EVERY: "every card you have no choice about plays itself",
    }
    return f"{calls[preference.calls]}, and {forced[preference.forced]}."


# What is stored about them

QUESTION = """\
### Delete everything I store about you?
- Your name and ID are removed from every table. If you have a seat, a computer takes it for good.
- Your results are removed from the leaderboards and `/stats`.
- Your preferences, and any game file you uploaded, are deleted.
- House rules you saved no longer belong to anyone.
- If you've started today's daily deal, I remember that until midnight (UTC), and nothing else.

Other players keep their games and results, and what I've written in channels stays there. \
**This can't be undone.**"""

#: The answer after that; each says only what was really deleted.
FORGOTTEN = {
    Forgotten.WHOLLY: (
        "Everything I stored about you is deleted. If you sit down at a table, I store your name again."
    ),
    Forgotten.BUT_FOR_TRACES: (
        "Everything I stored about you is deleted, and nobody can look it up any more. "
        "My file still has to be rewritten to remove the last traces, which happens by itself."
    ),
    Forgotten.IN_PART: (
        "Not everything is deleted yet, because something can't be saved right now. I'll keep trying, even "
        "after a restart, until it's done. Until then I also delete anything new I store about you."
    ),
}

KEPT = "Nothing was deleted."

EXPORTED = "This is everything I store about you."


def question() -> Whisper:
    """Asked before anything is deleted."""
    row = (
        Button("Delete it all", DeleteData(0), Style.RED),
        Button("Keep it", KeepData(0)),
    )
    return Whisper((QUESTION, row))
