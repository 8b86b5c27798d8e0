"""Why to play a card because of a moon: one's own, or somebody else's."""

from __future__ import annotations

from bot.render.reasons.look import CERTAIN, HOPE, NONE, RISK, SOME, Look, named, often
from bot.render.text import bold

#: From which share of a moon's cards in one pile alone it is feared.
FEARED = 0.4


def shoot(look: Look) -> str | None:
    """A moon of one's own."""
    if look.best.moon < HOPE:
        return None
    shot = f"the moon is within reach; {often('you', 'shoot it', look.best.moon)}"
    other = look.others[0] if look.others else None
    if other is None or look.best.moon - other.moon < RISK or not round(10 * other.moon):
        return shot
    return f"{shot}, with {named(other)} in {round(10 * other.moon)}"


def stop_a_moon(look: Look) -> str | None:
    """A moon of somebody else's that this card stops."""
    shooter = _feared(look)
    if shooter is None or look.leads:
        return None
    needed = look.view.rules.counting.moon
    if not any(card in needed for card in (*look.view.deal.trick.cards, look.card)):
        return None
    name = bold(look.table, shooter)
    if look.best.takes >= CERTAIN:
        return f"all the points so far are {name}'s, and with this trick you stop the moon"
    if look.is_last and look.best.takes <= NONE and _winner(look) != shooter:
        return f"all the points so far are {name}'s, and one that goes elsewhere stops the moon"
    return None


def feed_no_moon(look: Look) -> str | None:
    """A moon of somebody else's which other cards would help."""
    shooter = _feared(look)
    if shooter is None or look.leads or _winner(look) != shooter or look.best.takes > NONE:
        return None
    needed = look.view.rules.counting.moon
    food = [one for one in look.others if one.cards[0] in needed and look.gain(one) >= SOME * look.point]
    if look.card in needed or not food:
        return None
    return f"all the points so far are {bold(look.table, shooter)}'s, so do not give away {named(food[0])}"


def _feared(look: Look) -> int | None:
    """Who alone has taken a moon's cards, and so many that all may come."""
    counting = look.view.rules.counting
    counts = [sum(card in counting.moon for card in pile) for pile in look.view.deal.taken]
    takers = [seat for seat, count in enumerate(counts) if count]
    if len(takers) != 1 or takers[0] == look.view.seat or look.view.kitty:
        return None
    return takers[0] if counts[takers[0]] >= FEARED * counting.needed else None


def _winner(look: Look) -> int | None:
    deal = look.view.deal
    return None if deal.winning is None else deal.trick.seat(deal.winning, look.view.rules.players)
