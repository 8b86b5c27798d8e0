"""One deal, from the cards dealt to the points: frozen values, and `advance` from one to the next."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from engine.cards import (
    ACE_OF_HEARTS,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    TEN_OF_CLUBS,
    Card,
    Hand,
    Suit,
    sort_hand,
    without,
)
from engine.errors import Refusal
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.rules import plays, scoring
from engine.rules.options import HeartsBrokenBy, Moon, MoonChoice
from engine.rules.passing import pass_offset
from engine.rules.presets import Opening
from engine.rules.ruleset import Ruleset
from engine.rules.tricks import Trick, kitty_share, winning_index

T = TypeVar("T")

#: C2
EXPOSABLE: frozenset[Card] = frozenset((QUEEN_OF_SPADES, JACK_OF_DIAMONDS, ACE_OF_HEARTS, TEN_OF_CLUBS))


class Phase(Enum):
    """What a deal waits for."""

    PASSING = "passing"
    EXPOSING = "exposing"
    PLAYING = "playing"
    CHOOSING_MOON = "choosing moon"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class DoneTrick:
    """A complete trick; `winner` is None where it was put on hold (W21, P7)."""

    trick: Trick
    winner: int | None
    kitty: int  # how many of the kitty's cards went with it; which ones is their taker's secret


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal at one moment. All tuples by seat have an entry for each player."""

    rules: Ruleset
    number: int
    dealt: Dealt
    phase: Phase
    hands: tuple[Hand, ...]
    kitty: Hand
    passes: tuple[Hand | None, ...]
    trick: Trick
    received: tuple[Hand, ...]
    exposures: tuple[tuple[int, Card], ...] = ()
    lying: tuple[Hand, ...] = ()
    declined: frozenset[int] = frozenset()
    opening: Card | None = None
    tricks: tuple[DoneTrick, ...] = ()
    taken: tuple[Hand, ...] = ()
    on_hold: Hand = ()
    kitty_taken: tuple[Hand, ...] = ()  # kept apart: shown to the taker alone (W3)
    kitty_on_hold: Hand = ()
    hearts_broken: bool = False
    shooter: int | None = None  # who shot the moon, once every card is taken
    choice: MoonChoice | None = None
    points: tuple[int, ...] | None = None

    @property
    def offset(self) -> int:
        """How many seats to the left cards are passed in this deal; 0 for none."""
        return pass_offset(self.rules.preset.rotation, self.rules.players, self.rules.pass_cards, self.number)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is to play a card."""
        if self.phase is not Phase.PLAYING:
            return None
        return self.trick.seat(len(self.trick.cards), self.rules.players)

    @property
    def piles(self) -> tuple[Hand, ...]:
        """All that each player has taken, in tricks and from the kitty."""
        return tuple(map(operator.add, self.taken, self.kitty_taken))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that the deal waits for, by turn or because each has still to choose."""
        match self.phase:
            case Phase.PASSING:
                return tuple(seat for seat, cards in enumerate(self.passes) if cards is None)
            case Phase.EXPOSING:
                return tuple(
                    seat
                    for seat in range(self.rules.players)
                    if self.exposable(seat) and seat not in self.declined
                )
            case Phase.PLAYING:
                return (self.turn,) if self.turn is not None else ()
            case Phase.CHOOSING_MOON:
                return (self.shooter,) if self.shooter is not None else ()
            case Phase.DONE:
                return ()

    def exposable(self, seat: int) -> Hand:
        """The cards that this player holds and may expose in the exposing phase (C2)."""
        return tuple(card for card in self.hands[seat] if card in EXPOSABLE)

    def position(self, seat: int) -> plays.Position:
        """What decides the cards that this seat may play when it is its turn."""
        return plays.Position(
            self.rules,
            self.hands[seat],
            self.lying[seat],
            leading=not self.trick.cards,
            led=self.trick.led_suit,
            first_trick=not self.tricks,
            hearts_broken=self.hearts_broken,
            opening=self.opening if not self.tricks and not self.trick.cards else None,
        )

    def legal(self, seat: int) -> Hand:
        """The cards that this seat may play now: nothing unless it is its turn."""
        return plays.legal(self.position(seat)) if seat == self.turn else ()


