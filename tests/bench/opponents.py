"""Opponents with habits of their own, for the tournament: `--second tests.bench.opponents:bleeder`.

All but the Monte Carlo player play like `medium` if their habit doesn't apply, and if points are good (P10).
"""

from __future__ import annotations

from random import Random

from engine.cards import QUEEN_OF_SPADES, Card, Suit
from engine.kernel.habits import BY_CHANCE
from engine.play.deal import Phase
from engine.play.moves import Played, SeatMove
from engine.play.views import SeatView
from engine.players.estimate import Worth, worths
from engine.players.medium import medium_move
from engine.players.memory import Memory
from engine.players.strong.playing import weigh_cards
from engine.players.strong.worlds import encode_view

#: The most possible losers with which a shooter tries for the moon, before passing and after.
LOSERS = {Phase.PASSING: 7, Phase.PLAYING: 4}
#: The Monte Carlo player's playouts per card.
PLAYOUTS = 4_000
#: A card beaten by this many unseen ones doesn't count as a winner.
BEATEN = 2


def shooter(view: SeatView, rng: Random) -> SeatMove:
    """Tries to shoot the moon with hands that most people wouldn't."""
    return medium_move(view, rng, weigh=_greedy if _may_shoot(view) else worths)


def ducker(view: SeatView, rng: Random) -> SeatMove:
    """Plays the highest card that loses the trick, leads its lowest, discards what hurts most."""
    if not _penalties(view) or view.deal.phase is not Phase.PLAYING:
        return medium_move(view, rng)
    return Played(view.seat, _ducking(view))


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


def monte_carlo(view: SeatView, rng: Random) -> SeatMove:
    """Tries each card in worlds played out at random, as many programs do; passes like `medium`."""
    if view.deal.phase is not Phase.PLAYING:
        return medium_move(view, rng)
    sleepy, seed = [0.0] * view.rules.players, rng.getrandbits(60)
    return Played(view.seat, *weigh_cards(view, encode_view(view), BY_CHANCE, sleepy, PLAYOUTS, seed).best)


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


def _may_shoot(view: SeatView) -> bool:
    """Whether the hand is high, and nobody else has a moon card."""
    if not _penalties(view) or view.deal.phase not in LOSERS:
        return False
    needed = view.rules.counting.moon
    others = (pile for seat, pile in enumerate(view.deal.taken) if seat != view.seat)
    return (
        not any(card in needed for pile in others for card in pile)
        and _losers(view) <= LOSERS[view.deal.phase]
    )


def _losers(view: SeatView) -> int:
    """The number of cards in this hand that are beaten by several unseen ones."""
    gone = [card for done in view.deal.tricks for card in done.trick.cards]
    unseen = list(view.rules.pack.cards)
    for card in (*gone, *view.deal.trick.cards, *view.hand):
        unseen.remove(card)
    losers = 0
    for card in view.hand:
        theirs = [one for one in unseen if one.suit is card.suit]
        longer = sum(one.suit is card.suit and one.rank >= card.rank for one in view.hand)
        higher = sum(one.rank > card.rank for one in theirs)
        losers += higher >= BEATEN and longer <= len(theirs) / (view.rules.players - 1)
    return losers


def _greedy(view: SeatView, memory: Memory) -> Worth:
    """What cards are worth to a player who wants all the moon's."""
    worth = worths(view, memory)
    return worth | {card: abs(worth.get(card, 0)) + 1 for card in view.rules.counting.moon}
