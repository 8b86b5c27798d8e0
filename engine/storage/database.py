"""The open database. Every write goes through `Database.write()`; `Database.reader` reads what can wait.

The one connection that writes is used in turns, and all that is to be written by the time of a turn is
committed together, since each commit waits for the disk. The file itself is in `engine.storage.file`.
"""

from __future__ import annotations

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

from engine import __version__
from engine.durations import Durations
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
    in_words,
    is_lock,
    is_sound,
    keep_private,
    resolve,
    telling_faults,
)
from engine.storage.schema import MIGRATIONS, SCHEMA, statements

log = logging.getLogger(__name__)
T = TypeVar("T")
#: The rows that a SELECT with these values finds.
Read = Callable[[str, Sequence[Any]], Awaitable[list[sqlite3.Row]]]
#: Writes, and answers something; nothing of it stays where it raises.
Write = Callable[[sqlite3.Connection], Any]
#: `commit` or `commit_each`, and how the connection's thread is made to do that.
Commit = Callable[[sqlite3.Connection, Sequence[Write]], list[Any]]
Run = Callable[[Commit, Sequence[Write]], Awaitable[list[Any]]]
#: Seconds to wait for a moment without reads and writes, before the file is rewritten.
CALM_WAIT = 10.0
PRAGMAS = (
    "journal_mode = WAL",
    # What was acknowledged survives a power cut, not just a crash of this process.
    "synchronous = FULL",
    "foreign_keys = ON",
    # What is deleted is overwritten, as people who delete their data are promised.
    "secure_delete = ON",
)


class Connection:
    """One connection to the file. Coroutines take turns, so that none rolls back another's writes."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        #: How long callers waited to read, their turn included.
        self.took = Durations()
        #: How many have a turn or wait for one.
        self.taken = 0
        self.is_closed = False
        self._turn = asyncio.Lock()
        self._calm = asyncio.Event()

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows that a SELECT finds among what is committed. Refusal if nothing can be read now."""
        with _call(self.took, "cannot_read"):
            async with self.turn():
                return await self._rows(statement, values)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        """Reads as `read` does, but several things as they are at one moment."""
        with _call(self.took, "cannot_read"):
            async with self.turn():
                try:  # from here on, as what is cancelled may have begun
                    await self._connection.execute_fetchall("BEGIN")
                    yield self._rows
                finally:
                    await self._connection.rollback()

    async def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(await self._connection.execute_fetchall(statement, values))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """The next free turn; Refusal if the file has been closed."""
        self.taken += 1
        self._calm.clear()
        try:
            async with self._turn:
                if self.is_closed:  # what was cut off when the bot stopped
                    raise Refusal("cannot_save")
                yield
        finally:
            self.taken -= 1
            if not self.taken:
                self._calm.set()

    async def calm(self) -> None:
        """Wait for a moment at which nobody has a turn or waits for one."""
        while self.taken:
            await self._calm.wait()


