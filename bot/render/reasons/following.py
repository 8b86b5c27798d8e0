"""Why to play a card to a trick that somebody else has led."""

from __future__ import annotations

from bot.render.reasons.look import CERTAIN, HARDLY, HIGH, HIGH_WHILE_CHEAP, NONE, Look
from bot.render.text import chip
from engine.cards import Card


def throw_away(look: Look) -> str | None:
    """A card that hurts goes to somebody else, as the suit led is not held."""
    if look.leads or look.card.suit in (None, look.led) or look.best.takes > NONE or look.led is None:
        return None
    lacks, card, left = f"you have no {look.led.title}", chip(look.card), look.of_suit(look.card.suit)
    if look.is_dear(look.card):
        return f"{lacks}, so somebody else takes {card}"
    if dear := _below(look, look.card):
        return f"{lacks}, which is a chance to be rid of {card} before it catches {chip(dear)}"
    if look.harm(look.card) > 0:
        return f"{lacks}, so somebody else takes {card} and what it counts"
    if len(left) == 1:
        return f"{lacks}, and {card} is your last of its suit, so that you can throw away in that one too"
    if look.card.rank >= HIGH:
        return f"{lacks}, which is a chance to be rid of a high card before it wins a trick"
    return None


def _below(look: Look, card: Card) -> Card | None:
    """A card that everybody avoids, is out, and would be caught by this one."""
    return next((one for one in look.dear_and_out(card.suit) if one.rank < card.rank), None)


def duck(look: Look) -> str | None:
    """Somebody else takes the trick."""
    if look.leads or look.card.suit is not look.led or look.winning is None or look.best.takes > NONE:
        return None
    if look.card.rank >= look.winning.rank or look.cost(look.best) > 0:
        return None
    card, winner = chip(look.card), chip(look.winning)
    if look.is_dear(look.card):
        return f"{winner} lies there already, so {card} is not yours to take"
    lower = [one for one in look.view.legal if one.suit is look.led and one.rank < look.card.rank]
    higher = [one for one in look.view.legal if look.card.rank < one.rank < look.winning.rank]
    if lower and not any(one.suit is look.led for one in higher):
        return f"below {winner} it is your highest, so the trick is not yours, and you keep a small one"
    return f"below {winner} it leaves the trick to somebody else"


def cannot_help(look: Look) -> str | None:
    """The trick is this player's whatever they play."""
    if look.leads or any(option.takes < CERTAIN for option in (look.best, *look.others)):
        return None
    if not _is_highest(look):
        return None
    return "you take this trick whatever you play, so use your highest, and keep the small ones for later"


def take_while_it_is_cheap(look: Look) -> str | None:
    """A trick that costs nothing takes a high card along."""
    if look.leads or look.best.takes < 0.2 or abs(look.best.costs) > HARDLY * look.point:
        return None
    if not _is_highest(look):
        return None
    if look.is_last and look.best.takes >= CERTAIN:
        return "you are the last to play, and nothing counts in this trick, so use a high card"
    return HIGH_WHILE_CHEAP


def _is_highest(look: Look) -> bool:
    """Whether the card is the highest of several that may be played of its suit."""
    suit = [one for one in look.view.legal if one.suit is look.card.suit]
    return look.card.rank == max(one.rank for one in suit) > min(one.rank for one in suit)
