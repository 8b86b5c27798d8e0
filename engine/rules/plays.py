"""Which cards may be played, and why the others may not: one ordered list decides both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


Permits = Callable[[Card], bool]
#: Given the position and the cards still allowed: what the rule permits, or None where it is silent.
Restriction = Callable[[Position, Hand], Permits | None]


def opening_lead(position: Position, cards: Hand) -> Permits | None:
    """K3, W6, W18, P3."""
    return (lambda card: card is position.opening) if position.opening else None


def follow_suit(position: Position, cards: Hand) -> Permits | None:
    """G1; a joker may be played to any lead, but does not oblige a player void in the suit (W4)."""
    led = position.led
    if led is None or led not in [card.suit for card in cards]:
        return None
    return lambda card: card.suit is led or card.suit is None


def hand_before_exposed(position: Position, cards: Hand) -> Permits | None:
    """C4, C5: a void player alone may choose freely between hand and exposed cards."""
    if not position.exposed:
        return None
    return lambda card: card in position.hand or not (position.leading or card.suit is position.led)


def joker_lead(position: Position, cards: Hand) -> Permits | None:
    """W4."""
    return (lambda card: card.suit is not None) if position.leading else None


def safe_first_trick(position: Position, cards: Hand) -> Permits | None:
    """K4, W7, P5."""
    if not position.first_trick or not position.rules.unsafe:
        return None
    return lambda card: card not in position.rules.unsafe


def hearts_unbroken(position: Position, cards: Hand) -> Permits | None:
    """K5, W8, P4."""
    rules = position.rules
    if not position.leading or position.hearts_broken or rules.hearts_broken_by is None:
        return None
    if rules.lead_hearts_with_queen and all(
        card.suit is Suit.HEARTS or card is QUEEN_OF_SPADES for card in cards
    ):
        return None
    return lambda card: card.suit is not Suit.HEARTS


#: G2: following suit comes first; each of them gives way when it would leave nothing.
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
        permits = restriction(position, cards)
        if permits is None:
            continue
        kept = tuple([card for card in cards if permits(card)])
        if kept and len(kept) < len(cards):
            yield restriction, kept
            cards = kept


def legal(position: Position) -> Hand:
    """The cards that may be played, in the order held, two copies twice."""
    allowed = position.hand + position.exposed
    for _, kept in _narrow(position):
        allowed = kept
    return allowed


def refuse_illegal(position: Position, card: Card) -> None:
    """Raise the Refusal that says why this card may not be played, if it may not."""
    if card not in position.hand and card not in position.exposed:
        raise Refusal("not_held", card=card)
    for restriction, kept in _narrow(position):
        if card not in kept:
            raise _refusal(restriction, position)


def _refusal(restriction: Restriction, position: Position) -> Refusal:
    id = restriction.__name__
    if restriction is safe_first_trick and position.rules.safe_first_trick is SafeFirstTrick.ALL_SCORING:
        id = "safe_from_scoring"
    return Refusal(id, suit=position.led, card=position.opening)
