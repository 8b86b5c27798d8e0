"""A deal in play: cards laid to the trick, tricks taken, and the points at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from engine.cards import QUEEN_OF_SPADES, Card, Hand, Suit, sort_hand, without
from engine.errors import Refusal
from engine.play.deal import Deal, DoneTrick, Phase, with_seat
from engine.rules import plays
from engine.rules.counting import total
from engine.rules.options import HeartsBrokenBy, Moon, MoonChoice
from engine.rules.ruleset import Ruleset
from engine.rules.settled import is_settled
from engine.rules.tricks import Trick, cancelled, kitty_share, winning_index


def play(deal: Deal, seat: int, card: Card) -> Deal:
    """The card is laid to the trick; Refusal if it is not this seat's turn or the rules forbid it."""
    if seat != deal.turn:
        raise Refusal("not_your_turn")
    if card not in deal.playable:
        raise plays.refusal(deal.position(seat), card)
    return lay(deal, (card,))


def lay(deal: Deal, cards: Hand) -> Deal:
    """These cards, which may be played, to the trick in turn; no more than it still takes."""
    players = deal.rules.players
    hands, face_up = list(deal.hands), list(deal.face_up)
    for index, card in enumerate(cards, len(deal.trick.cards)):
        seat = deal.trick.seat(index, players)
        held = hands if card in hands[seat] else face_up
        held[seat] = without(held[seat], (card,))
    trick = replace(deal.trick, cards=deal.trick.cards + cards)
    deal = replace(deal, hands=tuple(hands), face_up=tuple(face_up), trick=trick)
    return _take(deal) if len(trick.cards) == players else deal


def _take(deal: Deal) -> Deal:
    """The trick is complete: to its winner, or on hold."""
    rules, trick, last = deal.rules, deal.trick, deal.is_last_trick
    share = kitty_share(rules, deal.kitty, first=not deal.tricks, last=last)
    index = winning_index(rules, trick, last=last)
    hands, face_up = _pick_up(deal, trick.led_suit)
    deal = replace(
        deal,
        hands=hands,
        face_up=face_up,
        kitty=deal.kitty[len(share) :],
        on_hold=deal.on_hold + trick.cards,
        kitty_on_hold=deal.kitty_on_hold + share,
        hearts_broken=deal.hearts_broken or _breaks_hearts(rules, trick.cards),
    )
    twins = cancelled(rules, trick.cards)
    deal = _hold(deal, twins) if index is None else _collect(deal, trick.seat(index, rules.players), twins)
    if last:
        return _settle_moon(deal)
    if deal.settled_after is None and _is_settled(deal):
        return replace(deal, settled_after=len(deal.tricks))
    return deal


def _is_settled(deal: Deal) -> bool:
    """Whether all can know that nothing hangs on who takes what: neither points nor who leads next (C3).

    What somebody has taken from the kitty only they know (W3): for all others it may still be held.
    """
    held = chain(*deal.hands, *deal.face_up, *deal.kitty_taken)
    left = [*held, *deal.kitty, *deal.on_hold, *deal.kitty_on_hold]
    if deal.rules.preset.leads_next in left:
        return False
    return is_settled(deal.rules.counting, deal.taken, left, deal.exposed)


def _hold(deal: Deal, twins: frozenset[Card]) -> Deal:
    """Nobody wins the trick just complete: its leader leads again."""
    done = DoneTrick(deal.trick, None, twins, won=(), kitty=0, entries=(), so_far=deal.so_far)
    return replace(deal, tricks=(*deal.tricks, done), trick=Trick(deal.trick.leader))


def _collect(deal: Deal, winner: int, twins: frozenset[Card]) -> Deal:
    """The winner takes the trick just complete, and with it those on hold."""
    cards, kitty, before = deal.on_hold, deal.kitty_on_hold, deal.so_far
    entries = deal.rules.counting.entries(cards, deal.exposed)
    cost = total(entries)
    so_far = with_seat(before, winner, before[winner] + cost) if cost else before
    done = DoneTrick(deal.trick, winner, twins, cards, len(kitty), entries, so_far, cost)
    return replace(
        deal,
        tricks=(*deal.tricks, done),
        trick=Trick(winner),
        taken=with_seat(deal.taken, winner, deal.taken[winner] + cards),
        kitty_taken=with_seat(deal.kitty_taken, winner, deal.kitty_taken[winner] + kitty),
        on_hold=(),
        kitty_on_hold=(),
    )


def _pick_up(deal: Deal, suit: Suit | None) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
    """C6: exposed cards of the suit led that were not played return to the hand."""
    if not any(deal.face_up):
        return deal.hands, deal.face_up
    back = [tuple(card for card in cards if card.suit is suit) for cards in deal.face_up]
    hands = tuple(sort_hand(hand + more) for hand, more in zip(deal.hands, back, strict=True))
    face_up = tuple(without(cards, more) for cards, more in zip(deal.face_up, back, strict=True))
    return hands, face_up


def _breaks_hearts(rules: Ruleset, cards: Hand) -> bool:
    """K5, W8, P4."""
    return any(card.suit is Suit.HEARTS for card in cards) or (
        rules.hearts_broken_by is HeartsBrokenBy.HEARTS_OR_QUEEN and QUEEN_OF_SPADES in cards
    )


def _settle_moon(deal: Deal) -> Deal:
    deal = replace(deal, shooter=deal.rules.counting.shooter(deal.piles))
    if deal.rules.moon is Moon.CHOICE and deal.shooter is not None:
        return replace(deal, phase=Phase.CHOOSING_MOON)
    return finish(deal)


def finish(deal: Deal, choice: MoonChoice | None = None) -> Deal:
    """The deal with its points, and with the choice of who shot the moon where the rules give one."""
    accounts = deal.rules.counting.accounts(deal.piles, deal.exposed, choice)
    return replace(deal, phase=Phase.DONE, choice=choice, accounts=accounts)
