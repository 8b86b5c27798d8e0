"""Which cards may be played, and why the others may not: one ordered list decides both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.cards import QUEEN_OF_SPADES, Card, Hand, Suit
from engine.errors import Refusal
from engine.rules.options import SafeFirstTrick
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Position:
    """All that decides what the player whose turn it is may play."""

    rules: Ruleset
    hand: Hand
    exposed: Hand  # the player's own cards that lie face up (C2)
    leading: bool
    led: Suit | None  # None as well while only jokers lie in the trick (W4)
    first_trick: bool
    hearts_broken: bool
    opening: Card | None  # the card that must be led now (K3, W6, W18, P3)


#: Given the position and the cards still allowed: those that the rule leaves, or all where it is silent.
Restriction = Callable[[Position, Hand], Iterable[Card]]


def opening_lead(position: Position, cards: Hand) -> Iterable[Card]:
    """K3, W6, W18, P3."""
    return [card for card in cards if card is position.opening] if position.opening else cards


def follow_suit(position: Position, cards: Hand) -> Iterable[Card]:
    """G1; a joker may be played to any lead, but does not oblige a player void in the suit (W4)."""
    led = position.led
    if led is None or led not in [card.suit for card in cards]:
        return cards
    return [card for card in cards if card.suit is led or card.suit is None]


def hand_before_exposed(position: Position, cards: Hand) -> Iterable[Card]:
    """C4, C5: a void player alone may choose freely between hand and exposed cards."""
    if not position.exposed:
        return cards
    hand, led = position.hand, position.led
    return [card for card in cards if card in hand or not (position.leading or card.suit is led)]


def joker_lead(position: Position, cards: Hand) -> Iterable[Card]:
    """W4."""
    return [card for card in cards if card.suit is not None] if position.leading else cards


def safe_first_trick(position: Position, cards: Hand) -> Iterable[Card]:
    """K4, W7, P5."""
    unsafe = position.rules.unsafe
    return [card for card in cards if card not in unsafe] if position.first_trick and unsafe else cards


def hearts_unbroken(position: Position, cards: Hand) -> Iterable[Card]:
    """K5, W8, P4."""
    rules = position.rules
    if not position.leading or position.hearts_broken or rules.hearts_broken_by is None:
        return cards
    others = [card for card in cards if card.suit is not Suit.HEARTS]
    holds_only_queen = set(others) == {QUEEN_OF_SPADES}
    return cards if rules.lead_hearts_with_queen and holds_only_queen else others


#: G2: following suit comes first; each of them gives way when it would leave nothing. What one forbids is
#: refused by the name of its function, which is an id of `engine.sentences`.
RESTRICTIONS: tuple[Restriction, ...] = (
    opening_lead,
    follow_suit,
    hand_before_exposed,
    joker_lead,
    safe_first_trick,
    hearts_unbroken,
)


def _narrow(position: Position) -> Iterator[tuple[Restriction, Hand]]:
    """After each restriction that bites, the cards that are left."""
    cards = position.hand + position.exposed
    for restriction in RESTRICTIONS:
        kept = tuple(restriction(position, cards))
        if kept and len(kept) < len(cards):
            yield restriction, kept
            cards = kept


def legal(position: Position) -> Hand:
    """The cards that may be played, in the order held, two copies twice."""
    allowed = position.hand + position.exposed
    for _, kept in _narrow(position):
        allowed = kept
    return allowed


def refusal(position: Position, card: Card) -> Refusal:
    """Why this card, which is not `legal`, may not be played."""
    if card not in position.hand and card not in position.exposed:
        return Refusal("not_held", card=card)
    return next(
        _refusal(restriction, position) for restriction, kept in _narrow(position) if card not in kept
    )


def _refusal(restriction: Restriction, position: Position) -> Refusal:
    id = restriction.__name__
    if restriction is safe_first_trick and position.rules.safe_first_trick is SafeFirstTrick.ALL_SCORING:
        id = "safe_from_scoring"
    return Refusal(id, suit=position.led, card=position.opening)
