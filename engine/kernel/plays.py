"""Which cards may be played, as `engine.rules.plays` has it; held against it by tests."""

from __future__ import annotations

from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.position import Position
from engine.kernel.rows import HEARTS, JOKERS, NONE, SPADES, bit_of, suit_of, take_out


@compiled
def turn(laws: Laws, position: Position) -> int:
    """The seat whose turn it is."""
    seat = position.leader + position.laid
    return seat - laws.players if seat >= laws.players else seat


@compiled
def legal(laws: Laws, position: Position, rows: Row) -> None:
    """Fill rows with the cards that may be played now; a rule gives way where it would leave none (G2)."""
    seat = turn(laws, position)
    for suit in range(5):
        rows[suit] = position.hands[seat, suit]
    if position.laid == 0:
        if position.opening != NONE:
            _only(rows, position.opening)
            return
        take_out(rows, position.face_up[seat])  # C4
        take_out(rows, laws.jokers)  # W4
    elif position.led != NONE and rows[position.led]:
        _follow(position, seat, rows)
    if position.tricks_done == 0:
        take_out(rows, laws.unsafe)  # K4, W7, P5
    if position.laid == 0 and laws.hearts_must_break and not position.hearts_broken:
        _keep_hearts_back(laws, rows)


@compiled
def _only(rows: Row, code: int) -> None:
    for suit in range(5):
        rows[suit] = 0
    rows[suit_of(code)] = bit_of(code)


@compiled
def _follow(position: Position, seat: int, rows: Row) -> None:
    """Cards of the suit led, those in the hand before those face up (C5), and jokers (W4)."""
    led = position.led
    for suit in range(JOKERS):
        if suit != led:
            rows[suit] = 0
    hidden = rows[led] & ~position.face_up[seat, led]
    if hidden or rows[JOKERS]:
        rows[led] = hidden


@compiled
def _keep_hearts_back(laws: Laws, rows: Row) -> None:
    """K5, W8, P4."""
    spades = rows[SPADES]
    if laws.lead_hearts_with_queen:
        spades &= ~laws.queen[SPADES]
    if rows[0] | rows[1] | spades | rows[JOKERS]:
        rows[HEARTS] = 0
