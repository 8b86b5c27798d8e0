"""A card is laid to the trick, and a complete trick taken, as `engine.play.in_play` has it."""

from __future__ import annotations

from engine.kernel.compiled import compiled
from engine.kernel.laws import Laws
from engine.kernel.plays import turn
from engine.kernel.position import Position
from engine.kernel.rows import JOKERS, NONE, bit_of, code_of, lowest, suit_of


@compiled
def set_out(laws: Laws, position: Position) -> None:
    """Derive what follows from what a position was filled with."""
    players = laws.players
    for suit in range(5):
        position.in_play[suit] = 0
    for seat in range(players):
        position.points[seat] = 0
        for suit in range(5):
            position.in_play[suit] |= position.hands[seat, suit]
            position.points[seat] += _value_of(laws, suit, position.piles[seat, suit])
    position.held_points = 0
    for suit in range(5):
        position.held_points += _value_of(laws, suit, position.on_hold[suit])
    laid = position.laid
    _clear_trick(position)
    for _ in range(laid):
        code = position.trick[position.laid]
        position.in_play[suit_of(code)] |= bit_of(code)
        _add(laws, position, turn(laws, position), code)


@compiled
def _value_of(laws: Laws, suit: int, row: int) -> int:
    """What these cards count by themselves."""
    total = 0
    while row:
        total += laws.value[code_of(suit, lowest(row))]
        row &= row - 1
    return total


@compiled
def _clear_trick(position: Position) -> None:
    position.laid = 0
    position.trick_points = 0
    position.led = position.best = position.winner = NONE
    for suit in range(5):
        position.trick_rows[suit] = 0


@compiled
def lay(laws: Laws, position: Position, code: int) -> None:
    """Whose turn it is lays this card, which may be played; a complete trick is taken."""
    seat, suit, bit = turn(laws, position), suit_of(code), bit_of(code)
    position.hands[seat, suit] &= ~bit
    position.face_up[seat, suit] &= ~bit
    position.opening = NONE
    _add(laws, position, seat, code)
    if position.laid == laws.players:
        _take(laws, position)


@compiled
def _add(laws: Laws, position: Position, seat: int, code: int) -> None:
    """The card to the trick, and who wins it then."""
    suit = suit_of(code)
    position.trick[position.laid] = code
    position.laid += 1
    position.trick_rows[suit] |= bit_of(code)
    position.trick_points += laws.value[code]
    if position.led == NONE and suit != JOKERS:
        position.led = suit
    if suit != position.led:
        return
    if laws.twins_cancel and position.trick_rows[suit] & bit_of(code ^ 1):
        if position.best == code ^ 1:
            _find_best(laws, position)
    elif position.best == NONE or code >> 1 > position.best >> 1:  # W20: the first copy ranks higher
        position.best, position.winner = code, seat


@compiled
def _find_best(laws: Laws, position: Position) -> None:
    """The highest card of the suit led that has no twin in the trick (W20, P6)."""
    position.best = position.winner = NONE
    row = position.trick_rows[position.led]
    for index in range(position.laid):
        code = position.trick[index]
        if suit_of(code) == position.led and not row & bit_of(code ^ 1) and code > position.best:
            position.best, position.winner = code, (position.leader + index) % laws.players


@compiled
def _take(laws: Laws, position: Position) -> None:
    """The trick is complete: to its winner, or on hold."""
    done = position.tricks_done
    if position.best == NONE and position.led != NONE and done == laws.hand_size - 1:
        _give_to_second_copy(laws, position)
    for index in range(laws.kitty_before[done], laws.kitty_before[done + 1]):
        _hold(laws, position, position.kitty[index])
    for suit in range(5):
        row = position.trick_rows[suit]
        position.on_hold[suit] |= row
        position.in_play[suit] &= ~row
        if row & laws.breakers[suit]:
            position.hearts_broken = True
    if position.led != NONE:
        for seat in range(laws.players):
            position.face_up[seat, position.led] = 0  # C6
    position.held_points += position.trick_points
    if position.best != NONE:
        _collect(position, position.winner)
    position.tricks_done += 1
    _clear_trick(position)


@compiled
def _give_to_second_copy(laws: Laws, position: Position) -> None:
    """P8: of a last trick that is all cancelled, whoever played the second copy of its highest card."""
    for index in range(position.laid):
        code = position.trick[index]
        if suit_of(code) == position.led and code >> 1 >= position.best >> 1:
            position.best, position.winner = code, (position.leader + index) % laws.players


@compiled
def _hold(laws: Laws, position: Position, code: int) -> None:
    """A card of the kitty goes with the trick (W3)."""
    position.on_hold[suit_of(code)] |= bit_of(code)
    position.held_points += laws.value[code]


@compiled
def _collect(position: Position, winner: int) -> None:
    """The winner takes all that is on hold, and leads."""
    position.points[winner] += position.held_points
    position.held_points = 0
    for suit in range(5):
        position.piles[winner, suit] |= position.on_hold[suit]
        position.on_hold[suit] = 0
    position.leader = winner
