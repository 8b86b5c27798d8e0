"""How the simulation waits until the bot has come to rest: by the loop's clock, and as long as it takes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import aiosqlite
import pytest
from simcord import _dpy_internals, _settlement, env
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


def let_time_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on only `advance_time` lets timers ring, even those that others wait for through an event.

    Elsewhere the simulation waits until such a timer rings by itself, for which nothing may be advanced.
    """
    in_threads: list[asyncio.Task[Any] | None] = []  # once for each call of one that is not done yet

    def noted(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **options: Any) -> Any:
            task = asyncio.current_task()
            in_threads.append(task)
            try:
                return await work(*args, **options)
            finally:
                in_threads.remove(task)

        return call

    def waits_for_the_loop(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        waiter = getattr(task, "_fut_waiter", None)
        return waiter is not None and not waiter.done() and task not in in_threads

    for name in ("_connect", "_execute", "close"):
        monkeypatch.setattr(aiosqlite.Connection, name, noted(getattr(aiosqlite.Connection, name)))
    monkeypatch.setattr(asyncio, "to_thread", noted(asyncio.to_thread))
    monkeypatch.setattr(sys.modules[__name__], "SOON", 0.0)
    monkeypatch.setattr(env, "_is_parked", waits_for_the_loop)
