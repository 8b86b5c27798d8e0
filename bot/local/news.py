"""What has happened, counted, for frames that wait for more."""

from __future__ import annotations

import asyncio


class News:
    """Whoever knows the count of what they have shown can wait until it is out of date."""

    def __init__(self) -> None:
        self._count = 0
        self._more = asyncio.Event()
        self.has_ended = False

    @property
    def count(self) -> str:
        """As it is written."""
        return str(self._count)

    def tell(self) -> None:
        """Something has happened."""
        self._count += 1
        self._more.set()
        self._more = asyncio.Event()

    def end(self) -> None:
        """Let nobody wait any more."""
        self.has_ended = True
        self.tell()

    async def since(self, count: str, seconds: float) -> None:
        """Until more has happened than when this was the count, but no longer."""
        if self.count == count and not self.has_ended:
            more = self._more
            try:
                async with asyncio.timeout(seconds):
                    await more.wait()
            except TimeoutError:
                pass
