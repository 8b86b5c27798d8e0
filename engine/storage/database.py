"""The open database. Every write goes through `Database.write()`; reads that can wait use `Database.reader`.

Callers take turns on the only connection that writes. Writes that arrive before a turn are committed
together, since each commit waits for the disk. `engine.storage.file` is about the file itself.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import aiosqlite
from filelock import FileLock
from prometheus_client import Histogram

from engine import __version__, metrics
from engine.errors import Refusal, StorageError
from engine.storage import file
from engine.storage.file import (
    APPLICATION,
    DAMAGED,
    NEWEST,
    QUICK_CHECK,
    VERSION,
    check_is_ours,
    claim,
    explaining_faults,
    in_words,
    is_lock,
    is_sound,
    keep_private,
    resolve,
)
from engine.storage.schema import MIGRATIONS, SCHEMA, statements

log = logging.getLogger(__name__)
T = TypeVar("T")
#: Runs a SELECT with these values and returns its rows.
Read = Callable[[str, Sequence[Any]], Awaitable[list[sqlite3.Row]]]
#: Writes within a transaction, which is rolled back if it raises.
Write = Callable[[sqlite3.Connection], Any]
#: `commit` or `commit_each`, and a way to run it in the connection's thread.
Commit = Callable[[sqlite3.Connection, Sequence[Write]], list[Any]]
Run = Callable[[Commit, Sequence[Write]], Awaitable[list[Any]]]
#: The kinds of calls that are timed.
CALLS = ("read", "read_later", "read_apart", "write", "rewrite")
#: Seconds to wait for a moment without reads and writes before the file is rewritten.
CALM_WAIT = 10.0
PRAGMAS = (
    "journal_mode = WAL",
    # Committed writes survive a power cut, not just a crash of this process.
    "synchronous = FULL",
    "foreign_keys = ON",
    # Deleted data is overwritten, as people who delete theirs are promised.
    "secure_delete = ON",
)


class Connection:
    """One connection to the file. Coroutines take turns, so that none rolls back another's writes."""

    def __init__(self, connection: aiosqlite.Connection, reads: Histogram) -> None:
        self._connection = connection
        self._reads = reads
        #: The number of callers that have a turn or wait for one.
        self.callers = 0
        self.is_closed = False
        self._turn = asyncio.Lock()
        self._idle = asyncio.Event()

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows of a SELECT from committed data. Refusal if nothing can be read now."""
        with _timed(self._reads, "cannot_read"):
            async with self.turn():
                return await self._rows(statement, values)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        """Yield a function that works like `read`, but always sees the data of one moment."""
        with _timed(self._reads, "cannot_read"):
            async with self.turn():
                try:  # a BEGIN may take effect even if it is cancelled
                    await self._connection.execute_fetchall("BEGIN")
                    yield self._rows
                finally:
                    await self._connection.rollback()

    async def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(statement, values))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and hold it in this block; Refusal if the file has been closed."""
        self.callers += 1
        self._idle.clear()
        try:
            async with self._turn:
                if self.is_closed:  # while this caller waited, as the bot stops
                    raise Refusal("cannot_save")
                yield
        finally:
            self.callers -= 1
            if not self.callers:
                self._idle.set()

    async def wait_until_idle(self) -> None:
        """Wait until no caller has a turn or waits for one."""
        while self.callers:
            await self._idle.wait()


