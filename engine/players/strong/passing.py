"""Which cards to pass or expose: all choices are tried in the same sampled deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Hand, Suit, sort_hand
from engine.kernel.chance import chance
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy, Roles, play_out
from engine.kernel.learned import pick_gift
from engine.kernel.records import Laws, Position, rows_of
from engine.numbers.rows import (
    DIAMONDS,
    HEARTS,
    JOKERS,
    NONE,
    Grid,
    Row,
    bit_of,
    code_of,
    count,
    face,
    lowest,
    rank_of,
    suit_of,
)
from engine.numbers.worths import rows_with
from engine.play.views import SeatView
from engine.players.advice import Skills
from engine.players.sight import Copies, appeals_to_pass
from engine.players.strong.playing import BELIEF, may_aim, worth_of_appeals
from engine.players.strong.trials import SearchResult, Trials, deal_world, note_catches, note_end, search
from engine.players.strong.worlds import Knowledge

#: The most sets to try: of cards that a player wants to be rid of, and of low cards.
MOST_SETS, MOST_LOW = 84, 20
#: The most hearts' points by which a pass starts behind because its cards appeal less.
MOST_BEHIND = 3.0
#: How much worse a heart is than another card to keep for shooting the moon, in ranks.
LOW_HEART = 4

#: The wish below which a card is kept: a guard of a bleeder, or a well-guarded bleeder itself.
KEPT_BELOW = -4.0
#: With this many low cards in its suit, a player keeps a bleeder by habit.
GUARDS = 4
#: With this many cards in its suit, a bleeder is kept, and its catchers are too.
MANY = 6


class Exchange(NamedTuple):
    """How cards are passed: how many, how many seats to the left, and the dealer (NONE: no card leads)."""

    size: int
    offset: int
    dealer: int


def weigh_passes(
    view: SeatView,
    knowledge: Knowledge,
    policy: Policy,
    skills: Skills,
    effort: int,
    seed: int,
    also: Iterable[Hand] = (),
) -> SearchResult:
    """Try sets of cards to pass, including those in `also`."""
    choices = candidates(view, knowledge, also)
    passes = np.array([rows_of(_codes(knowledge.laws, cards)) for cards, _ in choices])
    aims = np.array([aim for _, aim in choices])
    offset = view.deal.offset % view.rules.players
    exchange = Exchange(view.rules.pass_cards, offset, opening_dealer(view))

    def attempt(trials: Trials, alive: NDArray[np.int64], first: int, last: int) -> None:
        try_passes(trials, exchange, passes, aims, alive, first, last)

    sets = [(cards, ()) for cards, _ in choices]
    hand = rows_with(Copies().take(view.hand))
    by_card = {
        face(code): appeal for code, appeal in appeals_to_pass(view, hand, view.rules.pass_cards).items()
    }
    appealing = np.array([sum(by_card[card] for card in cards) for cards, _ in choices])
    prior = worth_of_appeals(knowledge.laws, appealing, BELIEF * view.rules.pass_cards, MOST_BEHIND)
    return search(view, knowledge, policy, skills, sets, effort, seed, attempt, prior)


def opening_dealer(view: SeatView) -> int:
    """The dealer, if the lowest card leads and may still change hands; else NONE (C3)."""
    return NONE if view.rules.oldest_leads else view.deal.dealer


def candidates(view: SeatView, knowledge: Knowledge, also: Iterable[Hand] = ()) -> list[tuple[Hand, int]]:
    """Sets of cards to pass, each with this seat if it aims at the moon with the rest, else NONE."""
    size, laws = view.rules.pass_cards, knowledge.laws
    rows = rows_of(_codes(laws, view.hand))
    wishes = {card: wish(laws, rows, laws.codes(card)[0]) for card in view.hand}
    burdens = _sets(_burdens(view.hand, wishes, size), size, lambda card: -wishes[card], MOST_SETS)
    choices = [(cards, NONE) for cards in (*burdens, *map(sort_hand, also))]
    if may_aim(view, knowledge):
        low = _sets(view.hand, size, _height, MOST_LOW)
        choices += [(cards, view.seat) for cards in (*burdens[:MOST_LOW], *low)]
    return list(dict.fromkeys(choices))


def _burdens(hand: Hand, wishes: Mapping[Card, float], size: int) -> Hand:
    """The cards that no habit keeps; if there are too few, also the most unwanted of the others."""
    unwanted = [card for card in hand if wishes[card] > KEPT_BELOW]
    others = sorted((card for card in hand if wishes[card] <= KEPT_BELOW), key=lambda card: -wishes[card])
    return (*unwanted, *others[: max(0, size - len(unwanted))])


def _sets(hand: Hand, size: int, keep: Callable[[Card], float], most: int) -> list[Hand]:
    """Sets of this size from the cards least worth keeping, the least worth keeping first."""
    order = sorted(hand, key=keep)
    cards = size
    while cards < len(order) and comb(cards + 1, size) <= most:
        cards += 1
    ranked = sorted(combinations(range(cards), size), key=sum)
    return list(dict.fromkeys(sort_hand(order[index] for index in one) for one in ranked))


def _height(card: Card) -> float:
    """How well this card serves a player who tries to take every trick."""
    return card.rank - LOW_HEART * (card.suit is Suit.HEARTS)


def _codes(laws: Laws, cards: Hand) -> list[int]:
    """The codes of these cards, a different copy for each."""
    return [laws.codes(card)[cards[:index].count(card)] for index, card in enumerate(cards)]


@compiled
def try_passes(
    trials: Trials,
    exchange: Exchange,
    passes: Grid,
    aims: Row,
    options: NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Pass each of these sets in the same worlds."""
    policy, stakes, scratch, tallies = trials.policy, trials.stakes, trials.scratch, trials.tallies
    laws, random_state = trials.knowledge.laws, scratch.random_state
    world, end = scratch.positions[0], scratch.positions[1]
    gifts = np.zeros((laws.players, 5), np.int64)
    for number in range(first, last):
        learned = deal_world(trials, number)
        for seat in range(laws.players):
            if seat == stakes.seat:
                continue
            hand, gift = world.hands[seat], gifts[seat]
            if learned >> seat & 1:
                pick_gift(laws, policy.learned, hand, exchange.size, exchange.offset, gift)
            else:
                choose_gift(laws, hand, exchange.size, random_state, gift)
        luck = random_state[0]
        for option in options:
            random_state[0] = luck
            scratch.positions[1] = world
            gifts[stakes.seat] = passes[option]
            exchange_gifts(laws, exchange, gifts, end)
            play_out(laws, policy, Roles(aims[option], learned), end, random_state)
            note_catches(laws, world, end, stakes.seat, option, tallies)
            note_end(laws, stakes, end, option, number, tallies)