def start(rules: Ruleset, number: int, dealt: Dealt, first_leader: int | None = None) -> Deal:
    """The deal (from 1) as its cards are dealt; `first_leader` leads where no card decides it (C3)."""
    nothing: tuple[Hand, ...] = ((),) * rules.players
    deal = Deal(
        rules=rules,
        number=number,
        dealt=dealt,
        phase=Phase.PASSING,
        hands=tuple(sort_hand(hand) for hand in dealt.hands),
        kitty=dealt.kitty,
        passes=(None,) * rules.players,
        received=nothing,
        lying=nothing,
        taken=nothing,
        kitty_taken=nothing,
        trick=Trick(first_leader or 0),
    )
    return deal if deal.offset else _after_passing(deal)


def advance(deal: Deal, move: SeatMove) -> Deal:
    """The deal after this move; Refusal, and nothing changed, if the rules forbid it."""
    match deal.phase, move:
        case Phase.DONE, _:
            raise Refusal("deal_over")
        case Phase.PASSING, Passed(seat, cards):
            return _pass(deal, seat, cards)
        case _, Passed():
            raise Refusal("not_passing")
        case Phase.EXPOSING, Exposed(seat, card):
            return _expose(deal, seat, card)
        case Phase.EXPOSING, Declined(seat):
            return _decline(deal, seat)
        case _, Exposed() | Declined():
            raise Refusal("not_exposing")
        case Phase.PLAYING, Played(seat, card):
            return _play(deal, seat, card)
        case _, Played():
            raise Refusal("not_playing")
        case Phase.CHOOSING_MOON, MoonChosen(seat, choice) if seat == deal.shooter:
            return _finish(replace(deal, choice=choice))
        case _:
            raise Refusal("no_moon_choice")


def replay(deal: Deal, moves: Sequence[SeatMove]) -> Deal:
    """The deal after these moves, which were legal once: cards are laid by the trick, and not checked."""
    at = 0
    while at < len(moves):
        move, cards = moves[at], _plays(moves[at : at + deal.rules.players - len(deal.trick.cards)])
        deal = _lay(deal, cards) if cards else advance(deal, move)
        at += len(cards) or 1
    return deal


def _plays(moves: Sequence[SeatMove]) -> Hand:
    """The cards of the plays with which these moves begin."""
    cards: list[Card] = []
    for move in moves:
        if not isinstance(move, Played):
            break
        cards.append(move.card)
    return tuple(cards)


def _pass(deal: Deal, seat: int, cards: Hand) -> Deal:
    if len(cards) != deal.rules.pass_cards:
        raise Refusal("pass_count", count=deal.rules.pass_cards)
    for card in cards:
        if cards.count(card) > deal.hands[seat].count(card):
            raise Refusal("not_held", card=card.title)
    deal = replace(deal, passes=_with(deal.passes, seat, sort_hand(cards)))
    if None in deal.passes:
        return deal
    given = [cards or () for cards in deal.passes]
    players = deal.rules.players
    received = tuple(given[(seat - deal.offset) % players] for seat in range(players))
    hands = tuple(
        sort_hand(without(hand, given[seat]) + received[seat]) for seat, hand in enumerate(deal.hands)
    )  # G3
    return _after_passing(replace(deal, hands=hands, received=received))


def _after_passing(deal: Deal) -> Deal:
    if deal.rules.preset.exposing:
        return _settle_exposing(replace(deal, phase=Phase.EXPOSING))
    return _start_play(deal)


def _expose(deal: Deal, seat: int, card: Card) -> Deal:
    if card not in EXPOSABLE:
        raise Refusal("not_exposable")
    if card not in deal.hands[seat]:
        raise Refusal("not_held", card=card.title)
    # C2: whoever was done may think again.
    return _settle_exposing(replace(_lay_open(deal, seat, card), declined=frozenset()))


def _decline(deal: Deal, seat: int) -> Deal:
    if not deal.exposable(seat):
        raise Refusal("nothing_to_expose")
    return _settle_exposing(replace(deal, declined=deal.declined | {seat}))


def _lay_open(deal: Deal, seat: int, card: Card) -> Deal:
    return replace(
        deal,
        hands=_with(deal.hands, seat, without(deal.hands[seat], (card,))),
        lying=_with(deal.lying, seat, sort_hand((*deal.lying[seat], card))),
        exposures=(*deal.exposures, (seat, card)),
    )


def _settle_exposing(deal: Deal) -> Deal:
    """C2: the fourth card is forced, and the phase ends when nobody is still willing."""
    if len(deal.exposures) == len(EXPOSABLE) - 1:
        for seat in range(deal.rules.players):
            for card in deal.exposable(seat):
                deal = _lay_open(deal, seat, card)
    return deal if deal.waiting_for else _start_play(deal)


