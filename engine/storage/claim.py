"""One process a database: two bots would each hold its tables in memory, and undo what the other does."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from engine.errors import StorageError


def resolve(path: Path) -> Path:
    """The file behind this path, which need not exist yet; StorageError if it can hold no database."""
    if str(path) == ":memory:":
        raise StorageError("it must be a file, for the tables outlive a restart")
    real = Path(os.path.realpath(path))
    try:
        found = real.stat()
    except FileNotFoundError:
        real.parent.stat()  # whoever locks the file would make a folder that is missing
        return real
    if stat.S_ISDIR(found.st_mode):
        raise StorageError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise StorageError("it is no file")
    # SQLite's log lies beside one name alone: whoever opens the file by another one destroys it.
    if found.st_nlink > 1:
        raise StorageError("it has another name as well, a hard link: only one may be left")
    return real


def claim(path: Path) -> BaseFileLock:
    """Take this database for this process, until it is released or the process ends.

    StorageError if another one has it.
    """
    # A file beside it: closing any handle of the database itself would drop SQLite's own locks.
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StorageError("another bot is running with it") from None
    return lock
