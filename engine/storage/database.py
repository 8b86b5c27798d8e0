"""The database, once it is open: every write goes through `write()`."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import aiosqlite

from engine.durations import Durations
from engine.errors import Refusal
from engine.storage.locks import Patience
from engine.storage.opening import OpenFile, open_file
from engine.storage.sqlite_errors import in_words, is_bad_value
from engine.storage.together import Commit, Together, Write, commit
from engine.storage.turns import Turns

log = logging.getLogger(__name__)
T = TypeVar("T")
#: The rows that a SELECT with these values finds.
Read = Callable[[str, Sequence[Any]], Awaitable[list[sqlite3.Row]]]

#: Seconds to wait for a moment at which nobody reads or writes, before the file is written anew.
CALM_WAIT = 10.0


class Reader:
    """A connection of its own for reads that can wait: no move waits for them.

    Each sees what is committed by then. It cannot write.
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        #: How long callers waited, their turn included.
        self.took = Durations()
        self._patience = Patience(connection)
        #: Whoever takes one keeps everybody else from reading.
        self.turns = Turns()

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows that a SELECT finds. Refusal if nothing can be read now."""
        async with self._turn():
            return await self._rows(statement, values)

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[Read]:
        """Reads as `read` does, but several things as they are at one moment."""
        async with self._turn():
            await self._connection.execute_fetchall("BEGIN")
            try:
                yield self._rows
            finally:
                await self._connection.rollback()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        with _call(self.took, "cannot_read"):
            async with self.turns.take(), self._patience.spent():
                yield

    async def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(statement, values))


class Database:
    """One SQLite file. Coroutines take turns, so that none rolls back another's writes.

    What can wait is read by `reader`.
    """

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._connection = file.connection
        self.reader = Reader(file.reader)
        self._turns = Turns()
        self._patience = Patience(file.connection)
        self._together = Together(self._in_turn, self._commit)
        self._apart = asyncio.Lock()
        #: How long callers waited for each kind of call, their turn included.
        self.calls = {kind: Durations() for kind in ("write", "read", "read_apart", "rewrite")}
        self.calls["read_later"] = self.reader.took
        #: Held while the file is, or is to be, written anew.
        self.rewriting = asyncio.Lock()

    @staticmethod
    async def open(path: str | Path) -> Database:
        """The database at this path, created if missing, migrated to the newest schema.

        StorageError if another process has it, or if it cannot be written or is no sound database of ours.
        """
        return Database(await open_file(path))

    async def close(self) -> None:
        """Finish what is in hand and close the file; a second time does nothing."""
        async with self._apart, self.reader.turns.take(), self._turns.take():
            await self._file.close()

    @property
    def waiting(self) -> int:
        """How many reads and writes wait for their turn or are being done."""
        return self._turns.taken + max(0, len(self._together) - 1) + self.reader.turns.taken

    @property
    def size(self) -> int:
        """Bytes on the disk, with what SQLite has yet to move from its log into the file."""
        path = self._file.path
        files = (path, path.with_name(f"{path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """All that this writes or, if it raises, nothing; Refusal if nothing can be saved now.

        It is committed in one trip to the connection's thread with whatever else is to be written by then:
        where many tables move at once, each would wait for the disk after all the others. It is called once
        more if another that goes along raises.
        """
        with _call(self.calls["write"], "cannot_save"):
            return await self._together.write(write)

    async def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Write what this one statement does; Refusal if nothing can be saved now."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self.write(write)

    async def _commit(self, how: Commit, writes: Sequence[Write]) -> list[Any]:
        answers = await self._file.run(how, writes)
        self._patience.has_written()
        return answers

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows that a SELECT finds among what is committed. Refusal if nothing can be read now."""
        async with self.moment() as read:
            return await read(statement, values)

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[Read]:
        """Reads as `read` does, but several things as they are at one moment: no write comes between."""
        with _call(self.calls["read"], "cannot_read"):
            async with self._in_turn():
                yield self._rows

    async def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(statement, values))

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[Path]:
        """The file, for a reader with a connection of its own: meanwhile it is not closed or written anew.

        Refusal if nothing can be read now.
        """
        with _call(self.calls["read_apart"], "cannot_read"):
            async with self._apart:
                yield self._file.path

    async def rewrite(self, then: str, values: Sequence[Any] = ()) -> None:
        """Write the file anew, so that no trace is left in it of what was deleted, and run `then`.

        It takes a second for each 150 MB, in which nothing else is read or written: it begins when nobody
        waits. Refusal if that is not within CALM_WAIT seconds, or if it cannot be done now.
        """

        def note(connection: sqlite3.Connection) -> None:
            connection.execute(then, values)

        with _call(self.calls["rewrite"], "cannot_save"):
            async with self._apart:
                await self._calm()
                async with self.reader.turns.take(), self._in_turn():
                    await self._vacuum()
                    await self._commit(commit, [note])

    async def _calm(self) -> None:
        try:
            async with asyncio.timeout(CALM_WAIT):
                await self._turns.calm()
        except TimeoutError:
            raise Refusal("cannot_save") from None

    async def empty_log(self) -> None:
        """Move all that SQLite's log holds into the file; Refusal if somebody reads it just now."""
        with _call(self.calls["rewrite"], "cannot_save"):
            async with self._in_turn():
                await self._empty_log()

    async def _vacuum(self) -> None:
        await self._connection.execute("VACUUM")
        await self._empty_log()

    async def _empty_log(self) -> None:
        # Fetched, as an unread row would keep the next transaction from committing.
        checkpoint = await self._connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        [(busy, _, _)] = checkpoint
        if busy:  # somebody still reads the old pages, as a backup does
            raise Refusal("cannot_save")

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        async with self._turns.take(), self._patience.spent():
            yield


@contextmanager
def _call(took: Durations, refused: str) -> Iterator[None]:
    """Time it, and make a refusal of what is wrong with the file or its disk; our bugs stay bugs."""
    began = perf_counter()
    try:
        yield
    except sqlite3.Error as error:
        if in_words(error) is None:
            raise
        id = "damaged" if is_bad_value(error) else refused
        log.error("the database fails (%s): %s: %s", id, in_words(error), error)
        raise Refusal(id) from error
    finally:
        took.add(perf_counter() - began)
