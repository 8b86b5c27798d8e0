"""The last tricks solved exactly, as if everyone saw all cards: each seat plays best for itself.

That is a search of all lines of play (max^n) in compiled code. It doesn't call itself: numba can't load
a function that does from its cache.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernel.compiled import Grid, Row, compiled
from engine.kernel.habits import Roles, is_over, play_on, play_out
from engine.kernel.records import SEATS, Laws, Position
from engine.kernel.rows import NONE, below, chance, code_of, lowest
from engine.kernel.rules import count_up, lay, legal, turn
from engine.players.strong.playing import note_trick
from engine.players.strong.trials import Trials, deal_world, note_end

#: Less than any value.
_WORST = -(1 << 60)


class Lines(NamedTuple):
    """Working memory for a search, indexed by its depth: how many cards have been laid."""

    positions: MutableSequence[Position]
    untried: Grid  # the cards that are still to be tried
    tried: Row  # the card that is being tried
    best: Row  # the best value so far for the seat to play
    ties: Row  # how many cards have that value
    values: Grid  # by seat, what the best line is worth
    ends: Row  # the depth at which the best line ends
    cards: Grid  # the best line's cards, each at its depth

    @staticmethod
    def up_to(cards: int) -> Lines:
        """Memory for lines of this many cards."""
        depths = cards + 1

        def memory(*shape: int) -> NDArray[np.int64]:
            return np.zeros((depths, *shape), np.int64)

        tried, best, ties, ends = (cast("Row", memory()) for _ in range(4))
        untried, values, line = (cast("Grid", memory(size)) for size in (5, SEATS, depths))
        return Lines(Position.several(depths), untried, tried, best, ties, values, ends, line)


@compiled
def solve(laws: Laws, lines: Lines, random_state: Row) -> int:
    """Find the line of play from the first position, `cards[0]`; returns its length.

    Among cards that are equally good for whoever plays them, chance decides.
    """
    depth = 0
    _begin(laws, lines, depth)
    while True:
        code = _next_card(lines.untried[depth])
        if code != NONE:
            lines.tried[depth] = code
            lines.positions[depth + 1] = lines.positions[depth]
            depth += 1
            lay(laws, lines.positions[depth], code)
            _begin(laws, lines, depth)
        elif depth:
            depth -= 1
            _compare(laws, lines, depth, random_state)
        else:
            return lines.ends[0]


@compiled
def _begin(laws: Laws, lines: Lines, depth: int) -> None:
    """Note the cards that may be played here or, at the end, what it is worth to each seat."""
    position = lines.positions[depth]
    lines.ends[depth] = depth
    if is_over(laws, position):
        for suit in range(5):
            lines.untried[depth, suit] = 0
        count_up(laws, position)
        total = 0
        for seat in range(laws.players):
            total += position.points[seat]
        for seat in range(laws.players):  # the lead on the others' mean, times a constant
            lines.values[depth, seat] = laws.goal * (laws.players * position.points[seat] - total)
        return
    lines.best[depth] = _WORST
    legal(laws, position, lines.untried[depth])
    for suit in range(5):
        lines.untried[depth, suit] = _one_of_equals(laws, position, suit, lines.untried[depth, suit])


@compiled
def _one_of_equals(laws: Laws, position: Position, suit: int, row: int) -> int:
    """These cards of a hand, but of those that do the same only the lowest."""
    kept, last = 0, -1
    while row:
        place = lowest(row)
        row &= row - 1
        if last < 0 or not _alike(laws, position, suit, last, place):
            kept |= 1 << place
        last = place
    return kept


@compiled
def _alike(laws: Laws, position: Position, suit: int, low: int, high: int) -> bool:
    """Whether two cards of a hand count the same, with nobody else's in between."""
    if laws.twins_cancel or laws.value[code_of(suit, low)] != laws.value[code_of(suit, high)]:
        return False
    for kind in (laws.deciding, laws.multiplier, laws.company, laws.moon, laws.sun):
        if kind[suit] >> low & 1 != kind[suit] >> high & 1:
            return False
    return position.in_play[suit] & ((1 << high) - 1) & ~((2 << low) - 1) == 0


@compiled
def _next_card(untried: Row) -> int:
    """Take the lowest of these cards; NONE if there are none."""
    for suit in range(5):
        if untried[suit]:
            code = code_of(suit, lowest(untried[suit]))
            untried[suit] &= untried[suit] - 1
            return code
    return NONE


@compiled
def _compare(laws: Laws, lines: Lines, depth: int, random_state: Row) -> None:
    """Keep the line with the card just tried, if it is the best so far for the seat to play."""
    value = lines.values[depth + 1, turn(laws, lines.positions[depth])]
    if value < lines.best[depth]:
        return
    lines.ties[depth] = 1 if value > lines.best[depth] else lines.ties[depth] + 1
    if below(random_state, lines.ties[depth]):
        return
    lines.best[depth], lines.ends[depth] = value, lines.ends[depth + 1]
    for seat in range(laws.players):
        lines.values[depth, seat] = lines.values[depth + 1, seat]
    lines.cards[depth, depth] = lines.tried[depth]
    for later in range(depth + 1, lines.ends[depth]):
        lines.cards[depth, later] = lines.cards[depth + 1, later]


@compiled
def solve_cards(
    trials: Trials, lines: Lines, cards: Row, options: NDArray[np.int64], share: float, first: int, last: int
) -> None:
    """Try each of these cards in the same worlds, of which this share is solved, and the rest played out."""
    policy, stakes, scratch, tallies = trials.policy, trials.stakes, trials.scratch, trials.tallies
    laws, random_state = trials.known.laws, scratch.random_state
    world, end = scratch.positions[0], scratch.positions[1]
    for number in range(first, last):
        roles = Roles(stakes.seat, NONE, deal_world(trials, number))
        solved = chance(random_state) < share
        luck = random_state[0]
        for option in options:
            random_state[0] = luck
            scratch.positions[1] = world
            lay(laws, end, cards[option])
            if solved:
                lines.positions[0] = end
                length, depth = solve(laws, lines, random_state), 0
                while depth < length and end.tricks_done == world.tricks_done:
                    lay(laws, end, lines.cards[0, depth])
                    depth += 1
                note_trick(laws, world, end, stakes.seat, option, tallies)
                while depth < length:
                    lay(laws, end, lines.cards[0, depth])
                    depth += 1
                count_up(laws, end)
            else:
                play_on(laws, policy, roles, end, random_state, world.tricks_done + 1)
                note_trick(laws, world, end, stakes.seat, option, tallies)
                play_out(laws, policy, roles, end, random_state)
            note_end(laws, stakes, end, option, number, tallies)
