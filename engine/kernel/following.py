"""What a quick player plays to the suit led."""

from __future__ import annotations

from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import HEARTS, JOKERS, above, code_of, count, highest, lowest, share_any
from engine.kernel.sight import is_last, kept, others_hold, over, under, winning


@compiled
def follow(laws: Laws, policy: Policy, position: Position, legal: Row, seat: int, mood: float) -> int:
    """Take what is good; else get rid of a bleeder, duck, or win cheaply where nothing lies."""
    led = position.led
    if laws.moon_is_good or position.trick_points * laws.goal > 0:
        return grab(laws, policy, position, legal, mood)
    row = legal[led]
    if share_any(position.in_play, laws.bleeders):
        bleeders = under(position, row) & laws.bleeders[led]
        if bleeders:
            return code_of(led, highest(bleeders))
        row = kept(row, laws.bleeders[led])
        if not is_last(laws, position) and position.in_play[led] & laws.bleeders[led]:
            row = kept(row, laws.catchers[led])
    if row & laws.prizes[led]:
        prize = highest(row & laws.prizes[led])
        if is_last(laws, position) and not position.trick_points and not under(position, row) >> prize & 1:
            return code_of(led, prize)
        row = kept(row, laws.prizes[led])
    return duck(laws, policy, position, legal, row, seat, mood)


@compiled
def duck(laws: Laws, policy: Policy, position: Position, legal: Row, row: int, seat: int, mood: float) -> int:
    """The highest card that does not win, if there is one; who must win, wins high while it costs nothing."""
    led, last, costs = position.led, is_last(laws, position), position.trick_points != 0
    first = position.tricks_done == 0
    if first and laws.first_is_safe:
        return code_of(led, highest(row))
    low = under(position, row)
    if low and not last and not costs and is_plenty(laws, policy, position, seat):
        return code_of(led, highest(row))
    if low and (costs or not last):
        return code_of(led, highest(low))
    if costs and legal[JOKERS]:
        return code_of(JOKERS, lowest(legal[JOKERS]))
    theirs = others_hold(position, seat, led)
    if last or first or mood > 1 - policy.bold or not theirs & above(lowest(row)):
        return code_of(led, highest(row))
    return code_of(led, lowest(row))


@compiled
def is_plenty(laws: Laws, policy: Policy, position: Position, seat: int) -> bool:
    """Whether everybody should still follow this suit, in which nothing bad is out."""
    led = position.led
    if led == HEARTS or position.in_play[led] & laws.bleeders[led]:
        return False
    return count(others_hold(position, seat, led)) > policy.plenty * (laws.players - 1)


@compiled
def grab(laws: Laws, policy: Policy, position: Position, legal: Row, mood: float) -> int:
    """Win what is good: high while others follow, as low as will do at the end; else keep what counts."""
    led, last = position.led, is_last(laws, position)
    winners, gain = over(position, legal[led]), position.trick_points * laws.goal
    if winners and (gain > 0 or (not gain and not last and mood < policy.early_grab)):
        return winning(laws, position, winners)
    return code_of(led, lowest(kept(legal[led], laws.deciding[led])))
