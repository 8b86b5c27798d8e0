"""Backups of the database, also while the bot is running."""

import os
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

from engine.errors import StorageError
from engine.storage.file import QUICK_CHECK, check_holds_games, in_words, is_sound

#: Suffixes of the files that SQLite keeps beside a database.
BESIDE = ("-journal", "-wal", "-shm")


def back_up(database: Path, copy: Path) -> None:
    """Copy the database's present state to a new file, which appears only once it is complete.

    Never overwrites a file. StorageError if no copy was made.
    """
    if not os.path.isfile(database):  # Path.is_file() raises where a name is too long
        raise StorageError(f"there is no file {str(database)!r}")
    try:
        if copy.exists():
            raise FileExistsError
        _write_copy(database, copy, copy.with_name(f"{copy.name}.part"))
        _sync(copy.parent)
    except FileExistsError:
        raise StorageError(f"{str(copy)!r} exists already") from None
    except OSError as problem:
        raise StorageError(f"{str(copy)!r} cannot be written ({problem.strerror})") from problem
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


def _write_copy(database: Path, copy: Path, part: Path) -> None:
    """Write the copy to `part`, replacing what a killed backup may have left, then give it its name."""
    _remove(part)
    part.touch(mode=0o600, exist_ok=False)
    created = part.stat()
    try:
        _copy(database, part)
        if not os.path.samestat(part.stat(), created):  # another backup may have written half of it
            raise StorageError(f"another backup to {str(copy)!r} has begun")
        _publish(part, copy)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    for name in ("", *BESIDE):
        part.with_name(part.name + name).unlink(missing_ok=True)


def _publish(part: Path, copy: Path) -> None:
    """Give the copy its name; FileExistsError if that has been taken meanwhile."""
    try:
        os.link(part, copy)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        copy.touch(exist_ok=False)
        part.replace(copy)


def _sync(folder: Path) -> None:
    """Make a new name in this folder survive a power cut, where the file system can."""
    if sys.platform == "win32":  # it can't open folders
        return
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _drop_keys(copy: sqlite3.Connection) -> None:
    """Delete the hash keys that the bot destroys after a day or tournament: a copy would keep them."""
    copy.execute("PRAGMA secure_delete = ON")
    with copy:
        copy.execute("DELETE FROM deleted_players")


def _copy(database: Path, part: Path) -> None:
    # The file isn't claimed, as the bot may be running. SQLite copies what is committed and blocks no writer.
    source = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(part)) as target:
        check_holds_games(source)
        source.backup(target)
        # Without a log beside it, the copy is a single file that can be moved.
        target.execute("PRAGMA journal_mode = DELETE")
        _drop_keys(target)
        try:
            sound = is_sound(target.execute(QUICK_CHECK))
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:  # too damaged to check
            sound = False
    if not sound:
        raise StorageError("the database is damaged")
