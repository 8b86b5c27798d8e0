"""A simulated Discord in which time passes, and what is made of the times at which things happened."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from unittest.mock import patch

from simcord import _dpy_internals, _settlement
from simcord._clock import Clock
from simcord.env import Env

from tests.lighter import lighten_simcord

#: Calls with a bot's token that the real Discord allows in any second.
CALLS = 50
#: Seconds between removals of cancelled timers.
SWEPT = 0.05


@contextmanager
def real_time() -> Iterator[None]:
    """Within, the bot's timers fire by the real clock, even while it is busy.

    simcord waits until everything is idle before a timer fires, which under load is never.
    """
    lighten_simcord()
    with patch.object(Env, "_schedule_timer", _ring):
        yield


def _ring(env: Env, timer: Any, callback: Any, arguments: Any, context: Any) -> None:
    def run() -> None:
        if timer.handle is not None and not timer.handle.cancelled():
            timer.handle._run()

    at = _dpy_internals.real_monotonic() + max(0.0, timer.when - env._virtual_time)
    timer.real_handle = env._runtime.call_at(at, run, context=context)


class _Running(Clock):
    """A simulated clock that runs on its own."""

    def __init__(self, stood: Clock) -> None:
        self._epoch = stood._epoch
        self._began = time.perf_counter() - stood.elapsed

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._began

    def advance(self, seconds: float) -> None:
        self._began -= seconds


@asynccontextmanager
async def passing(env: Env) -> AsyncIterator[None]:
    """Within, the simulated clock runs like the real one."""
    env.backend.clock = _Running(env.backend.clock)
    sweeping = asyncio.create_task(_sweep(env))
    try:
        yield
    finally:
        sweeping.cancel()


async def _sweep(env: Env) -> None:
    """Remove the simulation's cancelled timers."""
    while True:
        await asyncio.sleep(SWEPT)
        _settlement._active_callbacks(env._settlement_state())


def most_in_a_second(times: list[float]) -> int:
    """The most of these times within any second."""
    most, window = 0, deque[float]()
    for at in sorted(times):
        window.append(at)
        while window[0] <= at - 1:
            window.popleft()
        most = max(most, len(window))
    return most


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies: 0.5 is the median, 1 the largest."""
    return sorted(values)[round(share * (len(values) - 1))]
