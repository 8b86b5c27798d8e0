"""Players who have learned, in a playout: see `engine.numbers.appeal`."""

from __future__ import annotations

from typing import cast

import numpy as np

from engine.kernel.compiled import compiled
from engine.kernel.records import Laws, NumpyRecord, Position, layout
from engine.numbers.appeal import (
    PARTS,
    WEIGHTS,
    look,
    look_to_pass,
    losers_in_hand,
    most_appealing,
    way_of,
)
from engine.numbers.rows import CODES, Numbers, Row, bit_of, suit_of


class Learned(NumpyRecord):  # type: ignore[misc]
    """A game's weights, what a player sees (see `Sight`), and what it finds there. Made by `Learned.of`.

    It is all one record, which compiled code passes by its address.
    """

    weights: Row
    codes: Row
    seen: Row
    rest: Row
    seat: int
    mine: Row
    theirs: Row
    trick: Row
    voids: Row
    laid: int
    led: int
    best: int
    winner: int
    pot: int
    is_first: bool
    holder: int
    taken: int
    daring: int

    @staticmethod
    def of(weights: Numbers) -> Learned:
        """Players with these weights."""
        learned = cast("Learned", np.zeros(1, LEARNED)[0])
        learned.weights = cast("Row", np.array(weights, np.int64))
        return learned


LEARNED = layout(Learned, weights=WEIGHTS, codes=CODES, seen=CODES * PARTS)
#: Players who find all cards alike.
INDIFFERENT = Learned.of([0] * WEIGHTS)


@compiled
def see(laws: Laws, position: Position, seat: int, holder: int, moon_cards: int, learned: Learned) -> None:
    """Note in `learned` what this seat sees."""
    for suit in range(5):
        mine, trick = position.hands[seat, suit], position.trick_rows[suit]
        learned.mine[suit], learned.trick[suit] = mine, trick
        learned.theirs[suit] = position.in_play[suit] & ~mine & ~trick
        learned.voids[suit] = position.voids[suit]
    learned.seat, learned.laid, learned.led = seat, position.laid, position.led
    learned.best, learned.winner = position.best, position.winner
    learned.pot = laws.goal * (position.trick_points + position.held_points)
    learned.is_first = position.tricks_done == 0
    learned.holder, learned.taken = holder, moon_cards


@compiled
def pick(laws: Laws, learned: Learned, legal: Row) -> int:
    """The legal card that appeals most, by what `see` noted last."""
    cards = look(laws, learned, legal, learned.codes, learned.seen)
    return learned.codes[most_appealing(learned.weights, learned.seen, cards)]


@compiled
def pick_gift(laws: Laws, learned: Learned, hand: Row, size: int, offset: int, gift: Row) -> None:
    """Choose the cards to pass, one after another, into `gift`."""
    rest, losers, way = learned.rest, losers_in_hand(laws, hand), way_of(laws.players, offset)
    for suit in range(5):
        rest[suit], gift[suit] = hand[suit], 0
    for index in range(size):
        cards = look_to_pass(laws, rest, losers, size - index, way, learned.codes, learned.seen)
        code = learned.codes[most_appealing(learned.weights, learned.seen, cards)]
        gift[suit_of(code)] |= bit_of(code)
        rest[suit_of(code)] &= ~bit_of(code)