@compiled
def exchange_gifts(laws: Laws, exchange: Exchange, gifts: Grid, position: Position) -> None:
    """Exchange the gifts at once: everyone gives before anyone looks (G3)."""
    for seat in range(laws.players):
        receiver = (seat + exchange.offset) % laws.players
        for suit in range(5):
            position.hands[seat, suit] &= ~gifts[seat, suit]
            position.hands[receiver, suit] |= gifts[seat, suit]
    if exchange.dealer != NONE:
        find_leader(laws, position, exchange.dealer)


@compiled
def find_leader(laws: Laws, position: Position, dealer: int) -> None:
    """Let the lowest card in any hand lead; of two copies, the first from the dealer's left (W18)."""
    suit = 0
    while not position.in_play[suit]:
        suit += 1
    pair = 3 << (lowest(position.in_play[suit]) & ~1)
    for step in range(1, laws.players + 1):
        seat = (dealer + step) % laws.players
        if position.hands[seat, suit] & pair:
            position.leader = seat
            position.opening = code_of(suit, lowest(position.hands[seat, suit]))
            return


@compiled
def choose_gift(laws: Laws, hand: Row, size: int, random_state: Row, gift: Row) -> None:
    """Choose the cards that a player passes by habit: those that it most wants to be rid of."""
    for suit in range(5):
        gift[suit] = 0
    for _ in range(size):
        best, most = NONE, -1e9
        for suit in range(5):
            row = hand[suit] & ~gift[suit]
            while row:
                code = code_of(suit, lowest(row))
                row &= row - 1
                urge = wish(laws, hand, code) + chance(random_state)
                if urge > most:
                    best, most = code, urge
        gift[suit_of(best)] |= bit_of(best)


