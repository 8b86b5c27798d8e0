"""What the benchmarks share: a simulated Discord in which time passes, and this process's memory."""

from __future__ import annotations

import asyncio
import gc
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from simcord import _dpy_internals, _runtime, _settlement
from simcord.env import Env

#: Seconds between two moves of the simulated clock.
TICK = 0.05


@contextmanager
def real_time() -> Iterator[None]:
    """The bot's timers ring by the real clock, while it works.

    simcord lets everything come to rest before a timer rings, which under load is never. And it looks for
    each record of its own among all of them, field by field.
    """
    with (
        patch.object(Env, "_schedule_timer", _ring),
        patch.object(_runtime._CallbackRecord, "__eq__", object.__eq__),
    ):
        yield


def _ring(env: Env, timer: Any, callback: Any, arguments: Any, context: Any) -> None:
    def run() -> None:
        if timer.handle is not None and not timer.handle.cancelled():
            timer.handle._run()

    at = _dpy_internals.real_monotonic() + max(0.0, timer.when - env._virtual_time)
    timer.real_handle = env._runtime.call_at(at, run, context=context)


async def keep_time(env: Env) -> None:
    """Let the simulated clock follow the real one: in jumps it would make clicks expire."""
    began, first = time.perf_counter(), env.now()
    while True:
        await asyncio.sleep(TICK)
        passed = (env.now() - first).total_seconds()
        env.backend.advance_clock(max(0.0, time.perf_counter() - began - passed))
        _settlement._active_callbacks(env._settlement_state())  # drops what was cancelled


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies: 0.5 is the median, 1 the largest."""
    return sorted(values)[round(share * (len(values) - 1))]


def memory() -> float:
    """Resident memory of this process, in KiB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024
