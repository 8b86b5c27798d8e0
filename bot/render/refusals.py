"""What somebody may not do, told so that they can do what they may."""

from __future__ import annotations

from bot.messages import Whisper
from bot.render.text import harmless
from engine.errors import Refusal
from engine.rules.editing import TITLES


def refused(refusal: Refusal) -> Whisper:
    """The refusal as people read it: an option goes by the words that the lobby's Rules has for it."""
    option = refusal.params.get("option")
    if option in TITLES:
        refusal = Refusal(refusal.id, **refusal.params | {"option": f"“{TITLES[option]}”"})
    return Whisper((harmless(str(refusal)),))
