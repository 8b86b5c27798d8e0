"""What a deal came to for each player, and why, where it is more than the sum of the cards."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.text import bold, chip, chips
from engine.cards import Card, Suit
from engine.play.public import PublicDeal
from engine.rules.counting import Account, Entry, Why
from engine.rules.words import change, listing
from engine.tables import PublicTable


def what_counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: a line for what was exposed, and one for each player who took something that counts."""
    if deal.exposures:
        yield f"Doubled, as exposed: {listing([_doubled(table, card) for card in deal.exposed])}."
    for seat, account in enumerate(deal.accounts or ()):
        words = _in_words(account)
        if words and account[0].why is not Why.SUN:
            yield f"{bold(table, seat)}: {words}"


def _doubled(table: PublicTable, card: Card) -> str:
    """A multiplier is the only card of its suit that counts."""
    multiplier = table.rules.counting.multiplier
    if card.suit is None or (multiplier and card is multiplier.card):
        return f"{chip(card)} itself"
    return f"{card.suit.title} ({chip(card)})"


def _in_words(account: Account) -> str:
    """`(hearts −60, Q♠ −100) × 2 for 10♣`; empty if nothing counted."""
    entries = sorted(account, key=lambda entry: entry.cards[0].suit is not Suit.HEARTS)
    counted = ", ".join(f"{_cards(entry)} {change(entry.points)}" for entry in entries if _is_own(entry))
    for entry in account:
        if entry.why is Why.ALONE:
            return f"{chips(entry.cards)} alone {change(entry.points)}"
        if entry.why is Why.MULTIPLIER:
            return f"({counted or 'hearts 0'}) × {entry.times} for {chips(entry.cards)}"
    return counted


def _is_own(entry: Entry) -> bool:
    """Whether these cards count by themselves."""
    return entry.why in (Why.VALUE, Why.MOON)


def _cards(entry: Entry) -> str:
    return "hearts" if entry.cards[0].suit is Suit.HEARTS else chips(entry.cards)
