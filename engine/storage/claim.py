"""One process a database: two bots would each hold its tables in memory, and undo what the other does."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from filelock import FileLock, Timeout

from engine.errors import StorageError
from engine.storage.sqlite_errors import FORBIDDEN

#: Far behind any data and behind the bytes that SQLite locks, which begin at 1 GiB.
CLAIMED_BYTE = 1 << 62
TAKEN = "another bot is running with it"

if sys.platform == "win32":

    def _lock_byte(file: int) -> None:
        """Do nothing: the lock file is enough where nobody can delete an open file."""

else:
    import fcntl

    def _lock_byte(file: int) -> None:
        """Lock a byte of this open file for this process; OSError if another one has it."""
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, CLAIMED_BYTE)


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


class Claim:
    """Keeps a database for this process until it is released or the process ends.

    The lock file beside it can be deleted while the bot runs, and the next bot would make a new one. So a
    byte of the database itself is locked as well.
    """

    def __init__(self, path: Path) -> None:
        """StorageError if another bot has it."""
        self._path = path
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        self._file: int | None = None
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise StorageError(TAKEN) from None

    def hold_file(self) -> None:
        """Lock the database itself, once SQLite has it open; StorageError if another bot has it.

        SQLite drops this lock together with the last of its own, as it does once while it changes a file to
        WAL mode. So call this again after that. To close our handle would drop the locks of SQLite.
        """
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR)
            _lock_byte(self._file)
        except (BlockingIOError, PermissionError):  # either can say that another process has the lock
            raise StorageError(FORBIDDEN if self._file is None else TAKEN) from None
        except OSError as problem:
            raise StorageError(f"it cannot be locked ({problem.strerror})") from problem

    def release(self) -> None:
        """Let another process have it. Call this after SQLite has closed it; a second time does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release()