class Database(Connection):
    """One SQLite file, and the only connection that writes to it."""

    def __init__(self, opened: "OpenFile") -> None:
        #: How long callers waited for each kind of call, including their turn.
        self.calls = metrics.histogram(
            "database_seconds", "Database calls, including the wait for a turn.", "call", values=CALLS
        )
        super().__init__(opened.connection, self.calls.labels("read"))
        self._file = opened
        #: A read-only connection for reads that can wait, so that no move waits for them.
        self.reader = Connection(opened.reader, self.calls.labels("read_later"))
        self._commits = GroupCommit(self.turn, self._commit)
        self._own_connections = asyncio.Lock()
        #: Held while the file is being rewritten, or waits to be.
        self.rewriting = asyncio.Lock()
        #: People who are being deleted: nothing more is stored about them.
        self.leaving: set[int] = set()
        self._is_vacuuming = self._is_closing = False

    @staticmethod
    async def open(path: str | Path) -> "Database":
        """Open the database at this path, created if missing, and migrate it to the newest schema.

        StorageError if another process has it, it can't be written, or it isn't a sound database of ours.
        """
        return Database(await open_file(path))

    async def close(self) -> None:
        """Finish pending work, except a rewrite, and close the file; a second call does nothing."""
        self._is_closing = True
        while self._is_vacuuming:
            await self._connection.interrupt()  # has no effect before the thread begins it
            await asyncio.sleep(0.01)
        with suppress(Refusal):  # closed already
            async with self._own_connections, self.reader.turn(), self.turn():
                self.is_closed = self.reader.is_closed = True
                await self._file.close()

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._file.path

    @property
    def waiting(self) -> int:
        """The number of reads and writes that are waiting or being done."""
        return self.callers + max(0, len(self._commits) - 1) + self.reader.callers

    @property
    def size(self) -> int:
        """The bytes on the disk, including SQLite's log."""
        path = self._file.path
        files = (path, path.with_name(f"{path.name}-wal"))
        return sum(one.stat().st_size for one in files if one.exists())

    def check_stays(self, person: int) -> None:
        """Raise a Refusal if this person is being deleted; call it right before a write about them."""
        if person in self.leaving:
            raise Refusal("leaving")

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Run `write` in a transaction and return its result; Refusal if nothing can be saved now.

        It shares a commit with everything else that is waiting by then: with many tables moving at once, each
        would otherwise wait for the disk after all the others. If another of these writes raises, `write` is
        called again.
        """
        with _timed(self.calls.labels("write"), "cannot_save"):
            return await self._commits.write(write)

    async def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Execute one statement that writes; Refusal if nothing can be saved now."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self.write(write)

    async def _commit(self, how: Commit, writes: Sequence[Write]) -> list[Any]:
        return await _to_the_end(self._file.run(how, writes))

    @asynccontextmanager
    async def for_own_connection(self) -> AsyncIterator[Path]:
        """Yield the file's path for a separate connection; in this block it isn't closed or rewritten.

        Refusal if nothing can be read now.
        """
        with _timed(self.calls.labels("read_apart"), "cannot_read"):
            async with self._own_connections:
                yield self._file.path

    async def rewrite(self, then: str, values: Sequence[Any] = ()) -> None:
        """Rewrite the file, so that it holds no trace of deleted data, then execute `then`.

        This takes a second per 150 MB and blocks all reads and writes, so it starts when none are waiting.
        Refusal if that takes more than CALM_WAIT seconds, or if the file can't be rewritten now.
        """

        def note(connection: sqlite3.Connection) -> None:
            connection.execute(then, values)

        with _timed(self.calls.labels("rewrite"), "cannot_save"):
            async with self._own_connections:
                await self._wait_for_calm()
                async with self.reader.turn(), self.turn():
                    await self._vacuum()
                    await self._commit(commit, [note])

    async def _wait_for_calm(self) -> None:
        try:
            async with asyncio.timeout(CALM_WAIT):
                await self.wait_until_idle()
        except TimeoutError:
            raise Refusal("cannot_save") from None

    async def empty_log(self) -> None:
        """Move SQLite's log into the file; Refusal while another connection is reading from it."""
        with _timed(self.calls.labels("rewrite"), "cannot_save"):
            async with self.turn():
                await self._empty_log()

    async def _vacuum(self) -> None:
        if self._is_closing:
            raise Refusal("cannot_save")
        self._is_vacuuming = True
        try:
            await self._connection.execute("VACUUM")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Refusal("cannot_save") from error
            raise
        finally:
            self._is_vacuuming = False
        await self._empty_log()

    async def _empty_log(self) -> None:
        # All rows are fetched, as an unread one would keep the next transaction from committing.
        checkpoint = await self._connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        [(busy, _, _)] = checkpoint
        if busy:  # another reader, such as a backup, needs the old pages
            raise Refusal("cannot_save")


@contextmanager
def _timed(calls: Histogram, refusal: str) -> Iterator[None]:
    """Time this block, and turn faults of the file or its disk into a Refusal with this id."""
    began = perf_counter()
    try:
        yield
    except sqlite3.Error as error:
        if in_words(error) is None:
            raise
        log.error("the database fails (%s): %s: %s", refusal, in_words(error), error)
        raise Refusal(refusal) from error
    finally:
        calls.observe(perf_counter() - began)


# Commits


