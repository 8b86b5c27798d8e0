"""What a player knows of the others' cards, based only on its own view."""

from __future__ import annotations

from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView


def not_seen(view: SeatView) -> list[Card]:
    """The cards that others may hold, those included that this player knows them to have."""
    deal = view.deal
    mine = view.hand, view.kitty, deal.face_up[view.seat]
    left = list(view.rules.pack.cards)
    for cards in (*mine, deal.on_hold, deal.trick.cards, *deal.taken):
        for card in cards:
            left.remove(card)
    return left


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


def voids(view: SeatView) -> set[tuple[int, Suit | None]]:
    """The seats that have shown to be void, and in which suit; playing a joker shows nothing (W4)."""
    shown: set[tuple[int, Suit | None]] = set()
    for trick in (*(done.trick for done in view.deal.tricks), view.deal.trick):
        led = trick.led_suit
        for index, card in enumerate(trick.cards):
            if card.suit is not led and card.suit is not None:
                shown.add((trick.seat(index, view.rules.players), led))
    return shown
