"""What a player sees of a trick and of the cards that are out."""

from __future__ import annotations

from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.position import Position
from engine.kernel.rows import NONE, code_of, highest, lowest, up_to


@compiled
def follows(position: Position, legal: Row) -> bool:
    """Whether a card of the suit led is to be played, or a joker in its place."""
    return position.led != NONE and legal[position.led] != 0


@compiled
def others_hold(position: Position, seat: int, suit: int) -> int:
    """The cards of this suit in the others' hands and in the trick."""
    return position.in_play[suit] & ~position.hands[seat, suit]


@compiled
def kept(row: int, kind: int) -> int:
    """A row less the cards of a kind, unless nothing else is left."""
    return row & ~kind if row & ~kind else row


@compiled
def under(position: Position, row: int) -> int:
    """The cards of the suit led that would not win as the trick lies."""
    return row & up_to(position.best) if position.best != NONE else 0


@compiled
def over(position: Position, row: int) -> int:
    """The cards of the suit led that would win as the trick lies."""
    return row & ~under(position, row)


@compiled
def winning(laws: Laws, position: Position, winners: int) -> int:
    """Which of these winners to play: the lowest will do for who is last, else the highest holds best."""
    return code_of(position.led, lowest(winners) if is_last(laws, position) else highest(winners))


@compiled
def is_last(laws: Laws, position: Position) -> bool:
    """Whether who plays now is the last to this trick."""
    return position.laid == laws.players - 1
