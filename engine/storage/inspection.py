"""A look at the database from outside, whether a bot runs with it or not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.errors import StorageError
from engine.storage import locks
from engine.storage.claim import TAKEN, Claim, resolve
from engine.storage.identity import check_is_ours
from engine.storage.migrations import MIGRATIONS
from engine.storage.sqlite_errors import QUICK_CHECK, in_words, is_sound

#: The schema that this program writes.
NEWEST = len(MIGRATIONS)


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found."""

    path: Path
    exists: bool
    in_use: bool  # by a bot
    schema: int  # how many migrations it has been through; 0 of an empty file
    size: int  # in bytes


def inspect(path: Path) -> Inspection:
    """Look at this file without changing it, and without keeping a bot from it.

    StorageError if a bot could not use it, for any reason but that another one does.
    """
    try:
        path = resolve(path)
        if not os.access(path.parent, os.W_OK):
            raise StorageError("nothing can be written in its folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise StorageError("it may not be written")
        check_is_ours(path, locks.LOCK_WAIT)
        if not path.exists():
            return Inspection(path, False, False, 0, 0)
        return Inspection(path, True, _is_in_use(path), _schema(path), path.stat().st_size)
    except UnicodeDecodeError:  # SQLite names what it does not understand
        raise StorageError("it is damaged") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise StorageError(reason[:1].lower() + reason[1:]) from problem
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


def _is_in_use(path: Path) -> bool:
    try:
        claim = Claim(path)
    except StorageError:
        return True
    try:
        claim.hold_file()
    except StorageError as problem:
        if str(problem) != TAKEN:
            raise
        return True
    finally:
        claim.release()
    return False


def _schema(path: Path) -> int:
    """The number of its schema; StorageError if the file is damaged."""
    with closing(
        sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=locks.LOCK_WAIT)
    ) as connection:
        if not is_sound(connection.execute(QUICK_CHECK)):
            raise StorageError("it is damaged")
        [(schema,)] = connection.execute("PRAGMA user_version")
        return int(schema)
