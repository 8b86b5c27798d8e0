"""A database's file as another program sees, changes and locks it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


def edit(path: Path, statement: str) -> list[Any]:
    """Run this statement, as an editor would; returns the rows."""
    with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        return connection.execute(statement).fetchall()


@contextmanager
def locked(path: Path, how: str = "IMMEDIATE") -> Iterator[None]:
    """Hold the file's lock within."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {how}")
        yield


def traces(path: Path, *words: str | bytes) -> bool:
    """Whether any of these stands in the file, or in one beside it."""
    found = [word.encode() if isinstance(word, str) else word for word in words]
    files = [file for file in path.parent.glob(f"{path.name}*") if file.is_file()]
    return any(one in file.read_bytes() for file in files for one in found)
