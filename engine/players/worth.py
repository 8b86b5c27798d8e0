"""What it is worth to a player to take a card: the rules' values, the goal, and moons in the air."""

from __future__ import annotations

from engine.cards import Card, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.memory import Memory
from engine.rules.counting import Counting

Worth = dict[Card, float]

#: How much of a moon's worth each of its cards counts for whoever would stop it, at full threat.
STOP = 0.3
#: A moon is in the air from this share of its cards in one pile.
FEARED = 0.5


def worths(view: SeatView, memory: Memory, daring: int = 0) -> Worth:
    """What taking each card that counts is worth to this player now; the higher the better.

    Who is daring shoots with so many cards more that the others can still beat.
    """
    sign, moon = view.rules.winner.sign, view.rules.counting.moon
    worth = {card: sign * value for card, value in _values(view).items()}
    if not moon:
        return worth
    good = sum(worth.get(card, 0) for card in moon) > 0  # then it costs its shooter what it brings elsewhere
    if not good and _overwhelming(view, memory, daring):
        return worth | {card: abs(worth.get(card, 0)) + 1 for card in moon}
    shooter, threat = _moon_threat(view)
    if (shooter == view.seat) is not good:
        return worth
    bonus = threat * STOP * _moon_swing(view.rules.counting) * (-1 if good else 1)
    return worth | {card: worth.get(card, 0) + bonus for card in moon}


def _values(view: SeatView) -> dict[Card, float]:
    """The cards' points with all that doubles or multiplies them for this player (C8, C9)."""
    counting, deal = view.rules.counting, view.deal
    pile, exposed = deal.taken[view.seat], deal.exposed
    times = counting.multiplies(pile, exposed)
    points: dict[Card, float] = {
        card: value * times * counting.times(card, exposed) for card, value in counting.values.items()
    }
    if counting.multiplier is None:
        return points
    card = counting.multiplier.card
    before, after = (counting.points((taken,), exposed)[0] for taken in (pile, (*pile, card)))
    progress = len(deal.tricks) / view.rules.pack.hand_size  # early on, what it multiplies is not known
    return points | {card: (after - before) * progress}


def _moon_swing(counting: Counting) -> int:
    """The difference that a moon makes for its shooter."""
    return counting.moon_worth if counting.brings else -2 * counting.moon_worth


def _moon_threat(view: SeatView) -> tuple[int | None, float]:
    """Who alone has taken a moon's cards so far, and what share of them all if that is to be feared."""
    needed = view.rules.counting.moon
    counts = [sum(card in needed for card in pile) for pile in view.deal.taken]
    counts[view.seat] += sum(card in needed for card in view.kitty)
    share = max(counts) / view.rules.counting.needed
    if share < FEARED or sum(map(bool, counts)) > 1:
        return None, 0.0
    return counts.index(max(counts)), share


def _overwhelming(view: SeatView, memory: Memory, daring: int) -> bool:
    """Whether this hand should take every trick that is left, and nobody else has a moon's card yet."""
    needed = view.rules.counting.moon
    for seat, pile in enumerate(view.deal.taken):
        if seat != view.seat and any(card in needed for card in pile):
            return False
    spare = view.rules.pass_cards if view.deal.phase is Phase.PASSING else 0  # it passes those on
    return _losers(view, memory) <= spare + daring


def _losers(view: SeatView, memory: Memory) -> int:
    """How many cards of this hand the others can still beat."""
    losers = 0
    for suit in Suit:
        theirs = memory.ranks[suit]
        length = 1 + len(theirs) / len(memory.others) if theirs else 0
        mine = sorted((card.rank for card in view.hand if card.suit is suit), reverse=True)
        losers += sum(1 for index, rank in enumerate(mine) if index < length and rank < theirs[-1])
    return losers + sum(1 for card in view.hand if card.suit is None)
