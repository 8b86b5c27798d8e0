"""The connection: opened and migrated once, every write inside `transaction()` or `write()`."""

from __future__ import annotations

import asyncio
import logging
import math
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from filelock import BaseFileLock

from engine.errors import Refusal, StorageError
from engine.storage.claim import claim, resolve
from engine.storage.identity import APPLICATION, check_is_ours
from engine.storage.migrations import FUNCTIONS, MIGRATIONS
from engine.storage.sqlite_errors import QUICK_CHECK, in_words, is_bad_text, is_lock, is_sound
from engine.storage.together import Together, commit

log = logging.getLogger(__name__)
T = TypeVar("T")
#: The rows that a SELECT with these values finds.
Read = Callable[[str, Sequence[Any]], Awaitable[list[sqlite3.Row]]]

#: Seconds to wait for another program's lock.
LOCK_WAIT = 1.0
#: Seconds for which a lock that was found is taken to be there still, and is not waited for.
LOCK_REMEMBERED = 10.0
#: Seconds to wait for a moment at which nobody reads or writes, before the file is written anew.
CALM_WAIT = 10.0
PRAGMAS = (
    "journal_mode = WAL",
    # What was acknowledged survives a power cut, not just a crash of this process.
    "synchronous = FULL",
    "foreign_keys = ON",
    # What is deleted is overwritten, as whoever has it deleted is promised.
    "secure_delete = ON",
)