class Database(Connection):
    """One SQLite file, and the one connection that writes."""

    def __init__(self, opened: OpenFile) -> None:
        super().__init__(opened.connection)
        self._file = opened
        #: For reads that can wait: no move waits for them. It cannot write.
        self.reader = Connection(opened.reader)
        self._commits = GroupCommit(self.turn, self._commit)
        self._apart = asyncio.Lock()
        #: How long callers waited for each kind of call, their turn included.
        self.calls = {kind: Durations() for kind in ("write", "read_apart", "rewrite")}
        self.calls |= {"read": self.took, "read_later": self.reader.took}
        #: Held while the file is, or is about to be, rewritten.
        self.rewriting = asyncio.Lock()
        #: People who are being deleted: nothing more is stored about them.
        self.leaving: set[int] = set()
        self._is_vacuuming = self._is_closing = False

    @staticmethod
    async def open(path: str | Path) -> Database:
        """The database at this path, created if missing, migrated to the newest schema.

        StorageError if another process has it, or if it cannot be written or is no sound database of ours.
        """
        return Database(await open_file(path))

    async def close(self) -> None:
        """Finish what is in hand, except a rewrite, and close the file; a second call does nothing."""
        self._is_closing = True
        while self._is_vacuuming:
            await self._connection.interrupt()  # nothing, if its thread hasn't begun yet
            await asyncio.sleep(0.01)
        with suppress(Refusal):  # closed already
            async with self._apart, self.reader.turn(), self.turn():
                self.is_closed = self.reader.is_closed = True
                await self._file.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def waiting(self) -> int:
        """The number of reads and writes that wait for their turn or are being done."""
        return self.taken + max(0, len(self._commits) - 1) + self.reader.taken

    @property
    def size(self) -> int:
        """The bytes on the disk, with what SQLite has yet to move from its log into the file."""
        path = self._file.path
        files = (path, path.with_name(f"{path.name}-wal"))
        return sum(one.stat().st_size for one in files if one.exists())

    def check_stays(self, person: int) -> None:
        """Raise a Refusal if this person is being deleted; otherwise they can't be before the next write."""
        if person in self.leaving:
            raise Refusal("leaving")

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Write all that this writes or, if it raises, nothing; Refusal if nothing can be saved now.

        It is committed in one trip to the connection's thread with whatever else is to be written by then:
        where many tables move at once, each would wait for the disk after all the others. It is called once
        more if another that goes along raises.
        """
        with _call(self.calls["write"], "cannot_save"):
            return await self._commits.write(write)

    async def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Write what this one statement does; Refusal if nothing can be saved now."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self.write(write)

    async def _commit(self, how: Commit, writes: Sequence[Write]) -> list[Any]:
        return await _to_the_end(self._file.run(how, writes))

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[Path]:
        """The file, for a reader with a connection of its own: meanwhile it is not closed or rewritten.

        Refusal if nothing can be read now.
        """
        with _call(self.calls["read_apart"], "cannot_read"):
            async with self._apart:
                yield self._file.path

    async def rewrite(self, then: str, values: Sequence[Any] = ()) -> None:
        """Rewrite the file, so that no trace is left in it of what was deleted, and run `then`.

        It takes a second for each 150 MB, in which nothing else is read or written: it begins when nobody
        waits. Refusal if that is not within CALM_WAIT seconds, or if it cannot be done now.
        """

        def note(connection: sqlite3.Connection) -> None:
            connection.execute(then, values)

        with _call(self.calls["rewrite"], "cannot_save"):
            async with self._apart:
                await self._wait_for_calm()
                async with self.reader.turn(), self.turn():
                    await self._vacuum()
                    await self._commit(commit, [note])

    async def _wait_for_calm(self) -> None:
        try:
            async with asyncio.timeout(CALM_WAIT):
                await self.calm()
        except TimeoutError:
            raise Refusal("cannot_save") from None

    async def empty_log(self) -> None:
        """Move all that SQLite's log holds into the file; Refusal if someone reads it just now."""
        with _call(self.calls["rewrite"], "cannot_save"):
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
        # Fetched, as an unread row would keep the next transaction from committing.
        checkpoint = await self._connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        [(busy, _, _)] = checkpoint
        if busy:  # someone still reads the old pages, as a backup does
            raise Refusal("cannot_save")


@contextmanager
def _call(took: Durations, refused: str) -> Iterator[None]:
    """Time a call, and turn faults of the file or its disk into a Refusal; our bugs stay bugs."""
    began = perf_counter()
    try:
        yield
    except sqlite3.Error as error:
        if in_words(error) is None:
            raise
        log.error("the database fails (%s): %s: %s", refused, in_words(error), error)
        raise Refusal(refused) from error
    finally:
        took.add(perf_counter() - began)


# Commits