def _start_play(deal: Deal) -> Deal:
    deal = replace(deal, phase=Phase.PLAYING)
    if deal.rules.preset.opening is not Opening.LOWEST_CLUB:
        return deal
    seats = [(deal.dealt.dealer + step) % deal.rules.players for step in range(1, deal.rules.players + 1)]
    for card in deal.rules.pack.cards:  # clubs come first, from the lowest
        for seat in seats:  # W18: from the dealer's left
            if card in deal.hands[seat]:
                return replace(deal, trick=Trick(seat), opening=card)
    raise AssertionError("a deal without cards")


def _play(deal: Deal, seat: int, card: Card) -> Deal:
    if seat != deal.turn:
        raise Refusal("not_your_turn")
    plays.refuse_illegal(deal.position(seat), card)
    return _lay(deal, (card,))


def _lay(deal: Deal, cards: Hand) -> Deal:
    """These cards, which may be played, to the trick in turn; no more than it still takes."""
    players = deal.rules.players
    hands, lying = list(deal.hands), list(deal.lying)
    for index, card in enumerate(cards, len(deal.trick.cards)):
        seat = deal.trick.seat(index, players)
        held = hands if card in hands[seat] else lying
        held[seat] = without(held[seat], (card,))
    trick = replace(deal.trick, cards=deal.trick.cards + cards)
    deal = replace(deal, hands=tuple(hands), lying=tuple(lying), trick=trick)
    return _take(deal) if len(trick.cards) == players else deal


def _take(deal: Deal) -> Deal:
    """The trick is complete: to its winner, or on hold."""
    rules, trick = deal.rules, deal.trick
    last = len(deal.tricks) == rules.pack.hand_size - 1
    share = kitty_share(rules, deal.kitty, first=not deal.tricks, last=last)
    index = winning_index(rules, trick, last=last)
    winner = None if index is None else trick.seat(index, rules.players)
    on_hold, kitty_on_hold = deal.on_hold + trick.cards, deal.kitty_on_hold + share
    taken, kitty_taken = deal.taken, deal.kitty_taken
    if winner is not None:
        taken = _with(taken, winner, taken[winner] + on_hold)
        kitty_taken = _with(kitty_taken, winner, kitty_taken[winner] + kitty_on_hold)
        on_hold = kitty_on_hold = ()
    hands, lying = _pick_up(deal, trick.led_suit)
    deal = replace(
        deal,
        hands=hands,
        lying=lying,
        kitty=deal.kitty[len(share) :],
        tricks=(*deal.tricks, DoneTrick(trick, winner, len(share))),
        taken=taken,
        on_hold=on_hold,
        kitty_taken=kitty_taken,
        kitty_on_hold=kitty_on_hold,
        trick=Trick(trick.leader if winner is None else winner),
        hearts_broken=deal.hearts_broken or _breaks_hearts(rules, trick.cards),
    )
    return _settle_moon(deal) if last else deal


def _pick_up(deal: Deal, suit: Suit | None) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
    """C6: exposed cards of the suit led that were not played return to the hand."""
    if not any(deal.lying):
        return deal.hands, deal.lying
    back = [tuple(card for card in cards if card.suit is suit) for cards in deal.lying]
    hands = tuple(sort_hand(hand + more) for hand, more in zip(deal.hands, back, strict=True))
    lying = tuple(without(cards, more) for cards, more in zip(deal.lying, back, strict=True))
    return hands, lying


def _settle_moon(deal: Deal) -> Deal:
    deal = replace(deal, shooter=scoring.shooter(deal.rules, deal.piles))
    if deal.rules.moon is Moon.CHOICE and deal.shooter is not None:
        return replace(deal, phase=Phase.CHOOSING_MOON)
    return _finish(deal)


def _breaks_hearts(rules: Ruleset, cards: Hand) -> bool:
    """K5, W8, P4."""
    return any(card.suit is Suit.HEARTS for card in cards) or (
        rules.hearts_broken_by is HeartsBrokenBy.HEARTS_OR_QUEEN and QUEEN_OF_SPADES in cards
    )


def _finish(deal: Deal) -> Deal:
    exposed = tuple(card for _, card in deal.exposures)
    points = scoring.score(deal.rules, deal.piles, exposed, deal.choice)
    return replace(deal, phase=Phase.DONE, points=points)


def _with(values: Sequence[T], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
