"""Work in hand: begun once, it is finished whatever becomes of who asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Work:
    """Tasks that nobody's going away can break off half-way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do this by and by."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """What this work answers; it goes on where whoever waits for it is cancelled."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Wait until nothing is in hand."""
        while self._tasks:
            await asyncio.wait(self._tasks)
