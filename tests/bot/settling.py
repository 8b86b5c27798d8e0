"""How the simulation waits until the bot has come to rest: by the loop's clock, and as long as it takes."""

from __future__ import annotations

from typing import Any

from simcord import _dpy_internals, _settlement
from simcord.env import Env

from tests.unhurried import clock

#: Seconds for which it waits for what the bot does, so that a disk or a process may stand still for a while.
PATIENCE = 120.0
#: Seconds within which it waits in earnest for a timer of the bot's; those that ring later it lets be.
SOON = 5.0

#: Seconds after which it looks again; in 50 ms, its own interval, most of a run's time went by.
GLANCE = 0.001

Env.settle.__defaults__ = (None, GLANCE)
Env._settle_internal.__kwdefaults__["idle"] = GLANCE
Env.__init__.__kwdefaults__["settle_timeout"] = PATIENCE
# What it takes for the real clock has to be the loop's.
_dpy_internals._REAL_MONOTONIC = clock

_rings_at = _settlement._callback_fire_time


def _seems_to_ring_at(state: Any, record: Any) -> float:
    """As it waits for all that rings within its patience, what does not ring soon has to seem later."""
    return _rings_at(state, record) + PATIENCE - SOON


_settlement._callback_fire_time = _seems_to_ring_at