class Database:
    """One SQLite file. Coroutines take turns, so that none rolls back another's writes."""

    def __init__(self, connection: aiosqlite.Connection, path: Path, claimed: BaseFileLock) -> None:
        self._connection = connection
        self._path = path
        self._claimed = claimed
        self._turn = asyncio.Lock()
        self._together = Together(self._in_turn, self._run)
        self._waiting = 0
        self._calm = asyncio.Event()
        self._apart = asyncio.Lock()
        self._busy_timeout = int(LOCK_WAIT * 1000)  # milliseconds
        self._locked_at = -math.inf
        #: Held while the file is, or is to be, written anew.
        self.rewriting = asyncio.Lock()

    @staticmethod
    async def open(path: str | Path) -> Database:
        """The database at this path, created if missing, migrated to the newest schema.

        StorageError if another process has it, or if it cannot be written or is no sound database of ours.
        """
        try:
            path = resolve(Path(path))
            check_is_ours(path, LOCK_WAIT)
            claimed = claim(path)
        except UnicodeDecodeError:  # SQLite names what it does not understand
            raise StorageError("it is damaged") from None
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise StorageError(reason[:1].lower() + reason[1:]) from problem
        try:
            return await Database._connect(path, claimed)
        except BaseException:
            claimed.release()
            raise

    @staticmethod
    async def _connect(path: Path, claimed: BaseFileLock) -> Database:
        try:
            connection = await aiosqlite.connect(path, isolation_level=None, timeout=LOCK_WAIT)
            try:
                database = Database(connection, path, claimed)
                await database._prepare()
            except BaseException:
                await connection.close()
                raise
        except sqlite3.Error as problem:
            raise StorageError(in_words(problem) or str(problem)) from problem
        return database

    async def _prepare(self) -> None:
        if not is_sound(await self._connection.execute_fetchall(QUICK_CHECK)):
            raise StorageError("it is damaged")
        for pragma in PRAGMAS:
            await self._connection.execute_fetchall(f"PRAGMA {pragma}")
        await self._migrate()

    async def close(self) -> None:
        """Finish what is in hand and close the file; a second time does nothing."""
        async with self._apart, self._turn:
            await self._connection.close()
            self._claimed.release()

    @property
    def waiting(self) -> int:
        """How many reads and writes wait for their turn or are being done."""
        return self._waiting + max(0, len(self._together) - 1)

    @property
    def size(self) -> int:
        """Bytes on the disk, with what SQLite has yet to move from its log into the file."""
        files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """All the block's writes or, if it raises, none. Refusal if nothing can be saved now."""
        with _refusing("cannot_save"):
            async with self._in_turn(), self._atomic() as connection:
                yield connection

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """All that this writes or, if it raises, nothing; Refusal if nothing can be saved now.

        It is committed in one trip to the connection's thread with whatever else is to be written by then:
        where many tables move at once, each would wait for the disk after all the others. It is called once
        more if another that goes along raises.
        """
        with _refusing("cannot_save"):
            return await self._together.write(write)

    async def _run(self, work: Callable[..., T], *values: Any) -> T:
        # aiosqlite has no name of its own for work in its thread.
        execute: Callable[..., Awaitable[T]] = self._connection._execute
        done = await execute(work, self._connection._conn, *values)
        self._locked_at = -math.inf
        return done

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows that a SELECT finds among what is committed. Refusal if nothing can be read now."""
        async with self.moment() as read:
            return await read(statement, values)

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[Read]:
        """Reads as `read` does, but several things as they are at one moment: no write comes between."""
        with _refusing("cannot_read"):
            async with self._in_turn():
                yield self._rows

    async def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(statement, values))

    async def read_apart(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` reads among what is committed now, in a thread of its own: nobody waits for it.

        Refusal if nothing can be read now.
        """
        with _refusing("cannot_read"):
            async with self._apart:
                return await asyncio.to_thread(self._read_apart, work)

    def _read_apart(self, work: Callable[[sqlite3.Connection], T]) -> T:
        file = f"{self._path.as_uri()}?mode=ro"
        with closing(sqlite3.connect(file, uri=True, isolation_level=None, timeout=LOCK_WAIT)) as connection:
            connection.text_factory = lambda raw: raw.decode(errors="replace")
            connection.execute("BEGIN")
            return work(connection)

    async def rewrite(self, then: str, values: Sequence[Any] = ()) -> None:
        """Write the file anew, so that no trace is left in it of what was deleted, and run `then`.

        It takes a second for each 150 MB, in which nothing else is read or written: it begins when nobody
        waits. Refusal if that is not within CALM_WAIT seconds, or if it cannot be done now.
        """
        with _refusing("cannot_save"):
            async with self._apart, self._in_turn_after_others():
                await self._connection.execute("VACUUM")
                # Fetched, as an unread row would keep the next transaction from committing.
                checkpoint = await self._connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                [(busy, _, _)] = checkpoint
                if busy:  # somebody still reads the old pages, as a backup does
                    raise Refusal("cannot_save")
                async with self._atomic() as connection:
                    await connection.execute(then, values)

    @asynccontextmanager
    async def _in_turn_after_others(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(CALM_WAIT):
                while self._waiting:
                    await self._calm.wait()
        except TimeoutError:
            raise Refusal("cannot_save") from None
        async with self._in_turn():
            yield

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        self._waiting += 1
        self._calm.clear()
        try:
            async with self._turn:
                with self._noting_locks():
                    await self._set_busy_timeout()
                    yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._calm.set()

    async def _set_busy_timeout(self) -> None:
        """Do not wait for a lock that was waited for just now: everybody would, one after the other."""
        is_known = asyncio.get_running_loop().time() - self._locked_at < LOCK_REMEMBERED
        milliseconds = 0 if is_known else int(LOCK_WAIT * 1000)
        if milliseconds != self._busy_timeout:
            await self._connection.execute_fetchall(f"PRAGMA busy_timeout = {milliseconds}")
            self._busy_timeout = milliseconds

    @contextmanager
    def _noting_locks(self) -> Iterator[None]:
        # Only a write tells that there is none any more: others may be able to read beside it.
        try:
            yield
        except sqlite3.Error as error:
            if is_lock(error):
                self._locked_at = asyncio.get_running_loop().time()
            raise

    @asynccontextmanager
    async def _atomic(self) -> AsyncIterator[aiosqlite.Connection]:
        try:
            await self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            await self._connection.execute("COMMIT")
            self._locked_at = -math.inf
        except BaseException:
            # Unlike ROLLBACK it does nothing where SQLite has rolled back by itself, as on a full disk.
            await self._connection.rollback()
            raise

    async def _migrate(self) -> None:
        [(done,)] = await self._connection.execute_fetchall("PRAGMA user_version")
        for name, function in FUNCTIONS.items():
            await self._connection.create_function(name, 1, function, deterministic=True)
        # All in one trip to the connection's thread: 51 statements, each by itself, took a new file 50 ms.
        await self._run(commit, [partial(_migrate, since=done)])


def _migrate(connection: sqlite3.Connection, since: int) -> None:
    for statement in chain.from_iterable(MIGRATIONS[since:]):
        connection.execute(statement)
    # Marked even where there is nothing to do: a file that cannot be written is noticed now.
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # The mark is part of the same transaction: the migrations are done or not begun.
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


@contextmanager
def _refusing(id: str) -> Iterator[None]:
    """Make a refusal of what is wrong with the file or its disk; a bug of ours stays what it is."""
    try:
        yield
    except sqlite3.Error as error:
        if in_words(error) is None:
            raise
        id = "damaged" if is_bad_text(error) else id
        log.error("the database fails (%s): %s: %s", id, in_words(error), error)
        raise Refusal(id) from error
