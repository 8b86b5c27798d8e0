"""A deal at one moment, as a frozen value, and its course: passing, exposing, playing and scoring."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import chain
from typing import Any, TypeVar

from engine.cards import QUEEN_OF_SPADES, Card, Hand, Suit, sort_hand, without
from engine.errors import Refusal
from engine.play.moves import Dealt, Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.seal import seal
from engine.play.values import replace
from engine.rules import plays
from engine.rules.counting import Account, Why, total
from engine.rules.options import HeartsBrokenBy, Moon, MoonChoice
from engine.rules.plays import (
    Trick,
    cancelled,
    is_settled,
    kitty_share,
    pass_offset,
    takes_the_rest,
    winning_index,
)
from engine.rules.ruleset import Ruleset

T = TypeVar("T")


class Phase(Enum):
    """A deal's phase."""

    PASSING = "passing"
    EXPOSING = "exposing"
    PLAYING = "playing"
    CHOOSING_MOON = "choosing moon"
    DONE = "done"


@dataclass(frozen=True)
class DoneTrick:
    """A complete trick; `winner` is None if it was put on hold (W21, P7)."""

    trick: Trick
    winner: int | None
    cancelled: frozenset[Card]
    won: Hand  # the cards its winner took: the trick's and those on hold
    kitty: int  # the number of kitty cards that went with these; only their taker knows which (W3)
    entries: Account  # its cards that count
    so_far: tuple[int, ...]  # the points of each player's cards after it, without the kitty's
    cost: int = 0  # the winner's points from it

    @cached_property
    def winning(self) -> int | None:
        """The index of the card that won."""
        return None if self.winner is None else (self.winner - self.trick.leader) % len(self.trick.cards)

    @cached_property
    def multipliers(self) -> Account:
        """Its cards that multiply the winner's points in the deal."""
        return tuple([entry for entry in self.entries if entry.why is Why.MULTIPLIER])


@dataclass(frozen=True)  # without slots, for cached properties
class Deal:
    """A deal at one moment. All tuples by seat have an entry for each player."""

    rules: Ruleset
    number: int  # from 1
    dealt: Dealt
    phase: Phase
    hands: tuple[Hand, ...]
    kitty: Hand
    passes: tuple[Hand | None, ...]
    trick: Trick
    received: tuple[Hand, ...]
    exposures: tuple[tuple[int, Card], ...] = ()
    face_up: tuple[Hand, ...] = ()
    declined: frozenset[int] = frozenset()
    opening: Card | None = None
    tricks: tuple[DoneTrick, ...] = ()
    taken: tuple[Hand, ...] = ()
    on_hold: Hand = ()
    kitty_taken: tuple[Hand, ...] = ()  # separate, as only the taker sees these (W3)
    kitty_on_hold: Hand = ()
    hearts_broken: bool = False
    settled_after: int | None = None  # the number of tricks after which no points were left
    claimed_after: int | None = None  # with points left: that after which the player to lead had the rest
    shooter: int | None = None  # of the moon, once every card is taken
    choice: MoonChoice | None = None
    accounts: tuple[Account, ...] | None = None  # each pile's points, and why
    seal: str | None = None  # of the cards as dealt; computed once, as it is shown after every card

    @property
    def points(self) -> tuple[int, ...] | None:
        """Each player's points; None until the deal is done."""
        return None if self.accounts is None else tuple(map(total, self.accounts))

    @property
    def is_decided(self) -> bool:
        """Whether the outcome is fixed, however the rest is played."""
        return self.settled_after is not None or self.claimed_after is not None

    @property
    def is_last_trick(self) -> bool:
        """Whether this is the last trick of the deal."""
        return len(self.tricks) == self.rules.pack.hand_size - 1

    @property
    def is_known_to_be_forced(self) -> bool:
        """Whether everyone knows that the next card is forced: the opening lead, and a hand's last card."""
        is_opening = self.opening is not None and not self.tricks and not self.trick.cards
        return is_opening or self.is_last_trick

    @property
    def exposed(self) -> Hand:
        """All cards that were exposed in this deal, wherever they are now."""
        return tuple([card for _, card in self.exposures])

    @property
    def so_far(self) -> tuple[int, ...]:
        """The points of each player's cards so far, without the kitty's."""
        return self.tricks[-1].so_far if self.tricks else (0,) * self.rules.players

    @property
    def offset(self) -> int:
        """How many seats to the left cards are passed in this deal; 0 for none."""
        return pass_offset(self.rules, self.number)

    @cached_property
    def turn(self) -> int | None:
        """The seat whose turn it is to play a card."""
        if self.phase is not Phase.PLAYING:
            return None
        return self.trick.seat(len(self.trick.cards), self.rules.players)

    @property
    def piles(self) -> tuple[Hand, ...]:
        """All cards that each player has taken, in tricks and from the kitty."""
        return tuple(map(operator.add, self.taken, self.kitty_taken))

    @cached_property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that the deal waits for: the one to play, or those that still have to choose."""
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
                return (turn,) if (turn := self.turn) is not None else ()
            case Phase.CHOOSING_MOON:
                return (self.shooter,) if self.shooter is not None else ()
            case Phase.DONE:
                return ()

    def exposable(self, seat: int) -> Hand:
        """The cards that this player holds and may expose in the exposing phase (C2)."""
        return tuple(card for card in self.hands[seat] if card in self.rules.preset.exposable)

    def position(self, seat: int) -> plays.Situation:
        """This seat's situation, which decides the cards that it may play in its turn."""
        return plays.Situation(
            self.rules,
            self.hands[seat],
            self.face_up[seat],
            leading=not self.trick.cards,
            led=self.trick.led_suit,
            first_trick=not self.tricks,
            hearts_broken=self.hearts_broken,
            opening=self.opening if not self.tricks and not self.trick.cards else None,
        )

    @cached_property
    def playable(self) -> Hand:
        """The cards that may be played now, by the seat whose turn it is."""
        return () if self.turn is None else plays.legal(self.position(self.turn))

    def legal(self, seat: int) -> Hand:
        """The cards that this seat may play now; none unless it is its turn."""
        return self.playable if seat == self.turn else ()


