"""An event loop for tests whose clock only runs while there's nothing to do: no machine is too slow."""

import asyncio
import selectors
import time
from typing import Any

_monotonic = time.monotonic
_waited = _monotonic()


def clock() -> float:
    """Seconds for which loops have waited, from an arbitrary start.

    None pass while this process is suspended or computes; so no timer overtakes work that comes before it,
    and after the longest pause only one timer is due.
    """
    return _waited


def skip_to(moment: float) -> None:
    """Let the time until then pass at once, where all there is to do is to wait for it."""
    global _waited
    _waited = max(_waited, moment)


class _Selector(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[Any]:
        global _waited
        began = _monotonic()
        found = super().select(timeout)
        waited = _monotonic() - began
        _waited += waited if timeout is None else min(waited, max(0.0, timeout))
        return found


class UnhurriedLoop(asyncio.SelectorEventLoop):
    """A loop with that clock."""

    def __init__(self) -> None:
        super().__init__(_Selector())

    def time(self) -> float:
        """The time by the simulated Discord's clock inside of it, and otherwise by ours."""
        return clock() if time.monotonic is _monotonic else time.monotonic()
