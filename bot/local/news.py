"""Counts changes, so that frames can wait for the next one."""

import asyncio


class News:
    """A counter of changes; a frame that knows the count it has shown can wait for a higher one."""

    def __init__(self) -> None:
        self._count = 0
        self._more = asyncio.Event()
        self.has_ended = False

    @property
    def count(self) -> str:
        """The count as text."""
        return str(self._count)

    def announce(self) -> None:
        """Count a change, and wake everything that waits for one."""
        self._count += 1
        self._more.set()
        self._more = asyncio.Event()

    def end(self) -> None:
        """Wake everything that waits, and let nothing wait again."""
        self.has_ended = True
        self.announce()

    async def since(self, count: str, seconds: float) -> None:
        """Wait until the count is no longer this one, for at most this many seconds."""
        if self.count == count and not self.has_ended:
            more = self._more
            try:
                async with asyncio.timeout(seconds):
                    await more.wait()
            except TimeoutError:
                pass
