"""Deals that learning players play among themselves, and duels that judge them, in compiled code.

Each decision's card is drawn by its appeal. After the deal, a result that was better than expected makes what
was seen of the chosen card more appealing (policy gradient). Expectations are learned too, in a table, and
blended with results by `TRACE`.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernel.chance import below, chance
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy, Roles, choose, find_moon, is_over
from engine.kernel.learned import Learned, pick_gift, see
from engine.kernel.records import LAWS, SEATS, Laws, Position
from engine.kernel.rules import count_up, derive_fields, lay, legal, shooter_of, turn
from engine.numbers.appeal import (
    PARTS,
    WEIGHTS,
    Sight,
    look,
    look_to_expose,
    look_to_pass,
    losers_in_hand,
    most_appealing,
    state_of_moon,
    way_of,
)
from engine.numbers.rows import CODES, NONE, Grid, Row, bit_of, count, nth, size, suit_of
from engine.players.strong.passing import Exchange, choose_gift, exchange_gifts, find_leader
from engine.rules.plays import rotation
from engine.rules.ruleset import Ruleset

#: The most decisions of a deal, and the most cards in one.
DECISIONS, CARDS = 260, 52
#: How much the result counts against later expectations: at 1 it alone does, at 0 only the next expectation.
TRACE = 0.9
#: How often players of habit join a table: then each seat has one with a chance of a half.
MIXED = 0.5
#: The states that expectations are learned for: during play, by cards left, the moon, points out and a
#: bleeder; before play, by losers.
_IN_PLAY = 40 * 11 * 8 * 5
STATES = _IN_PLAY + 64


class LearnedGame(NamedTuple):
    """A game to be learned, in numbers."""

    variants: Sequence[Laws]  # for each set of exposed cards, as bits
    exposable: Row
    cards: Row
    pass_size: int
    offsets: Row
    lowest_leads: bool
    unit: float  # what a heart costs where 26 points are at stake
    dread: float  # what another's moon costs beyond the points, in units
    policy: Policy  # of players of habit

    @staticmethod
    def of(rules: Ruleset) -> LearnedGame:
        """The game with these rules."""
        exposable = rules.preset.exposable
        exposed = [
            tuple([card for index, card in enumerate(exposable) if mask >> index & 1])
            for mask in range(1 << len(exposable))
        ]
        variants = np.zeros(len(exposed), LAWS)
        for index, cards in enumerate(exposed):
            variants[index] = Laws.of(rules, cards)
        laws = Laws.of(rules)
        unit = laws.at_stake / 26
        is_feared = laws.moon_is_possible and not laws.moon_is_good
        dread = abs(rules.counting.moon_worth) / (rules.players - 1) / unit if is_feared else 0.0
        return LearnedGame(
            cast("Sequence[Laws]", variants),
            _row([laws.codes(card)[0] for card in exposable]),
            _row([code for card in dict.fromkeys(rules.pack.cards) for code in laws.codes(card)]),
            rules.pass_cards,
            _row([offset % rules.players for offset in rotation(rules)] if rules.pass_cards else [0]),
            not rules.oldest_leads,
            unit,
            dread,
            Policy(),
        )


def _row(values: Sequence[int]) -> Row:
    return cast("Row", np.array(values, np.int64))


class DealBuffers(NamedTuple):
    """Working memory for a deal; two-dimensional arrays are by decision."""

    positions: MutableSequence[Position]  # the deal, one before it begins, and an empty one
    deck: Row
    gifts: Grid
    rest: Row
    legal: Row
    sight: Learned
    codes: Row
    seen: NDArray[np.int64]
    odds: NDArray[np.float64]
    who: Row
    options: Row
    chosen: Row
    state: Row
    before: NDArray[np.float64]
    value: NDArray[np.float64]
    ahead: NDArray[np.float64]

    @staticmethod
    def new() -> DealBuffers:
        """Memory for any game."""

        def row(length: int) -> Row:
            return _row([0] * length)

        return DealBuffers(
            positions=Position.several(3),
            deck=row(CODES),
            gifts=cast("Grid", np.zeros((SEATS, 5), np.int64)),
            rest=row(5),
            legal=row(5),
            sight=Learned.of([0] * WEIGHTS),
            codes=row(CODES),
            seen=np.zeros((DECISIONS, CARDS * PARTS), np.int64),
            odds=np.zeros((DECISIONS, CARDS)),
            who=row(DECISIONS),
            options=row(DECISIONS),
            chosen=row(DECISIONS),
            state=row(DECISIONS),
            before=np.zeros(DECISIONS),
            value=np.zeros(SEATS),
            ahead=np.zeros(SEATS),
        )


class Lessons(NamedTuple):
    """The weights and expectations learned so far, and the gradient of the current step."""

    weights: NDArray[np.float64]
    gradient: NDArray[np.float64]
    expected: NDArray[np.float64]  # by state
    visits: NDArray[np.int64]

    @staticmethod
    def none() -> Lessons:
        """No lessons yet: all zeros."""
        return Lessons(np.zeros(WEIGHTS), np.zeros(WEIGHTS), np.zeros(STATES), np.zeros(STATES, np.int64))


@compiled
def study(game: LearnedGame, lessons: Lessons, memory: DealBuffers, deals: int, state: Row) -> int:
    """Play these deals and add what they teach to the gradient; returns the number of decisions."""
    total = 0
    for _ in range(deals):
        memory.positions[0] = memory.positions[2]
        deal_out(game, memory, state)
        habits = below(state, 1 << game.variants[0].players) if chance(state) < MIXED else 0
        decisions, offset = 0, game.offsets[below(state, len(game.offsets))]
        if game.pass_size and offset:
            decisions = study_passes(game, lessons, memory, habits, offset, state)
        deal = memory.positions[0]
        deal.leader = below(state, game.variants[0].players)
        derive_fields(game.variants[0], deal)
        if game.lowest_leads:
            find_leader(game.variants[0], deal, below(state, game.variants[0].players))
        exposed = 0
        for index in range(len(game.exposable)):
            exposed |= study_exposing(game, lessons, memory, decisions, index, state) << index
            decisions += 1
        decisions = study_cards(game, game.variants[exposed], lessons, memory, habits, decisions, state)
        look_back(game, game.variants[exposed], lessons, memory, decisions)
        total += decisions
    return total


@compiled
def deal_out(game: LearnedGame, memory: DealBuffers, state: Row) -> None:
    """Deal the cards at random."""
    deck, deal, cards, laws = memory.deck, memory.positions[0], len(game.cards), game.variants[0]
    for index in range(cards):
        deck[index] = game.cards[index]
    for index in range(cards - 1, 0, -1):
        other = below(state, index + 1)
        deck[index], deck[other] = deck[other], deck[index]
    for index in range(cards):
        seat = index // laws.hand_size
        if seat < laws.players:
            deal.hands[seat, suit_of(deck[index])] |= bit_of(deck[index])
        else:
            deal.kitty[index - laws.players * laws.hand_size] = deck[index]


@compiled
def study_passes(
    game: LearnedGame, lessons: Lessons, memory: DealBuffers, habits: int, offset: int, state: Row
) -> int:
    """Let everyone pass; returns the number of decisions."""
    laws, deal, decisions = game.variants[0], memory.positions[0], 0
    way = way_of(laws.players, offset)
    for seat in range(laws.players):
        if habits >> seat & 1:
            choose_gift(laws, deal.hands[seat], game.pass_size, state, memory.gifts[seat])
            continue
        losers = losers_in_hand(laws, deal.hands[seat])
        for suit in range(5):
            memory.gifts[seat, suit], memory.rest[suit] = 0, deal.hands[seat, suit]
        for index in range(game.pass_size):
            cards = look_to_pass(
                laws, memory.rest, losers, game.pass_size - index, way, memory.codes, memory.seen[decisions]
            )
            code = memory.codes[draw(lessons, memory, decisions, cards, seat, state)]
            memory.before[decisions], memory.state[decisions] = 0.0, _IN_PLAY + losers * 3 + way
            memory.gifts[seat, suit_of(code)] |= bit_of(code)
            memory.rest[suit_of(code)] &= ~bit_of(code)
            decisions += 1
    exchange_gifts(laws, Exchange(game.pass_size, offset, NONE), memory.gifts, deal)
    return decisions


@compiled
def study_exposing(
    game: LearnedGame, lessons: Lessons, memory: DealBuffers, decision: int, index: int, state: Row
) -> int:
    """Let the holder of this card expose it or not; returns 1 or 0."""
    laws, deal, code = game.variants[0], memory.positions[0], game.exposable[index]
    seat = who_holds(deal, code)
    losers = losers_in_hand(laws, deal.hands[seat])
    look_to_expose(laws, deal.hands[seat], losers, code, memory.seen[decision])
    exposes = draw(lessons, memory, decision, 2, seat, state)
    memory.before[decision], memory.state[decision] = 0.0, _IN_PLAY + 32 + losers
    if exposes:
        deal.face_up[seat, suit_of(code)] |= bit_of(code)
    return exposes


@compiled
def who_holds(deal: Position, code: int) -> int:
    """The seat with this card in its hand."""
    seat = 0
    while not deal.hands[seat, suit_of(code)] & bit_of(code):
        seat += 1
    return seat


@compiled
def study_cards(
    game: LearnedGame,
    laws: Laws,
    lessons: Lessons,
    memory: DealBuffers,
    habits: int,
    decisions: int,
    state: Row,
) -> int:
    """Play the deal; returns the number of decisions so far."""
    deal, rows, alarm = memory.positions[0], memory.legal, 3 + below(state, 6)
    while not is_over(laws, deal):
        moon, trick = find_moon(laws, deal, NONE, alarm), deal.tricks_done
        while deal.tricks_done == trick:
            legal(laws, deal, rows)
            if size(rows) == 1:
                lay(laws, deal, nth(rows, 0))
                continue
            seat = turn(laws, deal)
            if habits >> seat & 1:
                lay(laws, deal, choose(laws, game.policy, Roles(NONE, 0), moon, deal, rows, state))
                continue
            see(laws, deal, seat, moon.holder, moon.taken, memory.sight)
            cards = look(laws, memory.sight, rows, memory.codes, memory.seen[decisions])
            code = memory.codes[draw(lessons, memory, decisions, cards, seat, state)]
            memory.before[decisions] = lead_of(laws, deal, seat) / game.unit
            memory.state[decisions] = state_of(laws, deal, memory.sight)
            decisions += 1
            lay(laws, deal, code)
    count_up(laws, deal)
    return decisions


@compiled
def draw(lessons: Lessons, memory: DealBuffers, decision: int, options: int, seat: int, state: Row) -> int:
    """Choose one of these options at random, by their appeal, and note the decision; returns its number."""
    seen, odds, weights = memory.seen[decision], memory.odds[decision], lessons.weights
    most = -1e9
    for option in range(options):
        total = 0.0
        for part in range(PARTS * option, PARTS * option + PARTS):
            total += weights[seen[part]]
        odds[option] = total
        most = max(most, total)
    whole = 0.0
    for option in range(options):
        odds[option] = exp(max(odds[option] - most, -12.0))
        whole += odds[option]
    point, chosen = chance(state) * whole, options - 1
    for option in range(options):
        point -= odds[option]
        if point < 0.0:
            chosen = option
            break
    for option in range(options):
        odds[option] /= whole
    memory.who[decision], memory.options[decision], memory.chosen[decision] = seat, options, chosen
    return chosen


@compiled
def lead_of(laws: Laws, deal: Position, seat: int) -> float:
    """The seat's points less the others' mean, with the sign that makes more better."""
    others = 0.0
    for other in range(laws.players):
        if other != seat:
            others += deal.points[other]
    return laws.goal * (deal.points[seat] - others / (laws.players - 1))


@compiled
def state_of(laws: Laws, deal: Position, sight: Sight) -> int:
    """The state that this player's expectation is learned for."""
    out, bleeder, cards = 0, 0, 0
    for suit in range(5):
        out += count(deal.in_play[suit] & laws.deciding[suit])
        cards += count(sight.mine[suit])
        bad = laws.bleeders[suit] & deal.in_play[suit]
        if bad:
            mine = sight.mine[suit]
            few = count(mine & ~bad & ~laws.catchers[suit]) < 3
            bleeder = 4
            if mine & bad:
                bleeder = 1 if few else 2
            elif few and mine & laws.catchers[suit]:
                bleeder = 3
    moon = state_of_moon(laws, sight)
    return ((min(cards, 39) * 11 + moon) * 8 + min((out + 1) // 2, 7)) * 5 + bleeder


@compiled
def look_back(game: LearnedGame, laws: Laws, lessons: Lessons, memory: DealBuffers, decisions: int) -> None:
    """Learn from a finished deal, from its last decision to its first."""
    deal, value, ahead = memory.positions[0], memory.value, memory.ahead
    shooter = shooter_of(laws, deal)
    for seat in range(laws.players):
        value[seat] = lead_of(laws, deal, seat) / game.unit
        if shooter not in (NONE, seat):
            value[seat] -= game.dread
        ahead[seat] = 0.0
    for index in range(decisions - 1, -1, -1):
        seat, state = memory.who[index], memory.state[index]
        now = memory.before[index] + lessons.expected[state]
        ahead[seat] = value[seat] - now + TRACE * ahead[seat]
        value[seat] = now
        lessons.visits[state] += 1
        lessons.expected[state] += ahead[seat] * max(0.0005, 1.0 / lessons.visits[state])
        for option in range(memory.options[index]):
            chosen = 1.0 if option == memory.chosen[index] else 0.0
            push = ahead[seat] * (chosen - memory.odds[index, option])
            for part in range(PARTS * option, PARTS * option + PARTS):
                lessons.gradient[memory.seen[index, part]] += push


# Duels


class Duellist(NamedTuple):
    """A player in a duel."""

    policy: Policy
    has_learned: bool  # else it plays by habit


def duel(
    game: LearnedGame, one: Duellist, others: Duellist, memory: DealBuffers, deals: int, state: Row
) -> tuple[NDArray[np.float64], float, float]:
    """Play each deal once for each seat, with `one` in it against `others`.

    Returns how many points better `one` was, deal by deal, and the shares of its hands and of the others'
    that shot the moon.
    """
    better, moons = np.zeros(deals), np.zeros(2, np.int64)
    _duel(game, one, others, memory, state, better, moons)
    hands = deals * game.variants[0].players
    return better, moons[0] / hands, moons[1] / hands / (game.variants[0].players - 1)


@compiled
def _duel(
    game: LearnedGame,
    one: Duellist,
    others: Duellist,
    memory: DealBuffers,
    state: Row,
    better: NDArray[np.float64],
    moons: NDArray[np.int64],
) -> None:
    laws, positions = game.variants[0], memory.positions
    for deal in range(len(better)):
        positions[0] = positions[2]
        deal_out(game, memory, state)
        positions[1] = positions[0]
        offset, leader = game.offsets[below(state, len(game.offsets))], below(state, laws.players)
        for seat in range(laws.players):
            positions[0] = positions[1]
            positions[0].leader = leader
            variant = game.variants[play(game, one, others, memory, seat, offset, state)]
            better[deal] += lead_of(variant, positions[0], seat) / laws.players
            shooter = shooter_of(variant, positions[0])
            if shooter != NONE:
                moons[0 if shooter == seat else 1] += 1


@compiled
def play(
    game: LearnedGame,
    one: Duellist,
    others: Duellist,
    memory: DealBuffers,
    seat: int,
    offset: int,
    state: Row,
) -> int:
    """Play the deal in memory with `one` in this seat; returns the index of its variant."""
    laws, deal, rows = game.variants[0], memory.positions[0], memory.legal
    if game.pass_size and offset:
        for giver in range(laws.players):
            who = one if giver == seat else others
            if who.has_learned:
                pick_gift(
                    laws, who.policy.learned, deal.hands[giver], game.pass_size, offset, memory.gifts[giver]
                )
            else:
                choose_gift(laws, deal.hands[giver], game.pass_size, state, memory.gifts[giver])
        exchange_gifts(laws, Exchange(game.pass_size, offset, NONE), memory.gifts, deal)
    derive_fields(laws, deal)
    if game.lowest_leads:
        find_leader(laws, deal, deal.leader)
    exposed = expose(game, one, others, deal, seat)
    laws = game.variants[exposed]
    alarm = 5
    while not is_over(laws, deal):
        moon, trick = find_moon(laws, deal, NONE, alarm), deal.tricks_done
        while deal.tricks_done == trick:
            legal(laws, deal, rows)
            who = one if turn(laws, deal) == seat else others
            roles = Roles(NONE, (1 << laws.players) - 1 if who.has_learned else 0)
            lay(laws, deal, choose(laws, who.policy, roles, moon, deal, rows, state))
    count_up(laws, deal)
    return exposed


@compiled
def expose(game: LearnedGame, one: Duellist, others: Duellist, deal: Position, seat: int) -> int:
    """Let everyone who has learned expose cards; returns them as bits."""
    laws, exposed = game.variants[0], 0
    for index in range(len(game.exposable)):
        code = game.exposable[index]
        holder = who_holds(deal, code)
        who = one if holder == seat else others
        if who.has_learned:
            learned, hand = who.policy.learned, deal.hands[holder]
            look_to_expose(laws, hand, losers_in_hand(laws, hand), code, learned.seen)
            if most_appealing(learned.weights, learned.seen, 2):
                deal.face_up[holder, suit_of(code)] |= bit_of(code)
                exposed |= 1 << index
    return exposed