# The course of a deal, from the cards dealt to the points


def start_deal(rules: Ruleset, number: int, dealt: Dealt, first_leader: int | None = None) -> Deal:
    """The deal with this number (from 1), just dealt; `first_leader` leads if no card decides (C3)."""
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
        face_up=nothing,
        taken=nothing,
        kitty_taken=nothing,
        trick=Trick(first_leader or 0),
        seal=seal(number, dealt),
    )
    return deal if deal.offset else after_passing(deal)


def advance_deal(deal: Deal, move: SeatMove) -> Deal:
    """The deal after this move; Refusal if the rules forbid it."""
    check_seat(deal.rules, move.seat)
    match deal.phase, move:
        case Phase.DONE, _:
            raise Refusal("deal_over")
        case Phase.PASSING, Passed(seat, cards):
            return pass_cards(deal, seat, cards)
        case _, Passed():
            raise Refusal("not_passing")
        case Phase.EXPOSING, Exposed(seat, card):
            return expose(deal, seat, card)
        case Phase.EXPOSING, Declined(seat):
            return decline(deal, seat)
        case _, Exposed() | Declined():
            raise Refusal("not_exposing")
        case Phase.PLAYING, Played(seat, card):
            return play_card(deal, seat, card)
        case _, Played():
            raise Refusal("not_playing")
        case Phase.CHOOSING_MOON, MoonChosen(seat, choice) if seat == deal.shooter:
            return finish(deal, choice)
        case _:
            raise Refusal("no_moon_choice")


def check_seat(rules: Ruleset, seat: int) -> None:
    """Refusal unless the game has this seat: Python would count a negative one from the end."""
    if seat not in range(rules.players):
        raise Refusal("no_such_seat", given=seat, most=rules.players - 1)


def replay_deal(deal: Deal, moves: Sequence[SeatMove]) -> Deal:
    """The deal after moves that are known to be legal: whole tricks are added at once, unchecked."""
    at = 0
    while at < len(moves):
        move, cards = moves[at], _plays(moves[at : at + deal.rules.players - len(deal.trick.cards)])
        deal = lay(deal, cards) if cards else advance_deal(deal, move)
        at += len(cards) or 1
    return deal


def _plays(moves: Sequence[SeatMove]) -> Hand:
    """The cards of the plays at the start of these moves."""
    cards: list[Card] = []
    for move in moves:
        if not isinstance(move, Played):
            break
        cards.append(move.card)
    return tuple(cards)


# Passing, exposing, and who leads


