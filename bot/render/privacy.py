"""/privacy: the question before all about a person is deleted, and what is said after."""

from __future__ import annotations

from bot.messages import Button, Style, Whisper, action

QUESTION = """\
### Delete all that I store about you?
Your name and id go from every table, your results go from the leaderboards and `/stats`, house rules \
that you saved belong to nobody; your preferences, and a game's file that you handed in, are forgotten. \
Where you sit at a table, you get up for good: a computer takes your seat.
Other players keep their games and results. What I have written in channels stays there. \
There is no way back."""

DELETED = "All that I stored about you is deleted. Sitting down at a table stores your name again."
KEPT = "Nothing was deleted."
EXPORTED = "This is all that I store about you."


def question() -> Whisper:
    """Asked before anything is deleted."""
    row = (
        Button("Delete it all", action("forget", 0), Style.RED),
        Button("Keep it", action("remember", 0)),
    )
    return Whisper((QUESTION, row))
