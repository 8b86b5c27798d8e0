"""What takes long to look up, looked up beside the loop: nobody who plays waits for it."""

from __future__ import annotations

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

#: How far the process stands back where somebody else wants the processor.
NICE = 10
#: What may go wrong there; anything else is a bug.
EXPECTED = (HeartsError, sqlite3.Error)
#: Seconds after which it has hung: the longest file takes one, where nobody else wants the processor.
LONGEST = 120.0


class Load(Protocol):
    """Calls a function of a module where nobody waits for it, and returns or raises what it does."""

    async def __call__(self, function: Callable[[*Ts], T], /, *arguments: *Ts) -> T: ...


async def in_thread(function: Callable[[*Ts], T], /, *arguments: *Ts) -> T:
    """In a thread, which takes turns with the loop."""
    return await asyncio.to_thread(function, *arguments)


class Loader:
    """In a process of its own, one call after another; it begins with the first, and takes some 30 MB."""

    def __init__(self) -> None:
        self._worker = Worker(__name__, NICE)
        self._turn = asyncio.Lock()

    async def __call__(self, function: Callable[[*Ts], T], /, *arguments: *Ts) -> T:
        """What this function returns or raises there; Failed for a bug, Refusal if its process is lost."""
        async with self._turn:
            try:
                outcome = await asyncio.to_thread(self._worker.call, LONGEST, _attempt, function, arguments)
            except Lost as lost:
                log.warning("What somebody asked for could not be loaded: %s.", lost)
                raise Refusal("cannot_load") from lost
        if isinstance(outcome, EXPECTED):
            raise outcome
        return outcome

    def close(self) -> None:
        """End what is being loaded, and load no more."""
        self._worker.close()


def _attempt(function: Callable[..., T], arguments: tuple[Any, ...]) -> T | HeartsError | sqlite3.Error:
    """What this function returns or raises: a worker knows no other exceptions than bugs."""
    try:
        return function(*arguments)
    except EXPECTED as problem:
        return problem
