"""Makes the simulation wait until the bot is idle, by the loop's clock, for as long as it takes."""

import asyncio
import math
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import aiosqlite
import pytest
from simcord import _dpy_internals, _settlement, env
from simcord.env import Env

from engine.storage import database
from tests.unhurried import clock, skip_to

#: Seconds for which it waits for the bot, so that a disk or a process may stall for a while.
PATIENCE = 120.0
#: Seconds within which it waits for the bot's timers; it ignores later ones.
SOON = 5.0

#: Seconds between checks; its own interval of 50 ms took most of a run's time.
GLANCE = 0.001

#: Turns of the loop in a row for which nobody looks whether the bot is idle, as something can still run.
BUSY_TURNS = 20


async def _settle(
    self: Any,
    *,
    timeout: float | None = None,  # noqa: ASYNC109  (as simcord has it)
    idle: float = GLANCE,
    dispatch: str | None = None,
    _deadline: float | None = None,
) -> None:
    """Wait until all that the bot does waits for somebody, or for the clock.

    simcord's own looks at each task and timer up to four times a turn of the loop, even while others can
    run, and lets the loop watch each task meanwhile: a fifth of these tests' CPU time.
    """
    loop, self._last_dispatch = self._loop, dispatch
    # Never shorter, as after a bot's start: then it would leave out the timers that fire soon.
    patience = max(timeout or 0.0, self.settle_timeout)
    deadline = loop.time() + patience if _deadline is None else _deadline
    turns = 0
    while True:
        _settlement._run_due_virtual_callbacks(self._settlement_state(), deadline)
        await asyncio.sleep(0)
        advancing = self._real_advance_task or self._advance_task
        if advancing not in (None, asyncio.current_task()):
            await _advanced(self, advancing, deadline)
            continue
        is_late = loop.time() >= deadline
        turns += 1
        if loop._ready and turns % BUSY_TURNS and not is_late:
            continue
        busy, callbacks = _at_work(self, deadline)
        if not busy and not callbacks and not self._work.executors:
            if not loop._ready or turns > BUSY_TURNS:
                return
            continue
        if is_late:
            state, tasks = self._settlement_state(), _settlement._owned_tasks(self._settlement_state())
            message = _settlement._settle_timeout_message(state, busy, tasks, patience, callbacks)
            raise TimeoutError(message)
        if loop._ready:
            continue
        moment = _next_timer(self)
        if loop.time() < moment < math.inf and not self._work.executors and all(map(_sleeps, busy)):
            skip_to(moment)
        else:
            await asyncio.sleep(min(idle, deadline - loop.time()))


def _at_work(self: Any, deadline: float) -> tuple[list[asyncio.Task[Any]], list[Any]]:
    """The bot's tasks and callbacks that go on by themselves."""
    state = self._settlement_state()
    callbacks = _settlement._active_callbacks(state)
    tasks = _settlement._owned_tasks(state)
    _settlement._virtualize_recognized_waits(state, tasks)
    busy = [task for task in tasks if not env._is_parked(state, task, deadline)]
    return busy, [one for one in callbacks if not _settlement._callback_is_parked(state, one, deadline)]


def _sleeps(task: asyncio.Task[Any]) -> bool:
    """Whether this task waits for nothing but `asyncio.sleep`."""
    coroutine: Any = task.get_coro()
    while hasattr(inner := getattr(coroutine, "cr_await", None), "cr_code"):
        coroutine = inner
    return getattr(coroutine, "cr_code", None) is asyncio.sleep.__code__


def _next_timer(self: Any) -> float:
    """When the loop's clock fires the next of the bot's timers."""
    state = self._settlement_state()
    return min((_rings_at(state, record) for record in self._work.callbacks), default=math.inf)


async def _advanced(self: Any, advancing: asyncio.Task[Any], deadline: float) -> None:
    """Wait until somebody else has advanced the clock."""
    done, _ = await asyncio.wait((advancing,), timeout=max(0.0, deadline - self._loop.time()))
    if not done:
        raise TimeoutError("the clock was advanced for too long")
    if self._real_advance_task is advancing:
        self._real_advance_task = None
    advancing.result()


Env.settle.__defaults__ = (None, GLANCE)
Env._settle_internal = _settle
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

    def run(connection: aiosqlite.Connection, *work: Any) -> asyncio.Future[Any]:
        task, done = asyncio.current_task(), run_in_thread(connection, *work)
        in_threads.append(task)
        done.add_done_callback(lambda _: in_threads.remove(task))
        return done

    def waits_for_the_loop(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        waiter = getattr(task, "_fut_waiter", None)
        return waiter is not None and not waiter.done() and task not in in_threads

    run_in_thread = database._run
    monkeypatch.setattr(database, "_run", run)
    for name in ("_connect", "_execute", "close"):
        monkeypatch.setattr(aiosqlite.Connection, name, noted(getattr(aiosqlite.Connection, name)))
    monkeypatch.setattr(asyncio, "to_thread", noted(asyncio.to_thread))
    monkeypatch.setattr(sys.modules[__name__], "SOON", 0.0)
    monkeypatch.setattr(env, "_is_parked", waits_for_the_loop)
