"""The estimate behind every decision: what a trick, a card and a hand will bring.

It is based on what taking each card is worth to a player: the rules' values, the goal, and threatening moons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.memory import Memory
from engine.rules.counting import Counting
from engine.rules.options import Duplicates
from engine.rules.plays import cancelled
from engine.rules.ruleset import Ruleset

#: How often a player who needn't beat the winning card does: in a trick that costs, in one that pays.
RELUCTANT, EAGER = 0.35, 0.75
#: How often a player who holds a twin plays it to cancel.
TWIN = 0.4
#: How often the others don't choose what hurts most.
CARELESS = 0.05
#: Raised to this power, the chance that someone is void now becomes the chance some tricks later.
TRICKS_LATER = 0.6
#: The chance that a card has to be played although less harmful ones could outlast the suit.
FORCED_ANYWAY = 0.15
#: The share of a bad card's harm that a likely discard removes.
RELIEF = 0.6

SUITS = tuple(Suit)  # going through the Enum itself takes several times as long


class Offers(NamedTuple):
    """Cards that a player may add to a trick; none of them if none counts."""

    by_harm: list[tuple[Card, float]]  # with what they are worth to the taker, the most harmful first
    average: float

    @staticmethod
    def of(cards: Sequence[Card], worth: Worth) -> Offers:
        """These cards, worth this much."""
        worths = [worth.get(card, 0) for card in cards]
        if not any(worths):
            return Offers([], 0.0)
        by_harm = sorted(zip(cards, worths, strict=True), key=itemgetter(1))
        return Offers(by_harm, sum([worth for _, worth in by_harm]) / len(by_harm))


class SuitShare(NamedTuple):
    """What the cards of a suit in a hand contribute to its outlook."""

    good: list[float]
    burdens: list[float]
    spare: float  # discards


@dataclass(frozen=True, slots=True)
class Prospects:
    """The expectations of a player with this `memory`, to whom cards have this `worth`."""

    rules: Ruleset
    memory: Memory
    worth: Worth
    # Cached results, as the same ones are needed for many hands, and for all seats that are alike.
    values: dict[Card, float] = field(default_factory=dict)
    shares: dict[tuple[Suit, Hand], SuitShare] = field(default_factory=dict)
    voids: dict[tuple[int, Suit | None], float] = field(default_factory=dict)
    beaten: dict[tuple[int, Card, float], float] = field(default_factory=dict)
    gifts: dict[tuple[int, Suit | None, int, bool], float] = field(default_factory=dict)
    offers: dict[tuple[int | None, Suit | None, int, bool], Offers] = field(default_factory=dict)

    def worth_of(self, cards: Hand) -> float:
        """The total worth of these cards to their taker."""
        return sum(self.worth.get(card, 0) for card in cards)

    def win(self, card: Card, before: Hand, led: Suit | None, after: Sequence[int], eager: float) -> float:
        """The chance that this card, played behind `before`, takes the trick."""
        if card.suit is not led or led is None or card in cancelled(self.rules, (*before, card)):
            return 0.0
        dropped = cancelled(self.rules, before)
        chance = 1.0
        for rival in before:
            if rival.suit is led and rival.rank >= card.rank and rival not in dropped:
                chance *= self._twin_comes(rival, after)
        if not chance:
            return 0.0
        for seat in after:
            chance *= 1 - self._beaten_by(seat, card, eager)
        return chance * (1 - self._twin_comes(card, after))

    def _twin_comes(self, card: Card, after: Sequence[int]) -> float:
        if self.rules.duplicates is not Duplicates.CANCEL:
            return 0.0
        held = [seat for seat in after if card in self.memory.known[seat]]
        if held:
            return TWIN
        if card not in self.memory.unseen[card.suit]:
            return 0.0
        return TWIN * sum(self.memory.shares[seat, card.suit] for seat in after)

    def _beaten_by(self, seat: int, card: Card, eager: float) -> float:
        key = self.memory.alike[seat], card, eager
        if key not in self.beaten:
            higher = 1 - self.memory.lacks(seat, card.suit, above=card.rank)
            must = self.memory.lacks(seat, card.suit, below=card.rank) if higher else 0.0
            self.beaten[key] = higher * (must + (1 - must) * eager)
        return self.beaten[key]

    def spoils(self, card: Card, led: Suit | None, after: Sequence[int], safe: bool, later: float) -> float:
        """What later seats will add to a trick that this card takes."""
        total = 0.0
        for seat in after:
            void = self._void(seat, led) ** later
            total += (1 - void) * self._gift(seat, led, card.rank, safe)
            if void > 0.01:
                total += void * self._gift(seat, led, -1, safe)
        return total

    def _void(self, seat: int, suit: Suit | None) -> float:
        """The chance that this seat holds no card of the suit."""
        key = self.memory.alike[seat], suit
        if key not in self.voids:
            self.voids[key] = self.memory.lacks(seat, suit)
        return self.voids[key]

    def _gift(self, seat: int, led: Suit | None, below: int, safe: bool) -> float:
        """What this seat adds: a card of the suit below that rank, or with −1 a discard."""
        key = self.memory.alike[seat], led, below, safe
        if key not in self.gifts:
            self.gifts[key] = self._most_harmful(seat, self._offers(seat, led, below, safe))
        return self.gifts[key]

    def _offers(self, seat: int, led: Suit | None, below: int, safe: bool) -> Offers:
        """What this seat may add, the same for all seats of which no card is known."""
        known = self.memory.known[seat]
        key = seat if known else None, led, below, safe
        if key not in self.offers:
            if below < 0:
                unseen = chain(*self.memory.unseen.values())
                fitting = [card for card in chain(known, unseen) if card.suit is not led]
            else:
                own = chain(self.memory.unseen[led], known)
                fitting = [card for card in own if card.suit is led and card.rank < below]
            if safe:
                fitting = [card for card in fitting if card not in self.rules.unsafe]
            self.offers[key] = Offers.of(fitting, self.worth)
        return self.offers[key]

    def _most_harmful(self, seat: int, offers: Offers) -> float:
        known, shares = self.memory.known[seat], self.memory.shares
        total, left = 0.0, 1.0
        for card, worth in offers.by_harm:
            chance = 1.0 if card in known else shares[seat, card.suit]
            total += left * chance * worth
            left *= 1 - chance
            if left < 0.02:
                break
        return (1 - CARELESS) * total + CARELESS * offers.average

    @property
    def eager(self) -> float:
        """How often the others, who mostly want the same as this player, beat a card when they can."""
        return EAGER if sum(self.worth.values()) > 0 else RELUCTANT

    def value(self, card: Card) -> float:
        """What this card brings when it is played in some later trick."""
        if card not in self.values:
            after = self.memory.others
            chance = self.win(card, (), card.suit, after, self.eager)
            spoils = self.spoils(card, card.suit, after, False, TRICKS_LATER) if chance else 0.0
            self.values[card] = chance * (self.worth.get(card, 0) + spoils)
        return self.values[card]

    def _share(self, suit: Suit, held: Hand) -> SuitShare:
        """What these cards, all that a hand holds of the suit, contribute to its outlook."""
        if (suit, held) not in self.shares:
            values = sorted(map(self.value, held), reverse=True)
            theirs = len(self.memory.unseen[suit])
            rounds = (theirs + len(values)) / self.rules.players
            good = [value for value in values if value >= 0]
            burdens = [
                value * max(FORCED_ANYWAY, 1 - index / rounds)
                for index, value in enumerate(values)
                if value < 0
            ]
            spare = max(0.0, rounds - len(values)) / 2 if theirs else 0.0
            self.shares[suit, held] = SuitShare(good, burdens, spare)
        return self.shares[suit, held]

    def outlook(self, hand: Hand) -> float:
        """What holding these cards will bring, if the less harmful ones of each suit are played first."""
        good, burdens = 0.0, list[float]()
        spare = float(sum([card.suit is None for card in hand]))  # jokers can replace a bad card
        for suit in SUITS:
            share = self._share(suit, tuple([card for card in hand if card.suit is suit]))
            for value in share.good:
                good += value
            burdens += share.burdens
            spare += share.spare
        burdens.sort()
        return good + sum(
            burden * (1 - RELIEF * min(1.0, max(0.0, spare - index))) for index, burden in enumerate(burdens)
        )


# What cards are worth

Worth = dict[Card, float]

#: The share of a moon's worth that each of its cards counts to a defender, at full threat.
STOP = 0.3
#: The share of a moon's cards in one pile from which it threatens.
FEARED = 0.5


def worths(view: SeatView, memory: Memory, daring: int = 0) -> Worth:
    """What taking each card that counts is worth to this player now: the more, the better.

    A daring player shoots with this many more cards that the others can still beat.
    """
    sign, moon = view.rules.winner.sign, view.rules.counting.moon
    worth = {card: sign * value for card, value in _values(view).items()}
    if not moon:
        return worth
    good = sum(worth.get(card, 0) for card in moon) > 0  # then a moon costs what it brings otherwise
    if not good and _overwhelming(view, memory, daring):
        return worth | {card: abs(worth.get(card, 0)) + 1 for card in moon}
    shooter, threat = _moon_threat(view)
    if (shooter == view.seat) is not good:
        return worth
    bonus = threat * STOP * _moon_swing(view.rules.counting) * (-1 if good else 1)
    return worth | {card: worth.get(card, 0) + bonus for card in moon}


def _values(view: SeatView) -> dict[Card, float]:
    """The cards' points, doubled or multiplied as they would be for this player (C8, C9)."""
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
    progress = len(deal.tricks) / view.rules.pack.hand_size  # early on, we don't know what it multiplies
    return points | {card: (after - before) * progress}


