"""Which cards to lay open before the first trick: those that double more gain than harm (C2, C8)."""

from __future__ import annotations

from engine.cards import Card
from engine.play.moves import Declined, Exposed
from engine.play.views import SeatView
from engine.players.prospects import Prospects

#: The least gain, as a share of what a suit is worth, for which a card is exposed.
LEAST_GAIN = 0.15


def exposing_move(view: SeatView, prospects: Prospects) -> Exposed | Declined:
    """Expose the card that gains most by it, if one gains enough."""
    gains = {card: _gain(view, prospects, card) for card in view.exposable}
    best = max(gains, key=lambda card: gains[card])
    return Exposed(view.seat, best) if gains[best] > LEAST_GAIN else Declined(view.seat)


def _gain(view: SeatView, prospects: Prospects, card: Card) -> float:
    """What exposing this card promises, as a share of what it doubles."""
    multiplier = view.rules.counting.multiplier
    if multiplier and card is multiplier.card:  # worth while for whoever takes it with points to multiply
        return _capture(view, prospects, card) - 0.5 if prospects.outlook(view.hand) > 0 else 0.0
    fair = 1 / view.rules.players
    if prospects.worth.get(card, 0) > 0:
        return _capture(view, prospects, card) - fair
    suit = [other for other in prospects.worth if other.suit is card.suit]
    total = prospects.worth_of(tuple(suit))
    mine = prospects.outlook(tuple(own for own in view.hand if own.suit is card.suit))
    return fair - mine / total if total else 0.0


def _capture(view: SeatView, prospects: Prospects, card: Card) -> float:
    """The chance to take a good card of one's own: higher cards and length guard it."""
    suit = [own for own in view.hand if own.suit is card.suit]
    support = sum(1 for own in suit if own.rank > card.rank)
    higher = sum(1 for rank in prospects.memory.ranks[card.suit] if rank > card.rank)
    return (1 + support) / (1 + support + higher) * min(1.0, len(suit) / 4)
