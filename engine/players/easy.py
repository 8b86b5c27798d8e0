"""A beginner: sees the trick on the table, remembers the last few, and ignores the others' cards."""

from collections.abc import Callable
from random import Random

from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.moon import moon_choice

#: The number of tricks for which a beginner remembers what hurt.
TRICKS_REMEMBERED = 3


def easy_move(view: SeatView, rng: Random) -> SeatMove:
    """A beginner's move, with honest mistakes; chance decides among equally good ones."""
    match view.deal.phase:
        case Phase.PASSING:
            return Passed(view.seat, _pass(view, rng))
        case Phase.EXPOSING:
            return _expose(view)
        case Phase.PLAYING:
            return Played(view.seat, _play(view, rng.sample(view.legal, len(view.legal))))
        case Phase.CHOOSING_MOON:
            return MoonChosen(view.seat, moon_choice(view))
        case Phase.DONE:
            raise ValueError("the deal is over")


def _worth(view: SeatView, card: Card) -> int:
    """A card's points, positive if good; a beginner doesn't think of moons and doubling."""
    return view.rules.winner.sign * view.rules.counting.values.get(card, 0)


def _is_eager(view: SeatView) -> bool:
    """Whether taking tricks is good on the whole."""
    return sum(_worth(view, card) for card in view.rules.counting.values) > 0


def _unwelcome_first(view: SeatView) -> Callable[[Card], tuple[int, int]]:
    """A sort key: the worst cards to hold first, high cards before low ones.

    If tricks are worth taking, low ones come first.
    """
    high = -1 if _is_eager(view) else 1
    return lambda card: (_worth(view, card), -high * card.rank)


def _pass(view: SeatView, rng: Random) -> Hand:
    """The worst cards, high ones first, regardless of short suits."""
    hand = sorted(rng.sample(view.hand, len(view.hand)), key=_unwelcome_first(view))
    return tuple(hand[: view.rules.pass_cards])


def _expose(view: SeatView) -> Exposed | Declined:
    """A good card, if the hand also has a higher one of its suit."""
    for card in view.exposable:
        is_guarded = any(own.suit is card.suit and own.rank > card.rank for own in view.hand)
        if is_guarded and _worth(view, card) > 0:
            return Exposed(view.seat, card)
    return Declined(view.seat)


def _play(view: SeatView, cards: list[Card]) -> Card:
    """One of these legal cards."""
    led = view.deal.trick.led_suit
    if led is None:
        return _lead(view, cards)
    if any(card.suit is led for card in cards):
        return _follow(view, cards)
    return min(cards, key=_unwelcome_first(view))


def _lead(view: SeatView, cards: list[Card]) -> Card:
    """A high card of a suit that seems safe, else a low card."""
    quiet = [card for card in cards if _seems_quiet(view, card.suit)]
    if quiet or _is_eager(view):
        return max(quiet or cards, key=lambda card: card.rank)
    return min(cards, key=lambda card: card.rank)


def _seems_quiet(view: SeatView, suit: Suit | None) -> bool:
    """Whether no card of the suit hurts, and no remembered trick in it did."""
    if any(card.suit is suit and _worth(view, card) < 0 for card in view.rules.counting.values):
        return False
    recent = [one.trick for one in view.deal.tricks[-TRICKS_REMEMBERED:]]
    return all(trick.led_suit is not suit or _total_worth(view, trick.cards) >= 0 for trick in recent)


def _total_worth(view: SeatView, cards: Hand) -> int:
    return sum(_worth(view, card) for card in cards)


def _follow(view: SeatView, cards: list[Card]) -> Card:
    """Avoid tricks that hurt, take good ones, and play high if there are no points yet."""
    deal, led = view.deal, view.deal.trick.led_suit
    best = deal.trick.cards[deal.winning].rank if deal.winning is not None else -1
    over = [card for card in cards if card.suit is led and card.rank > best]
    under = [card for card in cards if card not in over]
    under = [card for card in under if card.suit] or under  # a joker may be wanted later
    pot = _total_worth(view, deal.trick.cards + deal.on_hold)
    if pot > 0:
        return _high(over) if over else _low(under)
    if under and min(_worth(view, card) for card in under) < 0:
        return min(under, key=lambda card: (_worth(view, card), -card.rank))  # someone else will probably win
    if pot < 0:
        is_last = len(deal.trick.cards) == view.rules.players - 1
        return _high(under) if under else _high(over) if is_last else _low(over)
    if _is_eager(view):
        return _low(cards)
    harmless = [card for card in cards if _worth(view, card) >= 0]
    return _high(harmless) if harmless else _low(cards)


def _high(cards: list[Card]) -> Card:
    return max(cards, key=lambda card: card.rank)


def _low(cards: list[Card]) -> Card:
    return min(cards, key=lambda card: card.rank)