def _moon_swing(counting: Counting) -> int:
    """The difference that a moon makes to its shooter."""
    return counting.moon_worth if counting.brings else -2 * counting.moon_worth


def _moon_threat(view: SeatView) -> tuple[int | None, float]:
    """The only seat with moon cards so far, and its share of them if that is a threat."""
    needed = view.rules.counting.moon
    counts = [sum(card in needed for card in pile) for pile in view.deal.taken]
    counts[view.seat] += sum(card in needed for card in view.kitty)
    share = max(counts) / view.rules.counting.needed
    if share < FEARED or sum(map(bool, counts)) > 1:
        return None, 0.0
    return counts.index(max(counts)), share


def _overwhelming(view: SeatView, memory: Memory, daring: int) -> bool:
    """Whether this hand should take all remaining tricks, and nobody else has a moon card yet."""
    needed = view.rules.counting.moon
    for seat, pile in enumerate(view.deal.taken):
        if seat != view.seat and any(card in needed for card in pile):
            return False
    spare = view.rules.pass_cards if view.deal.phase is Phase.PASSING else 0  # these will be passed
    return _losers(view, memory) <= spare + daring


def _losers(view: SeatView, memory: Memory) -> int:
    """The number of cards in this hand that the others can still beat."""
    losers = 0
    for suit in Suit:
        theirs = memory.ranks[suit]
        length = 1 + len(theirs) / len(memory.others) if theirs else 0
        mine = sorted((card.rank for card in view.hand if card.suit is suit), reverse=True)
        losers += sum(1 for index, rank in enumerate(mine) if index < length and rank < theirs[-1])
    return losers + sum(1 for card in view.hand if card.suit is None)
