"""One process a database: two bots would each hold its tables in memory, and undo what the other does."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import BinaryIO

from engine.errors import StorageError


def claim(path: Path) -> BinaryIO:
    """Take this database for this process, until the file that is returned is closed or the process ends.

    StorageError if another one has it.
    """
    # A file beside it: closing any handle of the database itself would drop SQLite's own locks.
    file = path.resolve().with_name(f"{path.resolve().name}.lock").open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StorageError("another bot is running with it") from None
    return file
