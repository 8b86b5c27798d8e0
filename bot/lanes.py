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
T = TypeVar("T")
#: A lane forgets what it showed longest ago; painting that again would merely cost a request.
REMEMBERED = 24
#: Seconds before a paint is tried again, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0
MOST_DOUBLINGS = 10


class Lane(Generic[M]):
    """A queue of paints: a newer state of a message replaces the one that still waits.

    `paint` shows one; when Discord is out of reach it is asked again later, with the newest state.
    A message is painted again only `spacing` seconds later: what comes meanwhile costs one request.
    """

    def __init__(
        self, name: str, paint: Callable[[str, M], Awaitable[None]], *, spacing: float = 0.0
    ) -> None:
        self._name = name
        self._paint = paint
        self._spacing = spacing
        self._wanted: dict[str, M] = {}
        self._due: dict[str, float] = {}  # by the loop's clock, for what can wait
        self._shown: dict[str, M] = {}
        self._painted_at: dict[str, float] = {}  # by the loop's clock
        self._painting: str | None = None
        self._answers = 0
        self._overlapping = False
        self._answered = asyncio.Event()
        self._failures = 0
        self._retry: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def shown(self) -> dict[str, M]:
        """How the messages look that were painted last, as far as that is certain."""
        return {key: message for key, message in self._shown.items() if key != self._painting}

    @property
    def owed(self) -> list[str]:
        """The messages that are on their way, or wait for Discord."""
        return [key for key in self._wanted if key not in self._due]

    @property
    def waiting(self) -> int:
        """How many messages are not yet as they should be."""
        return len(self.owed) + (self._painting is not None)

    def want(self, key: str, message: M, *, patience: float = 0.0) -> None:
        """Let the message with this key look so, soon; after `patience` seconds if nothing newer comes."""
        if key not in self._wanted and self._shown.get(key) == message:
            return
        self._wanted[key] = message
        if patience:
            self._due.setdefault(key, _now() + patience)
        else:
            self._due.pop(key, None)
        self._wake()

    def replace(self, key: str, message: M) -> None:
        """What is on its way looks so instead; what could wait until now does not come at all."""
        if self._due.pop(key, None) is not None:
            del self._wanted[key]
        elif key in self._wanted or key == self._painting:
            self.want(key, message)

    def painted(self, key: str, message: M) -> None:
        """The answer to a click has just shown this state."""
        if self._painting == key or self._overlapping:
            # Which of two requests Discord took last is unknown: paint once more.
            self._wanted.setdefault(key, message)
            return
        self._remember(key, message)
        if self._wanted.get(key) == message:
            del self._wanted[key]
            self._due.pop(key, None)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """While a click is being answered with the new state, which saves painting it here."""
        self._overlapping = self._answers > 0 or self._overlapping
        self._answers += 1
        self._answered.clear()
        try:
            yield
        finally:
            self._answers -= 1
            if not self._answers:
                self._overlapping = False
                self._answered.set()
            self._wake()

    def hurry(self) -> None:
        """From now on wait for nobody but Discord."""
        self._spacing = 0.0
        self._due.clear()
        self._wake()

    async def empty(self) -> bool:
        """Wait until all that is wanted is painted, however long Discord is out of reach.

        False if the lane is closed before that.
        """
        self.hurry()
        await self.idle()
        while self._wanted and not self._is_closed:
            await asyncio.sleep(LONGEST_WAIT)
            await self.idle()
        return not self._is_closed

    async def idle(self) -> None:
        """Wait until all clicks are answered and all that is wanted painted, or has to wait."""
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
        for handle in (self._retry, self._alarm, self._task):
            if handle:
                handle.cancel()

    def _wake(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        busy = self._answers or self._retry or (self._task and not self._task.done()) or self._is_closed
        if self._wanted and not busy:
            self._task = asyncio.create_task(self._run())

    def _ripe_at(self, key: str) -> float:
        """When this message may be painted."""
        rested = self._painted_at[key] + self._spacing if key in self._painted_at else 0.0
        return max(rested, self._due.get(key, 0.0))

    async def _run(self) -> None:
        while self._wanted and not self._answers and not self._retry:
            now = _now()
            key = next((key for key in self._wanted if self._ripe_at(key) <= now), None)
            if key is None:
                ripe_at = min(map(self._ripe_at, self._wanted))
                self._alarm = asyncio.get_running_loop().call_at(ripe_at, self._wake)
                return
            message = self._wanted.pop(key)
            self._due.pop(key, None)
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
                self._painted_at[key] = _now()

    def _failed(self, key: str, message: M, error: Exception) -> None:
        del self._shown[key]
        fault = fault_of(error)
        if fault in REFUSALS:
            # Whoever has refused this refuses the rest: it is wanted again when that has changed.
            log.warning("%s: %s was refused: %s", self._name, key, error)
            self._wanted.clear()
            self._due.clear()
            return
        if fault is not Fault.LATER:
            log.error("%s: could not paint %s", self._name, key, exc_info=error)
            return
        # In its old place, so that messages keep their order; a newer state goes before this one.
        self._wanted = {key: message} | self._wanted
        wait = getattr(error, "retry_after", None) or min(LONGEST_WAIT, FIRST_WAIT * 2**self._failures)
        self._failures = min(self._failures + 1, MOST_DOUBLINGS)
        log.warning("%s: %s has to wait %.0f s: %s", self._name, key, wait, error)
        self._retry = asyncio.get_running_loop().call_later(wait, self._again)

    def _again(self) -> None:
        self._retry = None
        self._wake()

    def _remember(self, key: str, message: M) -> None:
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > REMEMBERED:
            oldest = next(iter(self._shown))
            del self._shown[oldest]
            self._painted_at.pop(oldest, None)


async def drop(table: int, lanes: dict[tuple[int, int], Lane[M]], others: dict[tuple[int, int], T]) -> bool:
    """Once all is shown, drop the lanes of a table's players, and what else is kept of them.

    False if a lane is closed before that.
    """
    for mine in [mine for mine in lanes if mine[0] == table]:
        if not await lanes[mine].empty():
            return False
        del lanes[mine]
        others.pop(mine, None)
    return True


def _now() -> float:
    """Seconds by the loop's clock."""
    return asyncio.get_running_loop().time()
