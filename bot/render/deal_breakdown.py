"""Each player's points in a deal, and why, where they are more than the sum of the cards."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.text import bold, chip, chips
from engine.cards import Card, Suit
from engine.languages import ENGLISH
from engine.play.public import PublicDeal
from engine.rules.counting import Account, Entry, Why
from engine.tables import PublicTable

HEARTS_TITLE = Suit.HEARTS.title
#: Why cards bring points that a multiplier multiplies.
OWN = (Why.VALUE, Why.TURNED, Why.MOON)


def what_counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: a line for what was exposed, and one for each player who took something that counts."""
    yield from doubled(table, deal)
    for seat, account in enumerate(deal.accounts or ()):
        words = _in_words(account)
        if words and account[0].why is not Why.SUN:
            yield f"{bold(table, seat)}: {words}"


def exposed_by(deal: PublicDeal) -> dict[int, list[Card]]:
    """What each player has exposed, who did so first before the others."""
    found: dict[int, list[Card]] = {}
    for seat, card in deal.exposures:
        found.setdefault(seat, []).append(card)
    return found


def doubled(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: what counts more because it was exposed."""
    if deal.exposures:
        yield f"Doubled because exposed: {ENGLISH.listing([_doubled(table, card) for card in deal.exposed])}."


def _doubled(table: PublicTable, card: Card) -> str:
    """`hearts (A♥)`; a card by itself where none of its suit has a value."""
    counting, shown = table.rules.counting, chip(card)
    if counting.multiplier and card is counting.multiplier.card:
        shown += f" {_multiplying(table, counting.multiplies((card,), (card,)))}"
    counts = any(other.suit is card.suit for other in counting.values)
    return f"{card.suit.title} ({shown})" if card.suit and counts else shown


def multiplier(table: PublicTable, entry: Entry) -> str:
    """C9: what of a trick brings no points in itself: `10♣ (× 2, alone +50)`."""
    return f"{chips(entry.cards)} {_multiplying(table, entry.times)}"


def _multiplying(table: PublicTable, times: int) -> str:
    """C9: what a card is worth that brings no points in itself: `(× 2, alone +50)`."""
    multiplier = table.rules.counting.multiplier
    assert multiplier is not None
    return f"(× {times}, alone {ENGLISH.change(multiplier.alone * times // multiplier.times)})"


def _in_words(account: Account) -> str:
    """`(hearts −60, Q♠ −100) × 2 for 10♣`; empty if nothing counted."""
    own = [entry for entry in account if entry.why in OWN]
    own.sort(key=lambda entry: _cards(entry) != HEARTS_TITLE)
    words = [f"{_cards(entry)} {ENGLISH.change(entry.points)}" for entry in own]
    for entry in account:
        if entry.why is Why.ALONE:
            words.append(f"{chips(entry.cards)} alone {ENGLISH.change(entry.points)}")
        if entry.why is Why.MULTIPLIER:
            return f"({', '.join(words) or f'{HEARTS_TITLE} 0'}) × {entry.times} for {chips(entry.cards)}"
    return ", ".join(words)


def _cards(entry: Entry) -> str:
    if entry.why is Why.MOON:
        return "the moon"
    return HEARTS_TITLE if entry.cards[0].suit is Suit.HEARTS else chips(entry.cards)
