"""Which cards may be played and why others may not, who takes a trick, and where cards are passed.

One ordered list of restrictions decides both what is legal and why the rest is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.cards import QUEEN_OF_SPADES, Card, Hand, Suit
from engine.errors import Refusal
from engine.rules.counting import Counting
from engine.rules.options import Duplicates, Kitty, SafeFirstTrick
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that decides which cards the player to move may play."""

    rules: Ruleset
    hand: Hand
    exposed: Hand  # the player's own cards that lie face up (C2)
    leading: bool
    led: Suit | None  # also None while only jokers are in the trick (W4)
    first_trick: bool
    hearts_broken: bool
    opening: Card | None  # the card that must be led now (K3, W6, W18, P3)


#: Takes the situation and the cards still allowed, and returns those that its rule allows.
Restriction = Callable[[Situation, Hand], Iterable[Card]]


# Which cards may be played


def opening_lead(position: Situation, cards: Hand) -> Iterable[Card]:
    """K3, W6, W18, P3."""
    return [card for card in cards if card is position.opening] if position.opening else cards


def follow_suit(position: Situation, cards: Hand) -> Iterable[Card]:
    """G1; a joker may be played to any lead, but does not oblige a player void in the suit (W4)."""
    led = position.led
    if led is None or led not in [card.suit for card in cards]:
        return cards
    return [card for card in cards if card.suit is led or card.suit is None]


def hand_before_exposed(position: Situation, cards: Hand) -> Iterable[Card]:
    """C4, C5: only a player void in the suit led may choose freely between hand and exposed cards."""
    if not position.exposed:
        return cards
    hand, led = position.hand, position.led
    return [card for card in cards if card in hand or not (position.leading or card.suit is led)]


def joker_lead(position: Situation, cards: Hand) -> Iterable[Card]:
    """W4."""
    return [card for card in cards if card.suit is not None] if position.leading else cards


def safe_first_trick(position: Situation, cards: Hand) -> Iterable[Card]:
    """K4, W7, P5."""
    unsafe = position.rules.unsafe
    return [card for card in cards if card not in unsafe] if position.first_trick and unsafe else cards


def hearts_unbroken(position: Situation, cards: Hand) -> Iterable[Card]:
    """K5, W8, P4."""
    rules = position.rules
    if not position.leading or position.hearts_broken or rules.hearts_broken_by is None:
        return cards
    others = [card for card in cards if card.suit is not Suit.HEARTS]
    holds_only_queen = set(others) == {QUEEN_OF_SPADES}
    return cards if rules.lead_hearts_with_queen and holds_only_queen else others


#: In order of precedence; one that would leave no card doesn't apply (G2). A function's name is the id of the
#: refusal of what it forbids, in `engine.sentences`.
RESTRICTIONS: tuple[Restriction, ...] = (
    opening_lead,
    follow_suit,
    hand_before_exposed,
    joker_lead,
    safe_first_trick,
    hearts_unbroken,
)


def legal(position: Situation) -> Hand:
    """The cards that may be played, in the order of the hand; two copies appear twice."""
    allowed = position.hand + position.exposed
    for _, remaining in _narrow(position):
        allowed = remaining
    return allowed


def refusal(position: Situation, card: Card) -> Refusal:
    """The reason why this card, which is not `legal`, may not be played."""
    if card not in position.hand and card not in position.exposed:
        return Refusal("not_held", card=card)
    return next(
        _refusal(restriction, position) for restriction, allowed in _narrow(position) if card not in allowed
    )


def reasons(position: Situation) -> tuple[str, ...]:
    """Why some cards may not be played: the ids of the refusals that apply, in the order of their rules."""
    return tuple([_refusal(restriction, position).id for restriction, _ in _narrow(position)])


def _narrow(position: Situation) -> Iterator[tuple[Restriction, Hand]]:
    """Each restriction that applies, with the cards that remain after it."""
    cards = position.hand + position.exposed
    for restriction in RESTRICTIONS:
        remaining = tuple(restriction(position, cards))
        if remaining and len(remaining) < len(cards):
            yield restriction, remaining
            cards = remaining


def _refusal(restriction: Restriction, position: Situation) -> Refusal:
    id = restriction.__name__
    if restriction is safe_first_trick and position.rules.safe_first_trick is SafeFirstTrick.ALL_SCORING:
        id = "safe_from_scoring"
    return Refusal(id, suit=position.led, card=position.opening)


