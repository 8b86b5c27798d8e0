"""What a player knows of the others' cards, based only on its own view."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import chain

from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView


@dataclass(frozen=True, slots=True)
class Memory:
    """Where the cards not yet played may be. `seat` is never the player's own."""

    unseen: dict[Suit | None, Hand]  # whose place is unknown, each suit in ascending order
    ranks: dict[Suit | None, list[int]]  # of the unseen cards, ascending
    known: dict[int, Hand]  # certainly held: face up, or passed there by this player
    shares: dict[tuple[int, Suit | None], float]  # the chance that a seat holds one unseen card of the suit
    alike: dict[int, int]  # for each seat, the first one of which the very same is known

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats."""
        return tuple(self.known)

    def lacks(self, seat: int, suit: Suit | None, above: int = -1, below: int = 99) -> float:
        """The chance that this seat holds no card of the suit between these ranks."""
        for card in self.known[seat]:
            if card.suit is suit and above < card.rank < below:
                return 0.0
        ranks = self.ranks[suit]
        count = bisect_left(ranks, below) - bisect_right(ranks, above)
        return (1 - self.shares[seat, suit]) ** count if count > 0 else 1.0


def recall(view: SeatView) -> Memory:
    """All that this player's view says about the others' cards."""
    deal, players = view.deal, view.rules.players
    others = [(view.seat + step) % players for step in range(1, players)]
    passed = passed_on(view)
    known = {seat: deal.face_up[seat] + passed.get(seat, ()) for seat in others}
    unseen = _unseen(view, known)
    void = voids(view)
    free = {seat: deal.hand_sizes[seat] - len(passed.get(seat, ())) for seat in others}
    hidden = view.rules.pack.kitty_size - len(view.kitty)  # may lie in the kitty
    shares = {}
    for suit in unseen:
        slots = hidden + sum(free[seat] for seat in others if (seat, suit) not in void)
        for seat in others:
            holds = bool(slots) and (seat, suit) not in void
            shares[seat, suit] = free[seat] / slots if holds else 0.0
    ranks = {suit: [card.rank for card in cards] for suit, cards in unseen.items()}
    first: dict[object, int] = {}
    alike = {
        seat: first.setdefault((known[seat], *[shares[seat, suit] for suit in unseen]), seat)
        for seat in others
    }
    return Memory(unseen, ranks, known, shares, alike)


def passed_on(view: SeatView) -> dict[int, Hand]:
    """The cards that this player passed and their receiver hasn't played yet."""
    deal = view.deal
    if not view.passed or not deal.offset or deal.phase is Phase.PASSING:
        return {}
    receiver = (view.seat + deal.offset) % view.rules.players
    left = list(view.passed)
    for trick in (*(done.trick for done in deal.tricks), deal.trick):
        index = (receiver - trick.leader) % view.rules.players
        if index < len(trick.cards) and trick.cards[index] in left:
            left.remove(trick.cards[index])
    return {receiver: tuple(left)}


def _unseen(view: SeatView, known: dict[int, Hand]) -> dict[Suit | None, Hand]:
    deal = view.deal
    seen = Counter(
        chain(
            view.hand,
            view.kitty,
            deal.face_up[view.seat],
            deal.on_hold,
            deal.trick.cards,
            *deal.taken,
            *known.values(),
        )
    )
    unseen: dict[Suit | None, list[Card]] = {suit: [] for suit in (*Suit, None)}
    for card in view.rules.pack.cards:
        if seen[card] > 0:
            seen[card] -= 1
        else:
            unseen[card.suit].append(card)
    return {suit: tuple(cards) for suit, cards in unseen.items()}


def voids(view: SeatView) -> set[tuple[int, Suit | None]]:
    """The seats that have shown to be void, and in which suit; playing a joker shows nothing (W4)."""
    shown: set[tuple[int, Suit | None]] = set()
    for trick in (*(done.trick for done in view.deal.tricks), view.deal.trick):
        led = trick.led_suit
        for index, card in enumerate(trick.cards):
            if card.suit is not led and card.suit is not None:
                shown.add((trick.seat(index, view.rules.players), led))
    return shown
