"""The rules in compiled code: legal cards, tricks and points.

They follow `engine.rules.plays`, `engine.play.deal` and `engine.rules.counting`; tests compare the two.
"""

from __future__ import annotations

from engine.kernel.compiled import compiled
from engine.kernel.records import Laws, Position
from engine.numbers.rows import (
    HEARTS,
    JOKERS,
    NONE,
    SPADES,
    Row,
    bit_of,
    code_of,
    has_all,
    lowest,
    share_any,
    suit_of,
    take_out,
)

# Legal cards


@compiled
def turn(laws: Laws, position: Position) -> int:
    """The seat whose turn it is."""
    seat = position.leader + position.laid
    return seat - laws.players if seat >= laws.players else seat


@compiled
def legal(laws: Laws, position: Position, rows: Row) -> None:
    """Fill rows with the cards that may be played now; a rule that would leave none is ignored (G2)."""
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
    """Keep cards of the suit led, those in hand before those face up (C5), and jokers (W4)."""
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


# Tricks


@compiled
def derive_fields(laws: Laws, position: Position) -> None:
    """Derive the other fields of a position from those that were filled in."""
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
    """The cards' own points."""
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
    """Play this legal card for the seat whose turn it is; a complete trick is taken."""
    seat, suit, bit = turn(laws, position), suit_of(code), bit_of(code)
    position.hands[seat, suit] &= ~bit
    position.face_up[seat, suit] &= ~bit
    position.opening = NONE
    if position.led not in (NONE, suit) and suit != JOKERS:
        position.voids[position.led] |= 1 << seat
    _add(laws, position, seat, code)
    if position.laid == laws.players:
        _take(laws, position)


@compiled
def _add(laws: Laws, position: Position, seat: int, code: int) -> None:
    """Add the card to the trick, and note who is winning it now."""
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
    """Find the highest card of the suit led that has no twin in the trick (W20, P6)."""
    position.best = position.winner = NONE
    row = position.trick_rows[position.led]
    for index in range(position.laid):
        code = position.trick[index]
        if suit_of(code) == position.led and not row & bit_of(code ^ 1) and code > position.best:
            position.best, position.winner = code, (position.leader + index) % laws.players


@compiled
def _take(laws: Laws, position: Position) -> None:
    """Give a complete trick to its winner, or put it on hold."""
    trick = position.tricks_done
    if position.best == NONE and position.led != NONE and trick == laws.hand_size - 1:
        _give_to_second_copy(laws, position)
    for index in range(laws.kitty_before[trick], laws.kitty_before[trick + 1]):
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
    """P8: give a fully cancelled last trick to the player of the second copy of its highest card."""
    for index in range(position.laid):
        code = position.trick[index]
        if suit_of(code) == position.led and code >> 1 >= position.best >> 1:
            position.best, position.winner = code, (position.leader + index) % laws.players


@compiled
def _hold(laws: Laws, position: Position, code: int) -> None:
    """Add a card of the kitty to the trick (W3)."""
    position.on_hold[suit_of(code)] |= bit_of(code)
    position.held_points += laws.value[code]


@compiled
def _collect(position: Position, winner: int) -> None:
    """Give the winner all that is on hold, and the lead."""
    position.points[winner] += position.held_points
    position.held_points = 0
    for suit in range(5):
        position.piles[winner, suit] |= position.on_hold[suit]
        position.on_hold[suit] = 0
    position.leader = winner


# Points


@compiled
def is_open(laws: Laws, position: Position) -> bool:
    """Whether points may still depend on cards that nobody has taken."""
    deciding = laws.deciding
    for suit in range(5):
        if (position.in_play[suit] | position.on_hold[suit]) & deciding[suit]:
            return True
    return laws.kitty_before[position.tricks_done] < laws.kitty_before[laws.hand_size]


@compiled
def count_up(laws: Laws, position: Position) -> None:
    """Turn the piles' own points into the deal's points.

    A shooter with a choice is assumed to add points to the others (K7, W23, P9): both choices have the same
    effect on the difference between a player's points and the others' mean.
    """
    shooter = shooter_of(laws, position)
    if shooter != NONE and not laws.moon_turns:
        _share_out_moon(laws, position, shooter)
    elif shooter != NONE:
        position.points[shooter] -= 2 * laws.moon_value  # C8
    if laws.times:
        for seat in range(laws.players):
            if share_any(position.piles[seat], laws.multiplier):
                _multiply(laws, position, seat)
    if shooter != NONE and laws.sun_points and has_all(position.piles[shooter], laws.sun):
        position.points[shooter] = laws.sun_points  # C9


@compiled
def shooter_of(laws: Laws, position: Position) -> int:
    """The seat that took all the moon's cards, or NONE."""
    if laws.moon_is_possible:
        for seat in range(laws.players):
            if has_all(position.piles[seat], laws.moon):
                return seat
    return NONE


@compiled
def _share_out_moon(laws: Laws, position: Position, shooter: int) -> None:
    """K7, W13, W23, P9: score the moon; other cards still count."""
    for seat in range(laws.players):
        position.points[seat] += laws.moon_others
    position.points[shooter] += laws.moon_own - laws.moon_others - laws.moon_value


@compiled
def _multiply(laws: Laws, position: Position, seat: int) -> None:
    """C9."""
    if share_any(position.piles[seat], laws.company):
        position.points[seat] *= laws.times
    else:
        position.points[seat] += laws.alone