def pass_cards(deal: Deal, seat: int, cards: Hand) -> Deal:
    """Choose this seat's cards to pass; when all have chosen, they change hands."""
    if len(cards) != deal.rules.pass_cards:
        raise Refusal("pass_count", count=deal.rules.pass_cards)
    for card in cards:
        if cards.count(card) > deal.hands[seat].count(card):
            raise Refusal("not_held", card=card)
    deal = replace(deal, passes=with_seat(deal.passes, seat, sort_hand(cards)))
    return deal if None in deal.passes else _exchange(deal)


def _exchange(deal: Deal) -> Deal:
    """G3: everyone gives before anyone looks."""
    passes = [cards or () for cards in deal.passes]
    players = deal.rules.players
    received = tuple(passes[(seat - deal.offset) % players] for seat in range(players))
    hands = tuple(
        sort_hand(without(hand, passes[seat]) + received[seat]) for seat, hand in enumerate(deal.hands)
    )
    return after_passing(replace(deal, hands=hands, received=received))


def after_passing(deal: Deal) -> Deal:
    """Start exposing if the game has it, else the first trick."""
    if deal.rules.preset.exposable:
        return _continue_exposing(replace(deal, phase=Phase.EXPOSING))
    return _start_play(deal)


def expose(deal: Deal, seat: int, card: Card) -> Deal:
    """Expose this card (C2)."""
    if card not in deal.rules.preset.exposable:
        raise Refusal("not_exposable", cards=deal.rules.preset.exposable)
    if card not in deal.hands[seat]:
        raise Refusal("not_held", card=card)
    # C2: players who declined may change their minds.
    return _continue_exposing(replace(_lay_open(deal, seat, card), declined=frozenset()))


def decline(deal: Deal, seat: int) -> Deal:
    """Expose nothing more from this seat, unless someone else does (C2)."""
    if not deal.exposable(seat):
        raise Refusal("nothing_to_expose")
    return _continue_exposing(replace(deal, declined=deal.declined | {seat}))


def _lay_open(deal: Deal, seat: int, card: Card) -> Deal:
    return replace(
        deal,
        hands=with_seat(deal.hands, seat, without(deal.hands[seat], (card,))),
        face_up=with_seat(deal.face_up, seat, sort_hand((*deal.face_up[seat], card))),
        exposures=(*deal.exposures, (seat, card)),
    )


def _continue_exposing(deal: Deal) -> Deal:
    """C2: force the fourth card, and start play once everyone has declined."""
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


# Cards played, tricks taken, and the points at the end


def play_card(deal: Deal, seat: int, card: Card) -> Deal:
    """Play this card; Refusal if it isn't this seat's turn or the rules forbid it."""
    if seat != deal.turn:
        raise Refusal("not_your_turn")
    if card not in deal.playable:
        raise plays.refusal(deal.position(seat), card)
    return lay(deal, (card,))


def lay(deal: Deal, cards: Hand) -> Deal:
    """Add these legal cards to the trick in turn; at most as many as complete it."""
    players = deal.rules.players
    hands, face_up = list(deal.hands), list(deal.face_up)
    for index, card in enumerate(cards, len(deal.trick.cards)):
        seat = deal.trick.seat(index, players)
        source = hands if card in hands[seat] else face_up
        source[seat] = without(source[seat], (card,))
    trick = Trick(deal.trick.leader, deal.trick.cards + cards)
    if len(trick.cards) == players:
        return _take(deal, trick, *_pick_up(hands, face_up, trick.led_suit))
    return replace(deal, hands=tuple(hands), face_up=tuple(face_up), trick=trick)


def _take(deal: Deal, trick: Trick, hands: tuple[Hand, ...], face_up: tuple[Hand, ...]) -> Deal:
    """Give the complete trick to its winner, or put it on hold; `hands` and `face_up` no longer have it."""
    rules, last = deal.rules, deal.is_last_trick
    share = kitty_share(rules, deal.kitty, first=not deal.tricks, last=last)
    index = winning_index(rules, trick, last=last)
    resolve = _hold if index is None else partial(_collect, winner=trick.seat(index, rules.players))
    deal = replace(
        deal,
        hands=hands,
        face_up=face_up,
        kitty=deal.kitty[len(share) :],
        hearts_broken=deal.hearts_broken or _breaks_hearts(rules, trick.cards),
        **resolve(deal, trick, deal.on_hold + trick.cards, deal.kitty_on_hold + share),
    )
    if last:
        return _end_play(deal)
    if deal.settled_after is None and _is_settled(deal):
        return replace(deal, settled_after=len(deal.tricks))
    if not deal.is_decided and _is_claimed(deal):
        return replace(deal, claimed_after=len(deal.tricks))
    return deal


