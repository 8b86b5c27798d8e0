"""What a quick player leads."""

from __future__ import annotations

from engine.kernel.chance import below, chance
from engine.kernel.compiled import Row, compiled
from engine.kernel.laws import Laws
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import (
    JOKERS,
    NONE,
    above,
    code_of,
    count,
    highest,
    lowest,
    nth,
    share_any,
    size,
    suit_of,
    take_out,
)
from engine.kernel.sight import others_hold


@compiled
def lead(
    laws: Laws, policy: Policy, position: Position, legal: Row, seat: int, mood: float, random_state: Row
) -> int:
    """Low, in a suit of which the others hold many higher cards, or one that flushes out the queen."""
    if laws.moon_is_good:
        return lead_for_points(policy, legal, mood, random_state)
    if share_any(position.in_play, laws.bleeders):
        take_out(legal, laws.bleeders)
        take_out(legal, laws.catchers)
    take_out(legal, laws.prizes)
    best, most = NONE, -99.0
    for suit in range(JOKERS):
        if legal[suit]:
            appeal = appeal_of_lead(laws, policy, position, suit, lowest(legal[suit]), seat)
            appeal += policy.unsure * chance(random_state)
            if appeal > most:
                best, most = code_of(suit, lowest(legal[suit])), appeal
    return best if best != NONE else nth(legal, 0)


@compiled
def appeal_of_lead(laws: Laws, policy: Policy, position: Position, suit: int, place: int, seat: int) -> float:
    """The share of the others' cards of the suit that are higher, and what a bleeder there makes of it."""
    theirs, bleeders = others_hold(position, seat, suit), laws.bleeders[suit]
    if not theirs:
        return policy.void_lead
    appeal = count(theirs & above(place)) / (count(theirs) + 0.5)
    if theirs & bleeders:
        appeal += policy.own_bleeder if position.hands[seat, suit] & bleeders else policy.flush_out
    return appeal


@compiled
def lead_for_points(policy: Policy, legal: Row, mood: float, random_state: Row) -> int:
    """A suit by chance, long ones rather: mostly its highest card, to collect, else its lowest."""
    suit = suit_of(nth(legal, below(random_state, size(legal))))
    row = legal[suit]
    return code_of(suit, highest(row) if mood < policy.high_prize_lead else lowest(row))
