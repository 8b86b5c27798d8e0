"""The database's file before it is opened: whether it is ours, free, and sound.

One process has a database at a time: two bots would each hold its tables in memory, and undo what the other
does.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from engine import __version__
from engine.errors import StorageError
from engine.storage.schema import MIGRATIONS, SCHEMA, statements

TAKEN = "another bot is running with it"
#: SQLite's application_id of our files: "HRTS". Those of before we had one have 0.
APPLICATION = int.from_bytes(b"HRTS")
#: The setting that says which version of this program opened the file last.
VERSION = "version"
#: Seconds to wait for another program's lock.
LOCK_WAIT = 1.0
#: Finds what is wrong with a file, as far as SQLite can tell without looking through every index.
QUICK_CHECK = "PRAGMA quick_check(10000)"
#: The version of the schema that this program writes.
NEWEST = 1 + len(MIGRATIONS)


# Looking at a file from outside


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of an inspection."""

    path: Path
    exists: bool
    in_use: bool  # by a bot
    schema: int  # its version; 0 of an empty file
    size: int  # in bytes


def inspect(path: Path) -> Inspection:
    """Look at this file without changing it, and without keeping a bot from it.

    StorageError if a bot could not use it, for any reason but that another one does.
    """
    with telling_faults():
        path = resolve(path)
        if not os.access(path.parent, os.W_OK):
            raise StorageError("nothing can be written in its folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise StorageError("it may not be written")
        check_is_ours(path)
        if not path.exists():
            return Inspection(path, False, False, 0, 0)
        return Inspection(path, True, _is_in_use(path), _schema(path), path.stat().st_size)


@contextmanager
def telling_faults() -> Iterator[None]:
    """Turn faults of a path, or of the file there, into a StorageError in words."""
    try:
        yield
    except UnicodeDecodeError:  # SQLite names what it does not understand
        raise StorageError(DAMAGED) from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise StorageError(reason[:1].lower() + reason[1:]) from problem
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


def _is_in_use(path: Path) -> bool:
    try:
        claim(path).release()
    except StorageError:
        return True
    return False


def _schema(path: Path) -> int:
    """The number of its schema; StorageError if the file is damaged."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_WAIT)) as connection:
        if not is_sound(connection.execute(QUICK_CHECK)):
            raise StorageError(DAMAGED)
        [(schema,)] = connection.execute("PRAGMA user_version")
        return int(schema)


def resolve(path: Path) -> Path:
    """The file behind this path, which need not exist yet; StorageError if it can hold no database."""
    if str(path) == ":memory:":
        raise StorageError("it must be a file, for the tables outlive a restart")
    real = Path(os.path.realpath(path))
    try:
        found = real.stat()
    except FileNotFoundError:
        real.parent.stat()  # locking the file would create a missing folder
        return real
    if stat.S_ISDIR(found.st_mode):
        raise StorageError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise StorageError("it is no file")
    # SQLite's log lies beside one name only: opening the file by another name destroys it.
    if found.st_nlink > 1:
        raise StorageError("it has another name as well, a hard link: only one may be left")
    return real


def keep_private(path: Path) -> None:
    """Let only the file's owner read it, and what SQLite puts beside it, which is made with the same mode.

    It is created if missing. Another's file stays as it is.
    """
    if not path.exists():
        path.touch(mode=0o600)
    for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(one.stat().st_mode)
            if mode & 0o077:
                one.chmod(mode & 0o700)


# One process a database


def claim(path: Path) -> FileLock:
    """Lock this database until the lock is released or this process ends; StorageError if another bot has it.

    A file beside it is locked, as a lock on a file that SQLite has open ends whenever SQLite closes it.
    """
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StorageError(TAKEN) from None
    return lock


# Whose file it is: nothing is written into another program's

_TABLES = """SELECT name, (SELECT group_concat(name) FROM pragma_table_info(sqlite_master.name))
    FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') AND name NOT LIKE 'sqlite|_%' ESCAPE '|'"""


def check_is_ours(path: Path) -> None:
    """Raise StorageError unless this file is ours, or empty, or does not exist; it is not changed."""
    if not path.exists():
        return
    # "rw" and not "ro", which would leave files beside it.
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_WAIT)) as connection:
        _check(connection)


def check_holds_games(connection: sqlite3.Connection) -> None:
    """Raise StorageError if this file is not ours, or empty: a copy of it would keep no game."""
    _check(connection)
    if not connection.execute(_TABLES).fetchone():
        raise StorageError("it is empty")


def _check(connection: sqlite3.Connection) -> None:
    [(application,)] = connection.execute("PRAGMA application_id")
    [(version,)] = connection.execute("PRAGMA user_version")
    found = dict(connection.execute(_TABLES))
    if not found and not application and not version:  # empty: it is to be ours
        return
    if application != APPLICATION:
        raise StorageError("it belongs to another program")
    if not 1 <= version <= NEWEST:
        raise StorageError(_other_version(connection))
    if version == NEWEST and not _tables().items() <= found.items():
        raise StorageError(DAMAGED)


def _other_version(connection: sqlite3.Connection) -> str:
    """The reason why a file of an unknown schema cannot be used, with both versions if it tells its own."""
    name = "another version"
    with suppress(sqlite3.Error):
        for (found,) in connection.execute("SELECT value FROM settings WHERE name = ?", (VERSION,)):
            if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}", str(found)):
                name = f"version {found}"
    return f"{name} of this program has written it, and this is {__version__}"


@cache
def _tables() -> Mapping[str, str]:
    """The columns of each table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements(SCHEMA):
            connection.execute(statement)
        return dict(connection.execute(_TABLES))


# What can be wrong with the file or its disk, told apart from bugs of ours

_LOCKED = "another program has locked it"
DAMAGED = "it is damaged: put a backup in its place"
_FULL = "the disk is full"
FORBIDDEN = "it may not be written"
#: By SQLite's extended or, failing that, its primary result code; every other code is a bug.
WORDS = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_READONLY: FORBIDDEN,
    sqlite3.SQLITE_PERM: FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_FULL: _FULL,
    # Beside the file, SQLite keeps an index of its log, and says so where there is no room for that.
    sqlite3.SQLITE_IOERR_SHMSIZE: _FULL,
    # With a quota or a limit it cannot tell a disk without room from a broken one.
    sqlite3.SQLITE_IOERR_WRITE: "the disk is full, or broken",
    sqlite3.SQLITE_IOERR: "the disk refuses to read or to write",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: "it is no database",
}


def is_sound(found: Iterable[Any]) -> bool:
    """Whether the answer to QUICK_CHECK names no fault."""
    return [fault for (fault,) in found] == ["ok"]


def is_lock(error: sqlite3.Error) -> bool:
    """Whether another program has locked the file."""
    return in_words(error) == _LOCKED


def in_words(error: sqlite3.Error) -> str | None:
    """What is wrong with the file or its disk, to follow a colon; None if the error is a bug of ours."""
    if str(error).startswith("Could not decode to UTF-8"):  # in the schema; it has no code
        return DAMAGED
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    # An extended code keeps the primary one in its lowest byte.
    return WORDS.get(code) or WORDS.get(code & 0xFF)
