"""Checks of the database's file before it is opened: is it ours, free, and sound?

Only one process may use a database: two bots would each hold its tables in memory and overwrite the other's
changes.
"""

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
#: SQLite's application_id of our files: "HRTS".
APPLICATION = int.from_bytes(b"HRTS")
#: The setting with the version of this program that last opened the file.
VERSION = "version"
#: Seconds to wait for another program's lock.
LOCK_WAIT = 1.0
#: Finds damage in a file, without checking every index.
QUICK_CHECK = "PRAGMA quick_check(10000)"
#: The version of the schema that this program writes.
NEWEST = 1 + len(MIGRATIONS)


# Inspecting a file from outside


@dataclass(frozen=True, slots=True)
class Inspection:
    """What `inspect` reports about a file."""

    path: Path
    exists: bool
    in_use: bool  # by a bot
    schema: int  # its version; 0 for an empty file
    size: int  # in bytes


def inspect(path: Path) -> Inspection:
    """Inspect this file without changing it or blocking a bot.

    StorageError if a bot couldn't use it for any reason other than that one already does.
    """
    with explaining_faults():
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
def explaining_faults() -> Iterator[None]:
    """Turn faults of a path or its file into a StorageError with a readable reason."""
    try:
        yield
    except UnicodeDecodeError:  # SQLite's message quotes text that isn't UTF-8
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
    """The version of its schema; StorageError if the file is damaged."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_WAIT)) as connection:
        if not is_sound(connection.execute(QUICK_CHECK)):
            raise StorageError(DAMAGED)
        [(schema,)] = connection.execute("PRAGMA user_version")
        return int(schema)


def resolve(path: Path) -> Path:
    """Follow links to the file, which need not exist yet; StorageError if it can't be a database."""
    if str(path) == ":memory:":
        raise StorageError("it must be a file, for the tables outlive a restart")
    real = Path(os.path.realpath(path))
    try:
        status = real.stat()
    except FileNotFoundError:
        real.parent.stat()  # raises for a missing folder, which locking would create
        return real
    if stat.S_ISDIR(status.st_mode):
        raise StorageError("it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise StorageError("it is no file")
    # SQLite's log lies beside one of the names; opening the file by another destroys it.
    if status.st_nlink > 1:
        raise StorageError("it has another name as well, a hard link: only one may be left")
    return real


def keep_private(path: Path) -> None:
    """Let only its owner read the file and those that SQLite puts beside it.

    A missing file is created, as SQLite gives the others its mode. Another user's file isn't changed.
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

    The lock is on a file beside it: a lock on the database itself would end whenever SQLite closes it.
    """
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StorageError(TAKEN) from None
    return lock


# Is the file ours? We must not write to another program's

_TABLES = """SELECT name, (SELECT group_concat(name) FROM pragma_table_info(sqlite_master.name))
    FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') AND name NOT LIKE 'sqlite|_%' ESCAPE '|'"""


def check_is_ours(path: Path) -> None:
    """Raise StorageError unless this file is ours, empty or missing; the file isn't changed."""
    if not path.exists():
        return
    # With "ro", SQLite would leave files beside it.
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_WAIT)) as connection:
        _check(connection)


def check_holds_games(connection: sqlite3.Connection) -> None:
    """Raise StorageError unless this file is ours and has tables, as a backup of it should."""
    _check(connection)
    if not connection.execute(_TABLES).fetchone():
        raise StorageError("it is empty")


def _check(connection: sqlite3.Connection) -> None:
    [(application,)] = connection.execute("PRAGMA application_id")
    [(version,)] = connection.execute("PRAGMA user_version")
    tables = dict(connection.execute(_TABLES))
    if not tables and not application and not version:  # an empty file becomes ours
        return
    if application != APPLICATION:
        raise StorageError("it belongs to another program")
    if not 1 <= version <= NEWEST:
        raise StorageError(_other_version(connection))
    if version == NEWEST and not _tables().items() <= tables.items():
        raise StorageError(DAMAGED)


def _other_version(connection: sqlite3.Connection) -> str:
    """Why a file with another schema can't be used, with the program's version that wrote it if known."""
    name = "another version"
    with suppress(sqlite3.Error):
        for (writer,) in connection.execute("SELECT value FROM settings WHERE name = ?", (VERSION,)):
            if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}", str(writer)):
                name = f"version {writer}"
    return f"{name} of this program has written it, and this is {__version__}"


@cache
def _tables() -> Mapping[str, str]:
    """The columns of each of our tables."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements(SCHEMA):
            connection.execute(statement)
        return dict(connection.execute(_TABLES))


# Faults of the file or its disk, as opposed to our bugs

_LOCKED = "another program has locked it"
DAMAGED = "it is damaged: put a backup in its place"
_FULL = "the disk is full"
FORBIDDEN = "it may not be written"
#: By SQLite's extended or, failing that, primary result code. Any other code is a bug.
WORDS = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_READONLY: FORBIDDEN,
    sqlite3.SQLITE_PERM: FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_FULL: _FULL,
    # There is no room for the index of the log, which SQLite keeps beside the file.
    sqlite3.SQLITE_IOERR_SHMSIZE: _FULL,
    # Under a quota or limit, SQLite can't tell a full disk from a broken one.
    sqlite3.SQLITE_IOERR_WRITE: "the disk is full, or broken",
    sqlite3.SQLITE_IOERR: "the disk refuses to read or to write",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: "it is no database",
}


def is_sound(rows: Iterable[Any]) -> bool:
    """Whether these rows from QUICK_CHECK report no fault."""
    return [fault for (fault,) in rows] == ["ok"]


def is_lock(error: sqlite3.Error) -> bool:
    """Whether another program has locked the file."""
    return in_words(error) == _LOCKED


def in_words(error: sqlite3.Error) -> str | None:
    """Describe a fault of the file or its disk, to follow a colon; None if the error is a bug of ours."""
    if str(error).startswith("Could not decode to UTF-8"):  # in the schema; it has no code
        return DAMAGED
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    # An extended code keeps the primary one in its lowest byte.
    return WORDS.get(code) or WORDS.get(code & 0xFF)
