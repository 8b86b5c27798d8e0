"""A copy of the database, made while the bot runs or stands still."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from engine.errors import StorageError
from engine.storage.troubles import trouble


def back_up(database: Path, copy: Path) -> None:
    """Copy the database as it is at this moment to a new file, which appears only once it is complete.

    StorageError says why there is none; a file of that name is never overwritten.
    """
    if not database.is_file():
        raise StorageError(f"there is no file {str(database)!r}")
    if copy.exists():
        raise StorageError(f"{str(copy)!r} exists already")
    try:
        handle, name = tempfile.mkstemp(dir=copy.parent, prefix=f"{copy.name}.", suffix=".part")
        os.close(handle)
        part = Path(name)
        try:
            _copy(database, part)
            part.rename(copy)
        finally:
            part.unlink(missing_ok=True)
    except OSError as problem:
        raise StorageError(f"{str(copy)!r} cannot be written ({problem.strerror})") from problem
    except sqlite3.Error as problem:
        raise StorageError(trouble(problem) or str(problem)) from problem


def _copy(database: Path, part: Path) -> None:
    # Not claimed: the bot may run. SQLite copies what is committed at this moment, and holds up no writer.
    source = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(part)) as target:
        source.backup(target)
        # One file without a log beside it, which could be left behind when the copy is moved.
        target.execute("PRAGMA journal_mode = DELETE")
        [(found,)] = target.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        raise StorageError("the database is damaged")
