"""Why to pass these cards, and why to expose a card or none."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.reasons.look import HIGH, HOPE, Look, caught, hope, often, some
from bot.render.text import chip, chips
from engine.cards import Card, Suit, without
from engine.languages import ENGLISH

#: The most clauses in a sentence that is still short.
CLAUSES = 2
#: So many small cards beside one that everybody avoids are too few for anybody.
FEW = 3


def shoot(look: Look) -> str | None:
    """A moon with the rest."""
    if look.best.moon < HOPE:
        return None
    return f"the cards you keep win tricks; {hope(look.best)}"


def for_safety(look: Look) -> str | None:
    """What is dangerous, and what becomes possible without it."""
    clauses = [*_dear(look), *_catchers(look), *_voids(look), *_high(look)][:CLAUSES]
    return ", and ".join(clauses) or None


def _dear(look: Look) -> Iterator[str]:
    """Cards that everybody avoids: given away, or kept as they are guarded."""
    for card in dict.fromkeys(look.view.hand):
        if not look.is_dear(card) or card.suit is None:
            continue
        kept = without(look.view.hand, look.best.cards)
        guards = sum(one.suit is card.suit and one.rank < card.rank for one in kept)
        if card not in kept:
            yield _unguarded(card, card.suit, guards)
        elif caught(look.best, card) <= 0.5:
            safe = f"{chip(card)} is safe behind {_several(guards, card.suit)}"
            yield f"{safe}; {often('you', 'take it', caught(look.best, card))}"


def _unguarded(card: Card, suit: Suit, guards: int) -> str:
    if not guards:
        return f"nothing would guard {chip(card)}"
    small = _several(guards, suit)
    if guards <= FEW:
        return f"only {small} would guard {chip(card)}"
    return f"{small} don't guard {chip(card)} well enough"


def _several(count: int, suit: Suit) -> str:
    return (
        some(suit).replace("a ", "one lower ")
        if count == 1
        else f"{ENGLISH.spelled(count)} lower {suit.title}"
    )


def _catchers(look: Look) -> Iterator[str]:
    """Cards that would catch one that everybody avoids."""
    for suit in Suit:
        dear = min(look.dear_and_out(suit), key=lambda card: card.rank, default=None)
        above = [card for card in look.best.cards if dear and card.suit is suit and card.rank > dear.rank]
        if dear and above:
            yield f"{ENGLISH.listing([chip(card) for card in above])} could catch {chip(dear)}"


def _voids(look: Look) -> Iterator[str]:
    kept = {card.suit for card in without(look.view.hand, look.best.cards)}
    gone = [suit for suit in Suit if any(card.suit is suit for card in look.best.cards) and suit not in kept]
    if gone:
        suits = " or ".join(suit.title for suit in gone)
        yield f"without {suits} you can throw away what hurts when they are led"


def _high(look: Look) -> Iterator[str]:
    rest = [card for card in look.best.cards if card.suit is not None and not look.is_dear(card)]
    if look.wants_tricks or not rest:
        return
    if all(card.rank >= HIGH for card in rest):
        verb = "wins" if len(rest) == 1 else "win"
        yield f"{chips(rest)} {verb} tricks you don't want"


def for_tricks(look: Look) -> str | None:
    """Where points are good, low cards are the ones to pass."""
    if not look.wants_tricks or any(card.rank >= HIGH for card in look.best.cards):
        return None
    return "points are good in this game, and low cards win none"


def compare(look: Look) -> str:
    """What the deal comes to."""
    return look.compared(max(look.others, key=look.gain)) if look.others else "there is no other pass"


PASSING = (shoot, for_tricks, for_safety, compare)


def compare_exposing(look: Look) -> str:
    """What the deal comes to with the card exposed, and with it hidden."""
    if not look.others:
        return "there is nothing else to do"
    # What goes without saying is the way to set it against: to expose nothing, or the best card instead.
    other = next((one for one in look.others if not one.cards), look.others[0])
    return look.compared(other, " exposed")


EXPOSING = (compare_exposing,)
