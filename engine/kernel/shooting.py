"""How a quick player shoots the moon, and how it stops another."""

from __future__ import annotations

from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.position import Position
from engine.kernel.rows import JOKERS, NONE, above, code_of, count, highest, lowest, nth, take_out
from engine.kernel.sight import follows, kept, others_hold, over, winning


@compiled
def shoot(laws: Laws, position: Position, legal: Row, seat: int) -> int:
    """Win every trick: with sure winners first, then from the longest suit; what must lose, loses cheaply."""
    if position.laid == 0:
        return lead_to_shoot(position, legal, seat)
    if not follows(position, legal):
        take_out(legal, laws.deciding)
        return nth(legal, 0)
    led = position.led
    winners = over(position, legal[led])
    if winners:
        return winning(laws, position, winners)
    return code_of(led, lowest(kept(legal[led], laws.moon[led])))


@compiled
def lead_to_shoot(position: Position, legal: Row, seat: int) -> int:
    """A card that nobody can beat, else the top of the longest suit."""
    longest, most = NONE, 0
    for suit in range(JOKERS):
        row = legal[suit]
        if row:
            top = highest(row)
            if not others_hold(position, seat, suit) & above(top):
                return code_of(suit, top)
            if count(row) > most:
                longest, most = code_of(suit, top), count(row)
    return longest if longest != NONE else nth(legal, 0)


@compiled
def stop(laws: Laws, position: Position, legal: Row) -> int:
    """Take the trick from who shoots the moon, or give them none of its cards; NONE if a follower cannot."""
    if follows(position, legal):
        top = code_of(position.led, highest(legal[position.led]))
        return top if top >> 1 > position.best >> 1 else NONE
    if laws.moon_is_good:
        return NONE
    take_out(legal, laws.moon)
    return nth(legal, 0)
