"""Another program's lock on the file: it is waited for, but not by everybody one after the other."""

from __future__ import annotations

import asyncio
import math
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite

from engine.storage.sqlite_errors import is_lock

#: Seconds to wait for another program's lock.
LOCK_WAIT = 1.0
#: Seconds for which a lock that was found is taken to be there still, and is not waited for.
LOCK_REMEMBERED = 10.0


class Patience:
    """How long one connection waits for a lock."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._busy_timeout = int(LOCK_WAIT * 1000)  # milliseconds, as it was opened
        self._locked_at = -math.inf

    @asynccontextmanager
    async def spent(self) -> AsyncIterator[None]:
        """While this is done a lock is waited for, unless one was found just now; it is noted if one is."""
        # Only a write tells that there is none any more: others may be able to read beside it.
        try:
            await self._set_busy_timeout()
            yield
        except sqlite3.Error as error:
            if is_lock(error):
                self._locked_at = asyncio.get_running_loop().time()
            raise

    def has_written(self) -> None:
        """Note that nobody has locked the file any more."""
        self._locked_at = -math.inf

    async def _set_busy_timeout(self) -> None:
        is_known = asyncio.get_running_loop().time() - self._locked_at < LOCK_REMEMBERED
        milliseconds = 0 if is_known else int(LOCK_WAIT * 1000)
        if milliseconds != self._busy_timeout:
            await self._connection.execute_fetchall(f"PRAGMA busy_timeout = {milliseconds}")
            self._busy_timeout = milliseconds
