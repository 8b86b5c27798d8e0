"""Runs slow lookups outside the event loop, so that players don't wait for them."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, TypeVarTuple

from engine.errors import HeartsError, Refusal
from engine.worker import Lost, Worker

log = logging.getLogger(__name__)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: The process's niceness.
NICE = 10
#: The exceptions that a lookup may raise; any other is a bug.
EXPECTED = (HeartsError, sqlite3.Error)
#: Seconds after which a lookup counts as hung; the longest file takes one second on an idle processor.
LONGEST_READING = 120.0


class Load(Protocol):
    """Calls a module-level function outside the loop, and returns or raises what it does."""

    async def __call__(self, function: Callable[[*Ts], T], /, *arguments: *Ts) -> T: ...


async def in_thread(function: Callable[[*Ts], T], /, *arguments: *Ts) -> T:
    """Call this function in a thread, which takes turns with the loop."""
    return await asyncio.to_thread(function, *arguments)


class Loader:
    """Calls functions one after another in a process of some 30 MB, which starts with the first call."""

    def __init__(self) -> None:
        self._worker = Worker(__name__, NICE)
        self._turn = asyncio.Lock()

    async def __call__(self, function: Callable[[*Ts], T], /, *arguments: *Ts) -> T:
        """Call this function in the process; Failed for a bug, Refusal if the process is lost."""
        async with self._turn:
            try:
                outcome = await asyncio.to_thread(
                    self._worker.call, LONGEST_READING, _attempt, function, arguments
                )
            except Lost as lost:
                log.warning("A request couldn't be loaded: %s.", lost)
                raise Refusal("cannot_load") from lost
        if isinstance(outcome, EXPECTED):
            raise outcome
        return outcome

    def close(self) -> None:
        """Kill the process for good."""
        self._worker.close()


def _attempt(function: Callable[..., T], arguments: tuple[Any, ...]) -> T | HeartsError | sqlite3.Error:
    """Return expected exceptions instead of raising them: a worker takes any exception for a bug."""
    try:
        return function(*arguments)
    except EXPECTED as problem:
        return problem
