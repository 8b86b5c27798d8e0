"""Painting one destination's messages in order, each in its newest state only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from bot.faults import REFUSALS, Fault, fault_of

log = logging.getLogger(__name__)

M = TypeVar("M")
#: A lane forgets what it showed longest ago; painting that again would merely cost a request.
REMEMBERED = 24
#: Seconds before a paint is tried again, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0


class Lane(Generic[M]):
    """A queue of paints: a newer state of a message replaces the one that still waits.

    `paint` shows one; when Discord is out of reach it is asked again later, with the newest state.
    """

    def __init__(self, name: str, paint: Callable[[str, M], Awaitable[None]]) -> None:
        self._name = name
        self._paint = paint
        self._wanted: dict[str, M] = {}
        self._shown: dict[str, M] = {}
        self._painting: str | None = None
        self._answers = 0
        self._answered = asyncio.Event()
        self._failures = 0
        self._retry: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def shown(self) -> dict[str, M]:
        """How the messages look that were painted last, as far as that is certain."""
        return {key: message for key, message in self._shown.items() if key != self._painting}

    @property
    def waiting(self) -> int:
        """How many messages are not yet as they should be."""
        return len(self._wanted) + (self._painting is not None)

    def want(self, key: str, message: M) -> None:
        """Let the message with this key look so, soon."""
        if key not in self._wanted and self._shown.get(key) == message:
            return
        self._wanted[key] = message
        self._wake()

    def painted(self, key: str, message: M) -> None:
        """The answer to a click has just shown this state."""
        if self._painting == key or self._answers > 1:
            # Which of two requests Discord took last is unknown: paint once more.
            self._wanted.setdefault(key, message)
            return
        self._remember(key, message)
        if self._wanted.get(key) == message:
            del self._wanted[key]

    @contextmanager
    def answering(self) -> Iterator[None]:
        """While a click is being answered with the new state, which saves painting it here."""
        self._answers += 1
        self._answered.clear()
        try:
            yield
        finally:
            self._answers -= 1
            if not self._answers:
                self._answered.set()
            self._wake()

    async def empty(self) -> bool:
        """Wait until all that is wanted is painted, however long Discord is out of reach.

        False if the lane is closed before that.
        """
        await self.idle()
        while self.waiting and not self._is_closed:
            await asyncio.sleep(LONGEST_WAIT)
            await self.idle()
        return not self._is_closed

    async def idle(self) -> None:
        """Wait until all clicks are answered and all that is wanted painted, or has to wait for Discord."""
        while True:
            if self._answers:
                await self._answered.wait()
            elif self._task and not self._task.done():
                await asyncio.wait([self._task])
            else:
                return

    def close(self) -> None:
        """Show nothing more."""
        self._is_closed = True
        if self._retry:
            self._retry.cancel()
        if self._task:
            self._task.cancel()

    def _wake(self) -> None:
        busy = self._answers or self._retry or (self._task and not self._task.done()) or self._is_closed
        if self._wanted and not busy:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._wanted and not self._answers and not self._retry:
            key = next(iter(self._wanted))
            message = self._wanted.pop(key)
            if self._shown.get(key) == message:
                continue
            self._remember(key, message)
            self._painting = key
            try:
                await self._paint(key, message)
                self._failures = 0
            except Exception as error:
                self._failed(key, message, error)
            finally:
                self._painting = None

    def _failed(self, key: str, message: M, error: Exception) -> None:
        del self._shown[key]
        fault = fault_of(error)
        if fault in REFUSALS:
            # Whoever has refused this refuses the rest: it is wanted again when that has changed.
            log.warning("%s: %s was refused: %s", self._name, key, error)
            self._wanted.clear()
            return
        if fault is not Fault.LATER:
            log.error("%s: could not paint %s", self._name, key, exc_info=error)
            return
        # In its old place, so that messages keep their order; a newer state goes before this one.
        self._wanted = {key: message} | self._wanted
        wait = getattr(error, "retry_after", None) or min(LONGEST_WAIT, FIRST_WAIT * 2**self._failures)
        self._failures += 1
        log.warning("%s: %s has to wait %.0f s: %s", self._name, key, wait, error)
        self._retry = asyncio.get_running_loop().call_later(wait, self._again)

    def _again(self) -> None:
        self._retry = None
        self._wake()

    def _remember(self, key: str, message: M) -> None:
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > REMEMBERED:
            del self._shown[next(iter(self._shown))]
