"""The values of cards and moons, what doubles or multiplies them, and the points of a pile, with reasons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TypeVar

from engine.cards import (
    HEARTS,
    QUEEN_OF_SPADES,
    Card,
    Hand,
    Suit,
)
from engine.rules.options import EVEN_BONUS, EVEN_TOTALS, Moon, MoonChoice, RuleOption
from engine.rules.packs import Pack

Total = TypeVar("Total", int, float)
#: How many times a card counts if one of its suit was exposed (C8), and with it the ten of clubs (C9).
EXPOSED = 2


class Why(Enum):
    """The reason for an entry's points."""

    VALUE = "their value"
    MOON = "what a moon brings"
    TURNED = "their value, its sign turned round by a moon"
    MULTIPLIER = "multiplier"
    ALONE = "multiplier alone"
    SUN = "the sun"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of an account: cards of a pile, their points and why, and how many times they count."""

    cards: Hand
    points: int
    why: Why = Why.VALUE
    times: int = 1


#: All entries of a pile; their sum is its points.
Account = tuple[Entry, ...]


def total(account: Account) -> int:
    """The points of an account."""
    return sum(entry.points for entry in account)


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A card that multiplies its taker's points, or scores by itself if its taker has none of `company`."""

    card: Card
    times: int
    alone: int
    company: frozenset[Card]


@dataclass(frozen=True, slots=True)
class Sun:
    """What a moon becomes if its shooter takes these cards too."""

    cards: Hand
    points: int