class GroupCommit:
    """Commits all waiting writes together when a turn comes.

    Cancelling the committing task loses no write: a commit that has begun is finished.
    """

    def __init__(self, in_turn: Callable[[], AbstractAsyncContextManager[None]], run: Run) -> None:
        self._in_turn = in_turn
        self._run = run
        self._waiting: list[tuple[Write, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """The number of writes that wait for the next turn."""
        return len(self._waiting)

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Run `write` in a transaction and return its result; run it again if another in its batch raises."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, future))
        if len(self._waiting) == 1:
            self._start()
        return await future

    def _start(self) -> None:
        self._committing = asyncio.create_task(self._commit())
        self._committing.add_done_callback(self._start_again)

    def _start_again(self, committing: asyncio.Task[None]) -> None:
        if committing.cancelled():  # before its turn, so the writes are still waiting
            self._waiting = self._take_batch()
            if self._waiting:
                self._start()

    async def _commit(self) -> None:
        batch: list[tuple[Write, asyncio.Future[Any]]] = []
        try:
            async with self._in_turn():
                batch = self._take_batch()
                results = await self._run_batch([write for write, _ in batch])
        except Exception as error:
            batch = batch or self._take_batch()
            results = [error] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():  # its caller has been cancelled
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

    def _take_batch(self) -> list[tuple[Write, asyncio.Future[Any]]]:
        """Take the waiting writes, except those whose callers have been cancelled."""
        batch, self._waiting = self._waiting, []
        return [one for one in batch if not one[1].done()]

    async def _run_batch(self, writes: Sequence[Write]) -> list[Any]:
        try:
            return await self._run(commit, writes)
        except Exception as error:
            if len(writes) == 1 or (isinstance(error, sqlite3.Error) and is_lock(error)):
                raise
            return await self._run(commit_each, writes)


async def _to_the_end(work: asyncio.Future[T]) -> T:
    """Wait for work in a thread, which can't be stopped, even if this task is cancelled."""
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([work])
    return work.result()


def commit(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """Run all writes in one transaction, which is rolled back if one raises; returns their results."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [write(connection) for write in writes]
        connection.execute("COMMIT")
    except BaseException:
        # Unlike a ROLLBACK statement, this may follow SQLite's own rollback, as on a full disk.
        connection.rollback()
        raise
    return results


def commit_each(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """Run each write in its own transaction; returns each one's result or exception."""
    results: list[Any] = []
    for write in writes:
        try:
            results += commit(connection, [write])
        except Exception as error:
            results.append(error)
    return results


# Opening: the file is claimed for this process, checked, and migrated to the newest schema


@dataclass(frozen=True, slots=True)
class OpenFile:
    """An open file: the connection that writes, the one that only reads, and the claim on the file."""

    connection: aiosqlite.Connection
    reader: aiosqlite.Connection
    path: Path
    lock: FileLock

    def run(self, work: Callable[..., T], *values: Any) -> asyncio.Future[T]:
        """Call `work` in the connection's thread with SQLite's own connection and these values."""
        return _run(self.connection, work, *values)

    async def close(self) -> None:
        """Close the file and release it; a second call does nothing."""
        await self.reader.close()
        await self.connection.close()  # last, as only it can move the log's pages into the file
        self.lock.release()


async def open_file(path: str | Path) -> OpenFile:
    """Open the file at this path, created if missing.

    StorageError if another process has it, it can't be written, or it isn't a sound database of ours.
    """
    with explaining_faults():
        path = resolve(Path(path))
        check_is_ours(path)
        lock = claim(path)
    try:
        with explaining_faults():
            keep_private(path)
        return await _connect(path, lock)
    except BaseException:
        lock.release()
        raise


async def _connect(path: Path, lock: FileLock) -> OpenFile:
    async with AsyncExitStack() as stack:
        try:
            connection = await _in_daemon(
                aiosqlite.connect(path, isolation_level=None, timeout=file.LOCK_WAIT)
            )
            stack.push_async_callback(connection.close)
            await _run(connection, _prepare)
            read_only = f"{path.as_uri()}?mode=ro"
            reader = await _in_daemon(
                aiosqlite.connect(read_only, uri=True, isolation_level=None, timeout=file.LOCK_WAIT)
            )
            stack.push_async_callback(reader.close)
        except sqlite3.Error as problem:
            raise StorageError(in_words(problem) or str(problem)) from problem
        # Text that isn't UTF-8 must not make a whole query fail.
        connection.text_factory = reader.text_factory = _text
        stack.pop_all()
    return OpenFile(connection, reader, path, lock)


def _prepare(connection: sqlite3.Connection) -> None:
    """Check, configure and migrate the file, in a single trip to the connection's thread."""
    if not is_sound(connection.execute(QUICK_CHECK)):
        raise StorageError(DAMAGED)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    [(version,)] = connection.execute("PRAGMA user_version")
    commit(connection, [partial(_migrate, version=version)])


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _in_daemon(connection: aiosqlite.Connection) -> aiosqlite.Connection:
    """Make the thread of this new connection a daemon, so that it can't keep a failing program alive."""
    connection._thread.daemon = True
    return connection


def _run(connection: aiosqlite.Connection, work: Callable[..., T], *values: Any) -> asyncio.Future[T]:
    # aiosqlite has no public call for this. Its coroutines can be cancelled before the thread gets the work.
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    if not connection._running:
        raise ValueError("no active connection")
    connection._tx.put_nowait((future, partial(work, connection._conn, *values)))
    return future


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring the schema from this version to the newest; 0 is an empty file."""
    for sql in MIGRATIONS[version - 1 :] if version else (SCHEMA,):
        for statement in statements(sql):
            connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (VERSION, __version__))
    # Written even if nothing has changed, so that a file that can't be written is noticed now.
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # In the same transaction, so that the migrations are done completely or not at all.
    connection.execute(f"PRAGMA user_version = {NEWEST}")
