"""The file, opened: claimed for this process, found sound, and migrated to the newest schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from engine import __version__
from engine.errors import StorageError
from engine.storage import locks
from engine.storage.claim import Claim, resolve
from engine.storage.damage import text_or_bytes
from engine.storage.first_schemas import complete
from engine.storage.identity import APPLICATION, VERSION, check_is_ours
from engine.storage.migrations import FUNCTIONS, MIGRATIONS
from engine.storage.sqlite_errors import QUICK_CHECK, in_words, is_sound
from engine.storage.together import commit

T = TypeVar("T")

PRAGMAS = (
    "journal_mode = WAL",
    # What was acknowledged survives a power cut, not just a crash of this process.
    "synchronous = FULL",
    "foreign_keys = ON",
    # What is deleted is overwritten, as whoever has it deleted is promised.
    "secure_delete = ON",
)


@dataclass(frozen=True, slots=True)
class OpenFile:
    """The one connection that writes, the one that only reads, and what goes with them."""

    connection: aiosqlite.Connection
    reader: aiosqlite.Connection
    path: Path
    claimed: Claim

    async def run(self, work: Callable[..., T], *values: Any) -> T:
        """What this answers in the connection's thread, given SQLite's own connection and these values."""
        return await _run(self.connection, work, *values)

    async def close(self) -> None:
        """Close it and let others have it; a second time does nothing."""
        await self.reader.close()
        await self.connection.close()  # the last, as it alone can put the log's pages into the file
        self.claimed.release()


async def open_file(path: str | Path) -> OpenFile:
    """The file at this path, created if missing.

    StorageError if another process has it, or if it cannot be written or is no sound database of ours.
    """
    try:
        path = resolve(Path(path))
        check_is_ours(path, locks.LOCK_WAIT)
        claimed = Claim(path)
    except UnicodeDecodeError:  # SQLite names what it does not understand
        raise StorageError("it is damaged") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise StorageError(reason[:1].lower() + reason[1:]) from problem
    try:
        return await _connect(path, claimed)
    except BaseException:
        claimed.release()
        raise


async def _connect(path: Path, claimed: Claim) -> OpenFile:
    async with AsyncExitStack() as opened:
        try:
            connection = await aiosqlite.connect(path, isolation_level=None, timeout=locks.LOCK_WAIT)
            opened.push_async_callback(connection.close)
            await _prepare(connection, claimed)
            file = f"{path.as_uri()}?mode=ro"
            reader = await aiosqlite.connect(file, uri=True, isolation_level=None, timeout=locks.LOCK_WAIT)
            opened.push_async_callback(reader.close)
        except sqlite3.Error as problem:
            raise StorageError(in_words(problem) or str(problem)) from problem
        connection.text_factory = reader.text_factory = text_or_bytes
        opened.pop_all()
    return OpenFile(connection, reader, path, claimed)


async def _prepare(connection: aiosqlite.Connection, claimed: Claim) -> None:
    if not is_sound(await connection.execute_fetchall(QUICK_CHECK)):
        raise StorageError("it is damaged")
    claimed.hold_file()  # before anything is changed
    for pragma in PRAGMAS:
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    [(done,)] = await connection.execute_fetchall("PRAGMA user_version")
    for name, function in FUNCTIONS.items():
        await connection.create_function(name, 1, function, deterministic=True)
    # All in one trip to the connection's thread: 51 statements, each by itself, took a new file 50 ms.
    await _run(connection, commit, [partial(_migrate, since=done)])
    claimed.hold_file()  # for as long as SQLite has the file open in WAL mode


async def _run(connection: aiosqlite.Connection, work: Callable[..., T], *values: Any) -> T:
    # aiosqlite has no name of its own for that.
    execute: Callable[..., Awaitable[T]] = connection._execute
    return await execute(work, connection._conn, *values)


def _migrate(connection: sqlite3.Connection, since: int) -> None:
    if since == 1:
        complete(connection, MIGRATIONS[0])
    for statement in chain.from_iterable(MIGRATIONS[since:]):
        connection.execute(statement)
    connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (VERSION, __version__))
    # Marked even where there is nothing to do: a file that cannot be written is noticed now.
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # The mark is part of the same transaction: the migrations are done or not begun.
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
