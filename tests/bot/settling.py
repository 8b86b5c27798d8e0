"""Makes the simulation wait until the bot is idle, by the loop's clock, for as long as it takes."""

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

#: Seconds for which it waits for the bot, so that a disk or a process may stall for a while.
PATIENCE = 120.0
#: Seconds within which it waits for the bot's timers; it ignores later ones.
SOON = 5.0

#: Seconds between checks; its own interval of 50 ms took most of a run's time.
GLANCE = 0.001

Env.settle.__defaults__ = (None, GLANCE)
Env._settle_internal.__kwdefaults__["idle"] = GLANCE
Env.__init__.__kwdefaults__["settle_timeout"] = PATIENCE
# Replaces its real clock with the loop's.
_dpy_internals._REAL_MONOTONIC = clock

_rings_at = _settlement._callback_fire_time


def _seems_to_ring_at(state: Any, record: Any) -> float:
    """Make timers that don't fire soon look later, as it waits for all within its patience."""
    return _rings_at(state, record) + PATIENCE - SOON


_settlement._callback_fire_time = _seems_to_ring_at


def let_time_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on only `advance_time` fires timers, even those that others wait for through an event.

    Without this, the simulation waits until such a timer fires on its own, before anything can be advanced.
    """
    in_threads: list[asyncio.Task[Any] | None] = []  # once for each unfinished call

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
