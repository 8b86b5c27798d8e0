"""What tables' bodies hold, read without the program's code."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


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
