"""/privacy: the question before all about a person is deleted, and what is said after."""

from __future__ import annotations

from bot.messages import Button, Style, Whisper, action

QUESTION = """\
### Delete all that I store about you?
• Your name and id go from every table; where you sit, a computer takes your seat for good.
• Your results go from the leaderboards and `/stats`.
• Your preferences, and a game's file that you handed in, are forgotten.
• House rules that you saved belong to nobody.

Others keep their games and results, and what I have written in channels stays there. \
**There is no way back.**"""

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
