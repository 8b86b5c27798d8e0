"""/privacy: the question before all about a person is deleted, and what is said after."""

from __future__ import annotations

from bot.messages import Button, Style, Whisper, action
from engine.tables import Forgotten

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