@dataclass(frozen=True, eq=False)
class Counting:
    """The scoring of cards and moons: a preset's or, made from it by `in_play`, a ruleset's.

    `values` are in the order in which a table's rules list them. Without `moon` cards there is no moon. The
    option `brings` says what a moon does; None reverses the sign of its cards for the shooter (C8).
    """

    values: Mapping[Card, int]
    moon: Hand = ()
    multiplier: Multiplier | None = None
    sun: Sun | None = None
    brings: Moon | None = None
    even_scores: bool = False
    decks: int = 1
    needed: int = 0  # how many cards of the pack a moon takes

    def in_play(self, pack: Pack, brings: Moon | None, options: Iterable[RuleOption]) -> "Counting":
        """The scoring with this pack, this moon and these switches on."""
        values, even = dict(self.values), False
        for option in options:
            values |= option.counts
            even |= option.name == "even_scores"
        needed = sum(card in self._moon for card in pack.cards)
        return replace(self, values=values, brings=brings, even_scores=even, decks=pack.decks, needed=needed)

    # What each card counts

    @cached_property
    def scoring(self) -> frozenset[Card]:
        """Every card that alters the score (W7)."""
        return frozenset((*self.values, *([self.multiplier.card] if self.multiplier else ())))

    def times(self, card: Card, exposed: Hand) -> int:
        """The factor by which an exposed card of its suit multiplies this card (C8)."""
        return EXPOSED if exposed and any(other.suit is card.suit for other in exposed) else 1

    def multiplies(self, pile: Hand, exposed: Hand) -> int:
        """The factor by which the multiplier in this pile multiplies its taker's points (C9)."""
        if self.multiplier is None or self.multiplier.card not in pile:
            return 1
        return self.multiplier.times * self.times(self.multiplier.card, exposed)

    def entries(self, cards: Iterable[Card], exposed: Hand = ()) -> Account:
        """The points of these cards without a moon: hearts in one entry, every other face in its own."""
        grouped: dict[object, list[Card]] = {}
        for card in cards:
            if card in self._groups:
                grouped.setdefault(self._groups[card], []).append(card)
        return tuple(self._entry(tuple(group), exposed) for group in grouped.values())

    @cached_property
    def _moon(self) -> frozenset[Card]:
        return frozenset(self.moon)

    @cached_property
    def _groups(self) -> dict[Card, object]:
        return {
            card: (card.suit, card in self._moon) if card.suit is Suit.HEARTS else card
            for card in self.scoring
        }

    def _entry(self, cards: Hand, exposed: Hand) -> Entry:
        if self.multiplier and cards[0] is self.multiplier.card:
            return Entry(cards, 0, Why.MULTIPLIER, self.multiplies(cards, exposed))
        times = self.times(cards[0], exposed)
        return Entry(cards, sum(self.values[card] for card in cards) * times, times=times)

    # The moon

    @property
    def moon_worth(self) -> int:
        """The points of the moon's cards in all decks, even if some were removed (W13, W23)."""
        return sum(self.values.get(card, 0) for card in self._moon) * self.decks

    def moon_points(self, choice: MoonChoice | None = None) -> tuple[int, int]:
        """The points of a moon for the shooter, and for each of the others (K7, W13, W23, P9)."""
        worth = self.moon_worth
        if self.brings is Moon.HALF:
            return -(worth // 2), worth // 2
        if self.brings is Moon.SELF or choice is MoonChoice.SUBTRACT:
            return -worth, 0
        return 0, worth

    @property
    def moon_choice(self) -> tuple[int, int]:
        """The points a shooter may choose between: their own, or those of each other player."""
        return self.moon_points(MoonChoice.SUBTRACT)[0], self.moon_points(MoonChoice.ADD)[1]

    def shooter(self, piles: Sequence[Hand]) -> int | None:
        """The seat that shot the moon, by taking every copy of its cards; None if there is none."""
        if not self.needed:
            return None
        for seat, pile in enumerate(piles):
            if len(pile) >= self.needed and sum(card in self._moon for card in pile) == self.needed:
                return seat
        return None

    # What the piles came to

    @cached_property
    def deciding(self) -> frozenset[Card]:
        """Every card that can change a player's points, depending on who takes it."""
        multiplied = self.multiplier.company if self.multiplier else frozenset[Card]()
        return self.scoring | self._moon | multiplied | frozenset(self.sun.cards if self.sun else ())

    def points(
        self, piles: Sequence[Hand], exposed: Hand = (), choice: MoonChoice | None = None
    ) -> tuple[int, ...]:
        """Each player's points for a deal."""
        return tuple(map(total, self.accounts(piles, exposed, choice)))

    def accounts(
        self, piles: Sequence[Hand], exposed: Hand = (), choice: MoonChoice | None = None
    ) -> tuple[Account, ...]:
        """Each player's account for a deal; `choice` is the shooter's, where the rules ask for one."""
        shooter = self.shooter(piles)
        if shooter is None:
            return tuple(self._multiplied(self.entries(pile, exposed), pile, exposed) for pile in piles)
        return tuple(
            self._after_moon(pile, exposed, choice, shot=seat == shooter) for seat, pile in enumerate(piles)
        )

    def _after_moon(self, pile: Hand, exposed: Hand, choice: MoonChoice | None, *, shot: bool) -> Account:
        if shot and self.sun and all(card in pile for card in self.sun.cards):
            counted = tuple(card for card in pile if card in self.scoring)
            return (Entry(counted, self.sun.points, Why.SUN),)
        entries = self.entries(pile, exposed)
        if self.brings is None:
            return self._multiplied(self._turned(entries) if shot else entries, pile, exposed)
        own, others = self.moon_points(choice)
        moon_cards = tuple(card for card in pile if card in self._moon)
        rest = [entry for entry in entries if entry.cards[0] not in self._moon]
        moon = Entry(moon_cards, own if shot else others, Why.MOON)
        return self._multiplied((moon, *rest), pile, exposed)

    def _turned(self, entries: Account) -> Account:
        """C8: reverse the sign of the moon's cards, and of no others."""
        return tuple(
            replace(entry, points=-entry.points, why=Why.TURNED) if entry.cards[0] in self._moon else entry
            for entry in entries
        )

    def _multiplied(self, entries: Account, pile: Hand, exposed: Hand) -> Account:
        """C9."""
        if self.multiplier is None or self.multiplier.card not in pile:
            return entries
        own = (self.multiplier.card,)
        others = tuple(entry for entry in entries if entry.why is not Why.MULTIPLIER)
        if self.multiplier.company.isdisjoint(pile):
            times = self.times(own[0], exposed)
            return (*others, Entry(own, self.multiplier.alone * times, Why.ALONE, times))
        times = self.multiplies(pile, exposed)
        return (*others, Entry(own, total(others) * (times - 1), Why.MULTIPLIER, times))

    def add_up(self, totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
        """The totals after a deal's points (G4), with the bonus for even scores where it counts (W19)."""
        new = [before + more for before, more in zip(totals, points, strict=True)]
        return tuple(map(lose_bonus, new) if self.even_scores else new)


def lose_bonus(total: Total) -> Total:
    """W19: a total after a deal, less EVEN_BONUS if it is one of EVEN_TOTALS."""
    return total - EVEN_BONUS if total in EVEN_TOTALS else total


#: Hearts and the queen of spades (K6, K7, W9, W13, P9).
PENALTIES = Counting(
    values={**dict.fromkeys(HEARTS, 1), QUEEN_OF_SPADES: 13},
    moon=(*HEARTS, QUEEN_OF_SPADES),
)
