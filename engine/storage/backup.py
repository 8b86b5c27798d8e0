"""Copying the database, whether the bot runs or not."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

from engine.errors import StorageError
from engine.storage.file import QUICK_CHECK, check_holds_games, in_words, is_sound

#: What SQLite puts beside a file.
BESIDE = ("-journal", "-wal", "-shm")


def back_up(database: Path, copy: Path) -> None:
    """Copy the database as it is at this moment to a new file, which appears only once it is complete.

    StorageError says why there is none; a file of that name is never overwritten.
    """
    if not os.path.isfile(database):  # Path.is_file() raises where a name is too long
        raise StorageError(f"there is no file {str(database)!r}")
    try:
        if copy.exists():
            raise FileExistsError
        _make(database, copy, copy.with_name(f"{copy.name}.part"))
        _sync(copy.parent)
    except FileExistsError:
        raise StorageError(f"{str(copy)!r} exists already") from None
    except OSError as problem:
        raise StorageError(f"{str(copy)!r} cannot be written ({problem.strerror})") from problem
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


def _make(database: Path, copy: Path, part: Path) -> None:
    """Write the copy to `part`, which a backup that was killed may have left, and give it its name."""
    _remove(part)
    part.touch(mode=0o600, exist_ok=False)
    made = part.stat()
    try:
        _copy(database, part)
        if not os.path.samestat(part.stat(), made):  # half of it may be another's
            raise StorageError(f"another backup to {str(copy)!r} has begun")
        _publish(part, copy)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    for name in ("", *BESIDE):
        part.with_name(part.name + name).unlink(missing_ok=True)


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
    copy.execute("PRAGMA secure_delete = ON")
    with copy:
        copy.execute("DELETE FROM deleted_players")


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
