"""What can be wrong with the file or its disk, told apart from bugs of ours."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any

_LOCKED = "another program has locked it"
_DAMAGED = "it is damaged"
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
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: "it is no database",
}

#: Finds what is wrong with a file, as far as SQLite can tell without looking through every index.
QUICK_CHECK = "PRAGMA quick_check(10000)"
#: What is wrong with one row's values alone: whoever reads the row will see to it.
_ROW = re.compile(r"CHECK constraint failed in |(NULL|NUMERIC|TEXT|non-\w+) value in ")


def is_sound(found: Iterable[Any]) -> bool:
    """Whether the answer to QUICK_CHECK names nothing but rows."""
    return all(fault == "ok" or _ROW.match(fault) for (fault,) in found)


def is_lock(error: sqlite3.Error) -> bool:
    """Whether another program has locked the file."""
    return in_words(error) == _LOCKED


def is_bad_value(error: sqlite3.Error) -> bool:
    """Whether a row holds text that is no UTF-8, or numbers too large to be added up: neither has a code."""
    return str(error).startswith(("Could not decode to UTF-8", "integer overflow"))


def in_words(error: sqlite3.Error) -> str | None:
    """What is wrong with the file or its disk, to follow a colon; None if the error is a bug of ours."""
    if is_bad_value(error):
        return _DAMAGED
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    # An extended code keeps the primary one in its lowest byte.
    return WORDS.get(code) or WORDS.get(code & 0xFF)
