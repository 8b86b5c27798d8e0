"""What a deal of Chinese Hearts is made of: which cards counted for whom, and how many times."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.text import bold, change, chip, listing
from bot.render.tricks import trick_points
from engine.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, TEN_OF_CLUBS, Card, Suit
from engine.play.views import PublicDeal
from engine.rules.scoring import SUN, counts_with_ten
from engine.tables import PublicTable


def what_counted(table: PublicTable, deal: PublicDeal) -> Iterator[str]:
    """C8 and C9: a line for what was exposed, and one for each player who took something that counts."""
    if deal.exposures:
        yield f"Doubled, as exposed: {listing([_doubled(card) for _, card in deal.exposures])}."
    for seat in range(table.rules.players):
        words = _of_player(table, deal, seat)
        if words and deal.points and deal.points[seat] != SUN:
            yield f"{bold(table, seat)}: {words}"


def _doubled(card: Card) -> str:
    """The ten is the only club that counts, and it multiplies."""
    if card is TEN_OF_CLUBS or card.suit is None:
        return f"{chip(card)} itself"
    return f"{card.suit.title} ({chip(card)})"


def _of_player(table: PublicTable, deal: PublicDeal, seat: int) -> str:
    """`(hearts −60, Q♠ −100) × 2 for 10♣`; empty if nothing counted."""
    taken = deal.taken[seat]
    counted = ", ".join(_parts(table, deal, seat))
    if TEN_OF_CLUBS not in taken:
        return counted
    exposed = TEN_OF_CLUBS in [card for _, card in deal.exposures]
    if not any(map(counts_with_ten, taken)):
        return f"{chip(TEN_OF_CLUBS)} alone {change(100 if exposed else 50)}"
    return f"({counted or 'hearts 0'}) × {4 if exposed else 2} for {chip(TEN_OF_CLUBS)}"


def _parts(table: PublicTable, deal: PublicDeal, seat: int) -> Iterator[str]:
    taken = deal.taken[seat]
    hearts = trick_points(table, deal, tuple(card for card in taken if card.suit is Suit.HEARTS))
    if hearts:
        yield f"hearts {change(-hearts if seat == deal.shooter else hearts)}"
    for card in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS):
        if card in taken:
            yield f"{chip(card)} {change(trick_points(table, deal, (card,)))}"
