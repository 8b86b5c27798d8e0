"""Copying the database, whether the bot runs or not."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from engine.errors import StorageError
from engine.storage.file import QUICK_CHECK, check_holds_games, in_words, is_sound

#: How the folders begin in which copies are made, and what is in one.
WORKSHOP = ".hearts-backup-"
COPY, LOCK = "copy", "lock"
FILES = (COPY, f"{COPY}-journal", LOCK)


def back_up(database: Path, copy: Path) -> None:
    """Copy the database as it is at this moment to a new file, which appears only once it is complete.

    StorageError says why there is none; a file of that name is never overwritten.
    """
    if not os.path.isfile(database):  # Path.is_file() raises where a name is too long
        raise StorageError(f"there is no file {str(database)!r}")
    try:
        if copy.exists():
            raise FileExistsError
        _clear_up(copy.parent)
        with _workshop(copy.parent) as part:
            _copy(database, part)
            _publish(part, copy)
        _sync(copy.parent)
    except FileExistsError:
        raise StorageError(f"{str(copy)!r} exists already") from None
    except OSError as problem:
        raise StorageError(f"{str(copy)!r} cannot be written ({problem.strerror})") from problem
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """A temporary file in a folder of its own, as SQLite puts another beside it."""
    workshop = Path(tempfile.mkdtemp(dir=folder, prefix=WORKSHOP))
    try:
        with FileLock(workshop / LOCK, blocking=False):
            part = workshop / COPY
            part.touch(mode=0o600)
            yield part
    finally:
        _remove(workshop)


def _clear_up(folder: Path) -> None:
    """Remove what backups that were killed have left behind here: everybody's data."""
    for workshop in folder.glob(f"{WORKSHOP}*"):
        if not (workshop / LOCK).exists():  # it has just begun, or it is not ours
            continue
        with suppress(OSError, Timeout):  # still at work, or somebody else's
            with FileLock(workshop / LOCK, blocking=False):
                pass
            _remove(workshop)


def _remove(workshop: Path) -> None:
    for name in FILES:
        (workshop / name).unlink(missing_ok=True)
    workshop.rmdir()


def _publish(part: Path, copy: Path) -> None:
    """Give the copy its name; FileExistsError if something has appeared there meanwhile."""
    try:
        os.link(part, copy)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        copy.touch(exist_ok=False)
        part.replace(copy)


def _sync(folder: Path) -> None:
    """Make a new name in this folder survive a power cut, where the file system can."""
    if sys.platform == "win32":  # which opens no folders
        return
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _drop_keys(copy: sqlite3.Connection) -> None:
    """Remove the keys that are destroyed once a day or a tournament is over: in a copy they would stay."""
    names = "'deleted_players', 'daily_seen'"  # the second in a database of an older version
    rows = copy.execute(f"SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ({names})")
    for (table,) in rows.fetchall():
        copy.execute("PRAGMA secure_delete = ON")
        with copy:
            copy.execute(f"DELETE FROM {table}")


def _copy(database: Path, part: Path) -> None:
    # Not claimed: the bot may run. SQLite copies what is committed at this moment, and holds up no writer.
    source = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(part)) as target:
        check_holds_games(source)
        source.backup(target)
        # One file without a log beside it, which could be left behind when the copy is moved.
        target.execute("PRAGMA journal_mode = DELETE")
        _drop_keys(target)
        try:
            sound = is_sound(target.execute(QUICK_CHECK))
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:  # too damaged to be looked through
            sound = False
    if not sound:
        raise StorageError("the database is damaged")
