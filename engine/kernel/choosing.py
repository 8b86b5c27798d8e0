"""What a seat plays while a deal is played out: the first of a quick player's habits that applies decides.

Every habit is named from the card table, and answers with a code, or with NONE where it has nothing to say.
"""

from __future__ import annotations

from engine.kernel.chance import below, chance
from engine.kernel.compiled import Row, compiled
from engine.kernel.discarding import discard
from engine.kernel.following import follow
from engine.kernel.laws import Laws
from engine.kernel.leading import lead
from engine.kernel.plays import turn
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import NONE, nth, size
from engine.kernel.shooting import shoot, stop
from engine.kernel.sight import follows


@compiled
def choose(
    laws: Laws, policy: Policy, position: Position, legal: Row, aim: int, feared: int, random_state: Row
) -> int:
    """The card that whose turn it is plays, one of the legal ones.

    `aim` is a seat that tries to shoot the moon, `feared` one that the others see trying; NONE for nobody.
    """
    seat, held = turn(laws, position), size(legal)
    if held == 1:
        return nth(legal, 0)
    mood = chance(random_state)
    if mood < policy.whim:
        return nth(legal, below(random_state, held))
    if seat in (aim, feared):
        return shoot(laws, position, legal, seat)
    if feared != NONE and position.laid and position.winner == feared:
        code = stop(laws, position, legal)
        if code != NONE:
            return code
    if position.laid == 0:
        return lead(laws, policy, position, legal, seat, mood, random_state)
    if follows(position, legal):
        return follow(laws, policy, position, legal, seat, mood)
    return discard(laws, policy, position, legal)
