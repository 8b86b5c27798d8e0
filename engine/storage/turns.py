"""Turns at the one connection: how many wait for theirs, and when nobody does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Coroutines take turns, so that none rolls back another's writes."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._calm = asyncio.Event()
        #: How many have a turn or wait for one.
        self.taken = 0

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """The next free turn."""
        self.taken += 1
        self._calm.clear()
        try:
            async with self._turn:
                yield
        finally:
            self.taken -= 1
            if not self.taken:
                self._calm.set()

    async def calm(self) -> None:
        """Wait for a moment at which nobody has a turn or waits for one."""
        while self.taken:
            await self._calm.wait()