@compiled
def wish(laws: Laws, hand: Row, code: int) -> float:
    """How much a player wants to be rid of this card of its hand, in ranks."""
    suit, bit, rank = suit_of(code), bit_of(code), float(rank_of(code))
    if suit == JOKERS:
        return -50.0
    held = count(hand[suit])
    if laws.moon_is_good:
        return 14 - rank - (20 if laws.worth[code] > 5 else 0) + (1 if held < 3 else 0)
    if laws.prizes[suit] & bit:
        return -20.0
    if laws.bleeders[suit]:
        return wish_near_bleeder(laws, hand, code)
    if suit == HEARTS:
        return rank + 3
    short = 6 - 2 * held if held <= 3 else 0
    return rank - 1 + short + (1 if suit == DIAMONDS else 0)


@compiled
def wish_near_bleeder(laws: Laws, hand: Row, code: int) -> float:
    """`wish` in a suit with a bleeder, as spades with the queen: low cards guard her, long suits are kept."""
    suit, bit, rank = suit_of(code), bit_of(code), float(rank_of(code))
    high = laws.bleeders[suit] | laws.catchers[suit]
    if bit & high == 0:
        return -10.0 if hand[suit] & high else rank - 9
    if count(hand[suit]) >= MANY:
        return -5.0
    if count(hand[suit] & ~high) >= GUARDS:
        return 0.0
    return 40.0 if bit & laws.bleeders[suit] else 20 + rank


# Exposing


def weigh_exposures(
    view: SeatView, knowledge: Knowledge, policy: Policy, skills: Skills, effort: int, seed: int
) -> SearchResult:
    """Try exposing each card that may be exposed, and none."""
    aims = (NONE, view.seat) if may_aim(view, knowledge) else (NONE,)
    choices = [(cards, aim) for aim in aims for cards in ((), *((card,) for card in view.exposable))]
    variants = [_exposed(view, knowledge, *cards) for cards, _ in choices]
    dealer = opening_dealer(view)

    def attempt(trials: Trials, alive: NDArray[np.int64], first: int, last: int) -> None:
        for option in alive:
            _, aim = choices[option]
            try_deals(trials._replace(knowledge=variants[option]), dealer, aim, option, first, last)

    sets = [(cards, ()) for cards, _ in choices]
    return search(view, knowledge, policy, skills, sets, effort, seed, attempt)


def _exposed(view: SeatView, knowledge: Knowledge, *cards: Card) -> Knowledge:
    """The knowledge after this seat has exposed these cards."""
    position = knowledge.position.copies(1)[0]
    for code in (knowledge.laws.codes(card)[0] for card in cards):
        position.face_up[view.seat][suit_of(code)] |= bit_of(code)
    return knowledge._replace(laws=Laws.of(view.rules, view.deal.exposed + cards), position=position)


@compiled
def try_deals(trials: Trials, dealer: int, aim: int, option: int, first: int, last: int) -> None:
    """Play these worlds out from the first lead."""
    policy, stakes, scratch, tallies = trials.policy, trials.stakes, trials.scratch, trials.tallies
    laws, random_state = trials.knowledge.laws, scratch.random_state
    world, end = scratch.positions[0], scratch.positions[1]
    for number in range(first, last):
        learned = deal_world(trials, number)
        if dealer != NONE:
            find_leader(laws, world, dealer)
        scratch.positions[1] = world
        play_out(laws, policy, Roles(aim, learned), end, random_state)
        note_catches(laws, world, end, stakes.seat, option, tallies)
        note_end(laws, stakes, end, option, number, tallies)
