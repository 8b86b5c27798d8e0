"""Why to lead a card."""

from __future__ import annotations

from bot.render.reasons.look import HARDLY, HIGH, HIGH_WHILE_CHEAP, Look, often
from bot.render.text import chip


def draw_out(look: Look) -> str | None:
    """A small card of a suit in which a card that hurts is out."""
    suit = look.card.suit
    if not look.leads or suit is None:
        return None
    for dear in look.dear_and_out(suit):
        if all(own.rank < dear.rank for own in look.of_suit(suit)):
            return f"leading {suit.title} may draw out {chip(dear)}, and you hold none that would catch it"
    return None


def lead_low(look: Look) -> str | None:
    """Somebody will play higher."""
    if not look.leads or look.best.takes > 0.4:
        return None
    return f"somebody mostly plays higher; {often('you', 'take the trick', look.best.takes)}"


def lead_high(look: Look) -> str | None:
    """A high lead that costs little now."""
    if not look.leads or look.best.takes <= 0.4 or look.card.rank < HIGH:
        return None
    if abs(look.best.costs) > HARDLY * look.point:
        return None
    return HIGH_WHILE_CHEAP