# Who takes a trick, and which of the kitty's cards go with it


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of a trick in order, its leader's first."""

    leader: int
    cards: Hand = ()

    @property
    def led_suit(self) -> Suit | None:
        """The suit to follow: that of the first card, not counting valueless jokers (W4)."""
        for card in self.cards:
            if card.suit:
                return card.suit
        return None

    def laid(self, players: int) -> list[tuple[int, Card]]:
        """The cards in order, each with the seat that played it."""
        return list(zip(_in_turn(self.leader, players), self.cards, strict=False))

    def seat(self, index: int, players: int) -> int:
        """The seat that plays, or played, the card at this index."""
        return (self.leader + index) % players


@cache
def _in_turn(leader: int, players: int) -> tuple[int, ...]:
    """All seats, clockwise from this one."""
    return (*range(leader, players), *range(leader))


def cancelled(rules: Ruleset, cards: Hand) -> frozenset[Card]:
    """The cards that drop out because both copies are in the trick (W20, P6)."""
    if rules.duplicates is not Duplicates.CANCEL:
        return frozenset()
    return frozenset(card for card in cards if cards.count(card) == 2)


def winning_index(rules: Ruleset, trick: Trick, *, last: bool = False) -> int | None:
    """The index of the card that is winning; None while every card of the suit led is cancelled.

    In the last trick of a deal there is always one (W21, P8).
    """
    led = trick.led_suit
    if led is None:  # only valueless jokers (W4)
        return None
    twins = cancelled(rules, trick.cards)
    best: int | None = None
    for index, card in enumerate(trick.cards):
        if card.suit is not led or card in twins:
            continue
        if best is None or card.rank > trick.cards[best].rank:  # W20: the first copy ranks higher
            best = index
    if best is None and last:  # P8: the second copy of the highest card
        highest = max((card for card in twins if card.suit is led), key=lambda card: card.rank)
        best = len(trick.cards) - 1 - trick.cards[::-1].index(highest)
    return best


def kitty_share(rules: Ruleset, kitty: Hand, *, first: bool, last: bool) -> Hand:
    """The cards of the remaining kitty that go with this trick (W3)."""
    match rules.kitty:
        case Kitty.FIRST_TRICK:
            return kitty if first else ()
        case Kitty.ONE_PER_TRICK:
            return kitty[:1]
        case Kitty.FIRST_AND_LAST:
            return kitty if last else kitty[:1] if first else ()
        case None:
            return ()


# Whether the remaining cards of a deal can still change anything


def is_settled(
    counting: Counting, piles: Sequence[Hand], remaining: Iterable[Card], exposed: Hand = ()
) -> bool:
    """Whether all points stay the same, whoever takes the remaining cards."""
    if any(counting.values.get(card) or _multiplies(counting, card) for card in remaining):
        return False
    deciding = tuple([card for card in remaining if card in counting.deciding])
    if not deciding:
        return True
    # These count nothing, but all of them may complete a moon, and any may go with a multiplier (C8, C9).
    outcomes = {
        counting.points([pile + deciding * (seat == taker) for seat, pile in enumerate(piles)], exposed)
        for taker in range(len(piles))
    }
    return len(outcomes) == 1


def _multiplies(counting: Counting, card: Card) -> bool:
    return counting.multiplier is not None and card is counting.multiplier.card


def takes_the_rest(rules: Ruleset, hand: Hand, others: Iterable[Card]) -> bool:
    """Whether this hand, on lead, wins every remaining trick in any order.

    `others` are the cards that other players may hold.
    """
    # W20: a card that is led beats its other copy. P6: two copies cancel each other.
    least = 1 if rules.duplicates is Duplicates.CANCEL else 0
    lowest: dict[Suit | None, int] = {}
    for card in hand:
        lowest[card.suit] = min(card.rank, lowest.get(card.suit, card.rank))
    if None in lowest:
        return False
    return all(card.rank + least <= lowest.get(card.suit, card.rank + least) for card in others)


# Who passes to whom (K2, W5, P2)


def rotation(rules: Ruleset) -> tuple[int, ...]:
    """How many seats to the left (negative: right) cards go, deal by deal, then repeating; 0 for no pass."""
    return rules.preset.rotation or _around(rules.players)


@lru_cache
def _around(players: int) -> tuple[int, ...]:
    """W5: everyone passes to everyone else once; then comes a deal without passing."""
    near = [step for distance in range(1, (players + 1) // 2) for step in (distance, -distance)]
    across = [players // 2] if players % 2 == 0 else []
    return (*near, *across, 0)


def pass_offset(rules: Ruleset, deal: int) -> int:
    """How many seats to the left cards go in this deal (from 1); 0 for no pass."""
    if not rules.pass_cards:
        return 0
    steps = rotation(rules)
    return steps[(deal - 1) % len(steps)]