class GroupCommit:
    """Commits of several writes at once: all that wait when a turn comes go along with the first.

    Cancelling the task that commits stops no write: a commit that has begun is waited for.
    """

    def __init__(self, in_turn: Callable[[], AbstractAsyncContextManager[None]], run: Run) -> None:
        self._in_turn = in_turn
        self._run = run
        self._waiting: list[tuple[Write, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """The number of writes that wait for their common turn."""
        return len(self._waiting)

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Return what this returns in a transaction; it is called again if another write with it raises."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if len(self._waiting) == 1:
            self._start()
        return await done

    def _start(self) -> None:
        self._committing = asyncio.create_task(self._commit())
        self._committing.add_done_callback(self._start_again)

    def _start_again(self, committing: asyncio.Task[None]) -> None:
        if committing.cancelled():  # before its turn: the writes still wait
            self._waiting = self._take()
            if self._waiting:
                self._start()

    async def _commit(self) -> None:
        taken: list[tuple[Write, asyncio.Future[Any]]] = []
        try:
            async with self._in_turn():
                taken = self._take()
                answers = await self._answers([write for write, _ in taken])
        except Exception as error:
            taken = taken or self._take()
            answers = [error] * len(taken)
        for (_, done), answer in zip(taken, answers, strict=True):
            if done.done():  # the caller has gone away meanwhile
                continue
            if isinstance(answer, Exception):
                done.set_exception(answer)
            else:
                done.set_result(answer)

    def _take(self) -> list[tuple[Write, asyncio.Future[Any]]]:
        """The writes that wait, except those whose callers have gone away."""
        taken, self._waiting = self._waiting, []
        return [one for one in taken if not one[1].done()]

    async def _answers(self, writes: Sequence[Write]) -> list[Any]:
        try:
            return await self._run(commit, writes)
        except Exception as error:
            if len(writes) == 1 or (isinstance(error, sqlite3.Error) and is_lock(error)):
                raise
            return await self._run(commit_each, writes)


async def _to_the_end(work: asyncio.Future[T]) -> T:
    """The result of this work in a thread, which can't be stopped: who waits for it is cancelled in vain."""
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([work])
    return work.result()


def commit(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """Do all writes in one transaction, or none if one raises; returns what each returns."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        answers = [write(connection) for write in writes]
        connection.execute("COMMIT")
    except BaseException:
        # Unlike ROLLBACK it does nothing where SQLite has rolled back by itself, as on a full disk.
        connection.rollback()
        raise
    return answers


def commit_each(connection: sqlite3.Connection, writes: Sequence[Write]) -> list[Any]:
    """Do each write in a transaction of its own; returns what each returns or raises."""
    answers: list[Any] = []
    for write in writes:
        try:
            answers += commit(connection, [write])
        except Exception as error:
            answers.append(error)
    return answers


# Opening the file: claimed for this process, found sound, and migrated to the newest schema


@dataclass(frozen=True, slots=True)
class OpenFile:
    """The one connection that writes, the one that only reads, and what goes with them."""

    connection: aiosqlite.Connection
    reader: aiosqlite.Connection
    path: Path
    lock: FileLock

    def run(self, work: Callable[..., T], *values: Any) -> asyncio.Future[T]:
        """Call this in the connection's thread with SQLite's own connection and these values."""
        return _run(self.connection, work, *values)

    async def close(self) -> None:
        """Close the file and release it; a second call does nothing."""
        await self.reader.close()
        await self.connection.close()  # the last, as it alone can put the log's pages into the file
        self.lock.release()


async def open_file(path: str | Path) -> OpenFile:
    """The file at this path, created if missing.

    StorageError if another process has it, or if it cannot be written or is no sound database of ours.
    """
    with telling_faults():
        path = resolve(Path(path))
        check_is_ours(path)
        lock = claim(path)
    try:
        with telling_faults():
            keep_private(path)
        return await _connect(path, lock)
    except BaseException:
        lock.release()
        raise


async def _connect(path: Path, lock: FileLock) -> OpenFile:
    async with AsyncExitStack() as opened:
        try:
            connection = await _in_daemon(
                aiosqlite.connect(path, isolation_level=None, timeout=file.LOCK_WAIT)
            )
            opened.push_async_callback(connection.close)
            await _run(connection, _prepare)
            read_only = f"{path.as_uri()}?mode=ro"
            reader = await _in_daemon(
                aiosqlite.connect(read_only, uri=True, isolation_level=None, timeout=file.LOCK_WAIT)
            )
            opened.push_async_callback(reader.close)
        except sqlite3.Error as problem:
            raise StorageError(in_words(problem) or str(problem)) from problem
        # Text that is not UTF-8 spoils its own row, and not all that are read with it.
        connection.text_factory = reader.text_factory = _text
        opened.pop_all()
    return OpenFile(connection, reader, path, lock)


def _prepare(connection: sqlite3.Connection) -> None:
    """Check, set up and migrate: all in one trip to the connection's thread, as each takes its time."""
    if not is_sound(connection.execute(QUICK_CHECK)):
        raise StorageError(DAMAGED)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    [(done,)] = connection.execute("PRAGMA user_version")
    commit(connection, [partial(_migrate, version=done)])


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _in_daemon(connection: aiosqlite.Connection) -> aiosqlite.Connection:
    """The connection, whose thread, not started yet, won't keep a program that fails from ending."""
    connection._thread.daemon = True
    return connection


def _run(connection: aiosqlite.Connection, work: Callable[..., T], *values: Any) -> asyncio.Future[T]:
    # aiosqlite has no name of its own for that, and for other calls only coroutines, which can be cancelled
    # before the thread hears of them.
    done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    if not connection._running:
        raise ValueError("no active connection")
    connection._tx.put_nowait((done, partial(work, connection._conn, *values)))
    return done


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Make the schema the newest, from this version; 0 is an empty file."""
    for sql in MIGRATIONS[version - 1 :] if version else (SCHEMA,):
        for statement in statements(sql):
            connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (VERSION, __version__))
    # Marked even where there is nothing to do: a file that cannot be written is noticed now.
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # The mark is part of the same transaction: the migrations are done or not begun.
    connection.execute(f"PRAGMA user_version = {NEWEST}")
