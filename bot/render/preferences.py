"""What a player prefers: the form to choose it in, and what is answered."""

from __future__ import annotations

from bot.messages import Choice, Form, Pick, action
from engine.tables import Calls, Forced, Preference

#: The fields of the form.
CALLS, FORCED = "calls", "forced"


def form(now: Preference) -> Form:
    """All that a player can choose, as it stands now."""
    calls = {
        Calls.ALWAYS: ("At every turn", None),
        Calls.LATE: ("When I have not moved for a while", "After 20 seconds; at a live table after 10."),
        Calls.NEVER: ("Never", None),
    }
    forced = {
        Forced.KNOWN: ("The opening lead and a hand's last card", "Everybody knows that these are forced."),
        Forced.EVERY: (
            "Every card that I have no choice about",
            "Quicker, but it tells the others that you had no other card to play.",
        ),
    }
    return Form(
        "Your preferences",
        (
            Pick(
                CALLS,
                "Mention me when it is my turn",
                tuple(
                    Choice(label, one.value, one is now.calls, hint) for one, (label, hint) in calls.items()
                ),
                "In the table's channel; the mention goes when you have moved.",
            ),
            Pick(
                FORCED,
                "What plays itself after a second",
                tuple(
                    Choice(label, one.value, one is now.forced, hint) for one, (label, hint) in forced.items()
                ),
            ),
        ),
        action("prefer", 0),
    )


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
