"""A database's file as another program reads, changes and locks it, without the program's code."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


def edit(path: Path, statement: str, *values: object) -> list[Any]:
    """Run this statement, as an editor would; returns the rows."""
    with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        return connection.execute(statement, values).fetchall()


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


# What tables' bodies hold


def bodies(path: Path) -> list[dict[str, Any]]:
    """Each table's fields, in the order of the tables."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM tables ORDER BY id")]
    return [row | json.loads(row["turn"]) | json.loads(row["body"]) for row in rows]


def parts(tables: list[dict[str, Any]], field: str) -> list[dict[str, Any]]:
    """What each table has several of, such as seats, with the table's id and their number there."""
    return [
        {"table_id": table["id"], "number": number, **part}
        for table in tables
        for number, part in enumerate(table[field])
    ]


def picks(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The seats where cards are picked to be passed, and their places in the hand."""
    return [
        {"table_id": table["id"], "seat": seat, "places": places}
        for table in tables
        for seat, places in enumerate(table["picks"])
        if places is not None
    ]