def _hold(deal: Deal, trick: Trick, cards: Hand, kitty: Hand) -> dict[str, Any]:
    """The fields that change when nobody wins the trick: it is put on hold, and its leader leads again."""
    twins = cancelled(deal.rules, trick.cards)
    done_trick = DoneTrick(trick, None, twins, won=(), kitty=0, entries=(), so_far=deal.so_far)
    return {
        "tricks": (*deal.tricks, done_trick),
        "trick": Trick(trick.leader),
        "on_hold": cards,
        "kitty_on_hold": kitty,
    }


def _collect(deal: Deal, trick: Trick, cards: Hand, kitty: Hand, winner: int) -> dict[str, Any]:
    """The fields that change when this seat wins the trick, and with it what is on hold."""
    entries, before = deal.rules.counting.entries(cards, deal.exposed), deal.so_far
    cost = total(entries)
    so_far = with_seat(before, winner, before[winner] + cost) if cost else before
    twins = cancelled(deal.rules, trick.cards)
    done_trick = DoneTrick(trick, winner, twins, cards, len(kitty), entries, so_far, cost)
    return {
        "tricks": (*deal.tricks, done_trick),
        "trick": Trick(winner),
        "taken": with_seat(deal.taken, winner, deal.taken[winner] + cards),
        "kitty_taken": with_seat(deal.kitty_taken, winner, deal.kitty_taken[winner] + kitty),
        "on_hold": (),
        "kitty_on_hold": (),
    }


def _is_settled(deal: Deal) -> bool:
    """Whether everyone knows that the rest can't change the points, or who leads the next deal (C3).

    Only its taker knows a kitty card (W3): for all that others know, it may still be in a hand.
    """
    hidden = (*deal.kitty_taken, deal.kitty, deal.kitty_on_hold)
    remaining = tuple(chain(*deal.hands, *deal.face_up, deal.on_hold, *hidden))
    if deal.rules.preset.leads_next in remaining:
        return False
    return is_settled(deal.rules.counting, deal.taken, remaining, deal.exposed)


def _is_claimed(deal: Deal) -> bool:
    """Whether the player to lead can be sure of every remaining trick.

    They don't know the kitty cards that they haven't taken (W3): those may be in a hand.
    """
    leader = deal.trick.leader
    by_seat = [chain(*cards) for cards in zip(deal.hands, deal.face_up, deal.kitty_taken, strict=True)]
    others = chain(*by_seat[:leader], *by_seat[leader + 1 :], deal.kitty, deal.kitty_on_hold)
    return takes_the_rest(deal.rules, deal.hands[leader] + deal.face_up[leader], others)


def _pick_up(
    hands: Sequence[Hand], face_up: Sequence[Hand], suit: Suit | None
) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
    """C6: return exposed cards of the suit led that weren't played to the hand."""
    if any(face_up):
        back = [tuple(card for card in cards if card.suit is suit) for cards in face_up]
        hands = [sort_hand(hand + more) for hand, more in zip(hands, back, strict=True)]
        face_up = [without(cards, more) for cards, more in zip(face_up, back, strict=True)]
    return tuple(hands), tuple(face_up)


def _breaks_hearts(rules: Ruleset, cards: Hand) -> bool:
    """K5, W8, P4."""
    return any(card.suit is Suit.HEARTS for card in cards) or (
        rules.hearts_broken_by is HeartsBrokenBy.HEARTS_OR_QUEEN and QUEEN_OF_SPADES in cards
    )


def _end_play(deal: Deal) -> Deal:
    """Find the shooter, and count the points unless that player may choose (K7, W23, P9)."""
    deal = replace(deal, shooter=deal.rules.counting.shooter(deal.piles))
    if deal.rules.moon is Moon.CHOICE and deal.shooter is not None:
        return replace(deal, phase=Phase.CHOOSING_MOON)
    return finish(deal)


def finish(deal: Deal, choice: MoonChoice | None = None) -> Deal:
    """The deal with its points, after the shooter's choice if there is one."""
    accounts = deal.rules.counting.accounts(deal.piles, deal.exposed, choice)
    return replace(deal, phase=Phase.DONE, choice=choice, accounts=accounts)


def with_seat(values: Sequence[T], seat: int, value: T) -> tuple[T, ...]:
    """These values by seat, with one seat's replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
