"""What somebody may not do, told so that they can do what they may."""

from __future__ import annotations

from bot.messages import Button, Style, Whisper, action
from bot.render.text import harmless
from engine.errors import Refusal
from engine.rules.editing import TITLES


def refused(refusal: Refusal) -> Whisper:
    """The refusal as people read it: an option goes by the words that the lobby's Rules has for it."""
    option = refusal.params.get("option")
    if option in TITLES:
        refusal = Refusal(refusal.id, **refusal.params | {"option": f"“{TITLES[option]}”"})
    text = harmless(str(refusal))
    if refusal.id == "away" and "table" in refusal.params:
        return Whisper((text, (come_back(refusal.params["table"]),)))
    return Whisper((text,))


def come_back(table: int, *deal: int) -> Button:
    """The button with which a player takes their seat at this table back from the computer.

    With a `deal`, it stands below their hand in it, which then shows their cards again.
    """
    return Button("I'm back", action("back", table, *deal), Style.GOOD)
