"""Why to expose a card, or none."""

from __future__ import annotations

from bot.render.reasons.look import Look


def compare(look: Look) -> str:
    """What the deal comes to with the card exposed, and with it hidden."""
    if not look.others:
        return "there is nothing else to do"
    # What goes without saying is the way to set it against: to expose nothing, or the best card instead.
    other = next((one for one in look.others if not one.cards), look.others[0])
    return look.compared(other, " exposed")


EXPOSING = (compare,)
