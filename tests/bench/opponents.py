"""Opponents with habits of their own, for the tournament: `--second tests.bench.opponents:bleeder`.

They play like `medium` if their habit doesn't apply, and if points are good (P10).
"""

from __future__ import annotations

from random import Random

from engine.cards import QUEEN_OF_SPADES, Card, Suit
from engine.play.deal import Phase
from engine.play.moves import Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.manners import Manner
from engine.players.medium import medium_move


def shooter(view: SeatView, rng: Random) -> SeatMove:
    """Tries to shoot the moon with hands that most people wouldn't."""
    return medium_move(view, rng, Manner.SHOOTS_MOONS)


def ducker(view: SeatView, rng: Random) -> SeatMove:
    """Plays the highest card that loses the trick, leads its lowest, discards what hurts most."""
    if not _penalties(view) or view.deal.phase is not Phase.PLAYING:
        return medium_move(view, rng)
    return Played(view.seat, _ducking(view))


def blind(view: SeatView, rng: Random) -> SeatMove:
    """Passes its first cards, and always plays the first card that it may."""
    if view.deal.phase is Phase.PLAYING:
        return Played(view.seat, view.legal[0])
    if view.deal.phase is Phase.PASSING:
        return Passed(view.seat, view.hand[: view.rules.pass_cards])
    return medium_move(view, rng)


def bleeder(view: SeatView, rng: Random) -> SeatMove:
    """Leads spades below the queen until she falls."""
    if (
        _penalties(view)
        and view.deal.phase is Phase.PLAYING
        and not view.deal.trick.cards
        and _queen_is_out(view)
    ):
        low = [card for card in view.legal if card.suit is Suit.SPADES and card.rank < QUEEN_OF_SPADES.rank]
        if low:
            return Played(view.seat, max(low, key=lambda card: card.rank))
    return medium_move(view, rng)


def _penalties(view: SeatView) -> bool:
    """Whether the moon's cards are bad, so that these habits make sense."""
    return bool(view.rules.counting.brings) and view.rules.winner.sign < 0


def _queen_is_out(view: SeatView) -> bool:
    gone = [card for done in view.deal.tricks for card in done.trick.cards]
    seen = (*gone, *view.hand, *view.kitty)
    return seen.count(QUEEN_OF_SPADES) < view.rules.pack.cards.count(QUEEN_OF_SPADES)


def _ducking(view: SeatView) -> Card:
    trick = view.deal.trick
    if view.deal.winning is None:
        return min(view.legal, key=lambda card: (card.rank, card.order))
    best = trick.cards[view.deal.winning]
    if view.legal[0].suit is not trick.led_suit:
        values = view.rules.counting.values
        return max(view.legal, key=lambda card: (values.get(card, 0), card.suit is Suit.SPADES, card.rank))
    under = [card for card in view.legal if card.rank < best.rank]
    if under:
        return max(under, key=lambda card: card.rank)
    is_last = len(trick.cards) == view.rules.players - 1
    return (max if is_last else min)(view.legal, key=lambda card: card.rank)
