"""A player's knowledge of the others' cards, based only on its view."""

from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView


def not_seen(view: SeatView) -> list[Card]:
    """The cards that others may hold, including those that this player knows them to hold."""
    deal = view.deal
    mine = view.hand, view.kitty, deal.face_up[view.seat]
    remaining = list(view.rules.pack.cards)
    for cards in (*mine, deal.on_hold, deal.trick.cards, *deal.taken):
        for card in cards:
            remaining.remove(card)
    return remaining


def passed_on(view: SeatView) -> dict[int, Hand]:
    """By receiver, the cards that this player passed and that haven't been played yet."""
    deal = view.deal
    if not view.passed or not deal.offset or deal.phase is Phase.PASSING:
        return {}
    receiver = (view.seat + deal.offset) % view.rules.players
    remaining = list(view.passed)
    for trick in (*(one.trick for one in deal.tricks), deal.trick):
        index = (receiver - trick.leader) % view.rules.players
        if index < len(trick.cards) and trick.cards[index] in remaining:
            remaining.remove(trick.cards[index])
    return {receiver: tuple(remaining)}


def voids(view: SeatView) -> set[tuple[int, Suit | None]]:
    """The seats that are known to be void, each with the suit; playing a joker shows nothing (W4)."""
    pairs: set[tuple[int, Suit | None]] = set()
    for trick in (*(one.trick for one in view.deal.tricks), view.deal.trick):
        led = trick.led_suit
        for index, card in enumerate(trick.cards):
            if card.suit is not led and card.suit is not None:
                pairs.add((trick.seat(index, view.rules.players), led))
    return pairs
