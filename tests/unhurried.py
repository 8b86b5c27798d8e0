"""An event loop for tests, whose clock goes only while nothing is to be done: no machine is too slow."""

from __future__ import annotations

import asyncio
import selectors
import time
from typing import Any

_monotonic = time.monotonic
_waited = _monotonic()


def clock() -> float:
    """Seconds for which loops have waited, by no known beginning.

    While this process stands still, or computes for long, none pass; so no timer overtakes what is to be done
    before it, and after the longest pause no more than one timer is due.
    """
    return _waited


class _Selector(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[Any]:
        global _waited
        began = _monotonic()
        found = super().select(timeout)
        waited = _monotonic() - began
        _waited += waited if timeout is None else min(waited, max(0.0, timeout))
        return found


class UnhurriedLoop(asyncio.SelectorEventLoop):
    """A loop by that clock."""

    def __init__(self) -> None:
        super().__init__(_Selector())

    def time(self) -> float:
        """By the simulated Discord's clock for whoever lives there, and else by ours."""
        return clock() if time.monotonic is _monotonic else time.monotonic()
