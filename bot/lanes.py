"""Painting one destination's messages in order, each in its newest state only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

M = TypeVar("M")
#: A lane forgets what it showed longest ago; painting that again would merely cost a request.
REMEMBERED = 12


class Lane(Generic[M]):
    """A queue of paints: a newer state of a message replaces the one that still waits."""

    def __init__(self, paint: Callable[[str, M], Awaitable[None]]) -> None:
        self._paint = paint
        self._wanted: dict[str, M] = {}
        self._shown: dict[str, M] = {}
        self._painting: str | None = None
        self._answers = 0
        self._task: asyncio.Task[None] | None = None

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
        try:
            yield
        finally:
            self._answers -= 1
            self._wake()

    async def idle(self) -> None:
        """Wait until all that is wanted has been painted."""
        while self._task and not self._task.done():
            await asyncio.wait([self._task])

    def _wake(self) -> None:
        if self._wanted and not self._answers and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._wanted and not self._answers:
            key = next(iter(self._wanted))
            message = self._wanted.pop(key)
            if self._shown.get(key) == message:
                continue
            self._remember(key, message)
            self._painting = key
            try:
                await self._paint(key, message)
            except Exception:
                log.exception("could not paint %s", key)
            finally:
                self._painting = None

    def _remember(self, key: str, message: M) -> None:
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > REMEMBERED:
            del self._shown[next(iter(self._shown))]
