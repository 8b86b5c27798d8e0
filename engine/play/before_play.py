"""A deal before its first trick: passing, exposing, and who leads."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Hand, sort_hand, without
from engine.errors import Refusal
from engine.play.deal import Deal, Phase, with_seat
from engine.rules.tricks import Trick


def pass_cards(deal: Deal, seat: int, cards: Hand) -> Deal:
    """This seat's cards are chosen; when all have chosen, they change hands."""
    if len(cards) != deal.rules.pass_cards:
        raise Refusal("pass_count", count=deal.rules.pass_cards)
    for card in cards:
        if cards.count(card) > deal.hands[seat].count(card):
            raise Refusal("not_held", card=card)
    deal = replace(deal, passes=with_seat(deal.passes, seat, sort_hand(cards)))
    return deal if None in deal.passes else _exchange(deal)


def _exchange(deal: Deal) -> Deal:
    """G3: everybody gives before anybody looks."""
    given = [cards or () for cards in deal.passes]
    players = deal.rules.players
    received = tuple(given[(seat - deal.offset) % players] for seat in range(players))
    hands = tuple(
        sort_hand(without(hand, given[seat]) + received[seat]) for seat, hand in enumerate(deal.hands)
    )
    return after_passing(replace(deal, hands=hands, received=received))


def after_passing(deal: Deal) -> Deal:
    """Exposing comes next where the game has it, else the first trick."""
    if deal.rules.preset.exposable:
        return _settle_exposing(replace(deal, phase=Phase.EXPOSING))
    return _start_play(deal)


def expose(deal: Deal, seat: int, card: Card) -> Deal:
    """The card is laid face up (C2)."""
    if card not in deal.rules.preset.exposable:
        raise Refusal("not_exposable", cards=deal.rules.preset.exposable)
    if card not in deal.hands[seat]:
        raise Refusal("not_held", card=card)
    # C2: whoever was done may think again.
    return _settle_exposing(replace(_lay_open(deal, seat, card), declined=frozenset()))


def decline(deal: Deal, seat: int) -> Deal:
    """This seat exposes nothing more, unless somebody else does (C2)."""
    if not deal.exposable(seat):
        raise Refusal("nothing_to_expose")
    return _settle_exposing(replace(deal, declined=deal.declined | {seat}))


def _lay_open(deal: Deal, seat: int, card: Card) -> Deal:
    return replace(
        deal,
        hands=with_seat(deal.hands, seat, without(deal.hands[seat], (card,))),
        face_up=with_seat(deal.face_up, seat, sort_hand((*deal.face_up[seat], card))),
        exposures=(*deal.exposures, (seat, card)),
    )


def _settle_exposing(deal: Deal) -> Deal:
    """C2: the fourth card is forced, and the phase ends when nobody is still willing."""
    if len(deal.exposures) == len(deal.rules.preset.exposable) - 1:
        for seat in range(deal.rules.players):
            for card in deal.exposable(seat):
                deal = _lay_open(deal, seat, card)
    return deal if deal.waiting_for else _start_play(deal)


def _start_play(deal: Deal) -> Deal:
    deal = replace(deal, phase=Phase.PLAYING)
    if deal.rules.oldest_leads:
        return deal
    seats = [(deal.dealt.dealer + step) % deal.rules.players for step in range(1, deal.rules.players + 1)]
    for card in deal.rules.pack.cards:  # clubs come first, from the lowest
        for seat in seats:  # W18: from the dealer's left
            if card in deal.hands[seat]:
                return replace(deal, trick=Trick(seat), opening=card)
    raise AssertionError("a deal without cards")
