"""What a player prefers: the form to choose it in, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from bot.messages import Choice, Form, Pick, action
from bot.render.calls import LATE, LATE_LIVE
from engine.tables import Calls, Forced, Preference

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
