"""Players who have learned, in a playout: see `engine.numbers.appeal`."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from engine.kernel.compiled import compiled
from engine.kernel.records import Laws, Position
from engine.numbers.appeal import (
    PARTS,
    WEIGHTS,
    Sight,
    look,
    look_to_pass,
    losers_in_hand,
    most_appealing,
    way_of,
)
from engine.numbers.rows import CODES, Numbers, Row, bit_of, suit_of


class Learned(NamedTuple):
    """A game's weights, and memory for what a player looks at."""

    weights: Numbers
    codes: Row
    seen: Row
    theirs: Row
    rest: Row

    @staticmethod
    def of(weights: Numbers) -> Learned:
        """Players with these weights."""
        codes, seen, theirs, rest = (np.zeros(size, np.int64) for size in (CODES, CODES * PARTS, 5, 5))
        return Learned(
            *(cast("Row", one) for one in (np.array(weights, np.int16), codes, seen, theirs, rest))
        )


#: Players who find all cards alike.
INDIFFERENT = Learned.of([0] * WEIGHTS)


@compiled
def see(laws: Laws, position: Position, seat: int, holder: int, held: int, theirs: Row) -> Sight:
    """What this seat sees; puts in `theirs` what the others hold."""
    for suit in range(5):
        theirs[suit] = position.in_play[suit] & ~position.hands[seat, suit] & ~position.trick_rows[suit]
    return Sight(
        seat,
        position.hands[seat],
        theirs,
        position.trick_rows,
        position.voids,
        position.laid,
        position.led,
        position.best,
        position.winner,
        laws.goal * (position.trick_points + position.held_points),
        position.tricks_done == 0,
        holder,
        held,
        0,
    )


@compiled
def pick(laws: Laws, learned: Learned, sight: Sight, legal: Row) -> int:
    """The legal card that appeals most."""
    found = look(laws, sight, legal, learned.codes, learned.seen)
    return learned.codes[most_appealing(learned.weights, learned.seen, found)]


@compiled
def pick_gift(laws: Laws, learned: Learned, hand: Row, size: int, offset: int, gift: Row) -> None:
    """Choose what to pass, one card after another."""
    rest, losers, way = learned.rest, losers_in_hand(laws, hand), way_of(laws.players, offset)
    for suit in range(5):
        rest[suit], gift[suit] = hand[suit], 0
    for index in range(size):
        found = look_to_pass(laws, rest, losers, size - index, way, learned.codes, learned.seen)
        code = learned.codes[most_appealing(learned.weights, learned.seen, found)]
        gift[suit_of(code)] |= bit_of(code)
        rest[suit_of(code)] &= ~bit_of(code)
