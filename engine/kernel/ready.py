"""Everything compiled before it is needed: some ten seconds once, and next to nothing afterwards."""

from __future__ import annotations

from functools import cache

from engine.kernel.chance import random_state
from engine.kernel.compiled import one_at_a_time
from engine.kernel.playout import play_out
from engine.kernel.policy import Policy
from engine.kernel.position import Position
from engine.kernel.rows import NONE
from engine.kernel.tables import Tables
from engine.kernel.tricks import set_out
from engine.rules.ruleset import Ruleset


@cache
def make_ready() -> None:
    """Compile whole playouts, or find them compiled; of processes that begin together one compiles."""
    tables, position = Tables.of(Ruleset.of("classic", 4)), Position.empty()
    with one_at_a_time():
        set_out(tables, position)
        play_out(tables, Policy(), position, NONE, random_state(0))
