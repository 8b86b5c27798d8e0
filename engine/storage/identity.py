"""Whether a database is ours: nothing is written into another program's."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from engine import __version__
from engine.errors import StorageError
from engine.storage.first_schemas import Columns, is_one_of_these
from engine.storage.migrations import FUNCTIONS, MIGRATIONS
from engine.storage.sqlite_errors import in_words

#: SQLite's application_id of our files: "HRTS". Those of before we had one have 0.
APPLICATION = int.from_bytes(b"HRTS")
#: The setting that says which version of this program opened the file last.
VERSION = "version"

_TABLES = """SELECT name, (SELECT group_concat(name) FROM pragma_table_info(sqlite_master.name))
    FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') AND name NOT LIKE 'sqlite|_%' ESCAPE '|'"""


def check_is_ours(path: Path, lock_wait: float) -> None:
    """StorageError unless this file is ours, or empty, or does not exist; it is not changed.

    Another program's lock is waited for `lock_wait` seconds.
    """
    if not path.exists():
        return
    try:
        # "rw" and not "ro", which would leave files beside it.
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=lock_wait)) as connection:
            _check(connection)
    except sqlite3.Error as problem:
        raise StorageError(in_words(problem) or str(problem)) from problem


def check_holds_games(connection: sqlite3.Connection) -> None:
    """StorageError if this file is not ours, or empty: a copy of it would keep no game."""
    _check(connection)
    if not connection.execute(_TABLES).fetchone():
        raise StorageError("it is empty")


def _check(connection: sqlite3.Connection) -> None:
    [(application,)] = connection.execute("PRAGMA application_id")
    [(done,)] = connection.execute("PRAGMA user_version")
    found = dict(connection.execute(_TABLES))
    if application == APPLICATION and done > len(MIGRATIONS):
        raise StorageError(_too_new(connection))
    expected = _tables(MIGRATIONS[:done]) if 0 <= done <= len(MIGRATIONS) else None
    if application == APPLICATION:
        if expected is None or not expected.items() <= found.items():
            raise StorageError("it is damaged")
    elif application or expected is None or not _is_as_it_was(found, done, expected):
        raise StorageError("it belongs to another program")


def _too_new(connection: sqlite3.Connection) -> str:
    """Why a file of a later schema cannot be used, with both versions where it tells its own."""
    name = "a newer version"
    with suppress(sqlite3.Error):
        for (found,) in connection.execute("SELECT value FROM settings WHERE name = ?", (VERSION,)):
            if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}", str(found)):
                name = f"version {found}"
    return f"{name} of this program has written it, and this is {__version__}"


def _is_as_it_was(found: Columns, done: int, expected: Columns) -> bool:
    """Whether these are exactly our tables after this many migrations, or an early version of the first."""
    return found == expected or (done == 1 and is_one_of_these(found, expected))


def _tables(migrations: Iterable[Iterable[str]]) -> dict[str, str]:
    """The columns of each table after these migrations."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, function in FUNCTIONS.items():
            connection.create_function(name, 1, function)
        for statements in migrations:
            for statement in statements:
                connection.execute(statement)
        return dict(connection.execute(_TABLES))
