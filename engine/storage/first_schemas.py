"""Upgrade databases written while the first schema was still being edited in place.

Never change this: it only reads files from those days, once each.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

#: The columns of each table, separated by commas.
Columns = Mapping[str, str]

#: The tables and columns that each of those five versions lacks and the next one has.
_ADDED = (
    {"house_rules", "results.lowest"},
    {"tables.first"},
    {"tables.pace", "tables.timer", "tables.notice", "seats.missed"},
    {"tables.paused"},
    {"tables.end_seen", "messages.shown"},
)
#: The value, in SQL, that an older row gets in each column added later.
_VALUES = {
    "results.lowest": """(SELECT CASE
        WHEN json_valid(rules) AND json_extract(rules, '$.options.winner') IN ('lowest', 'highest')
        THEN json_extract(rules, '$.options.winner') = 'lowest'
        ELSE game NOT IN ('cancellation', 'chinese') END FROM tables WHERE id = table_id)""",
    "tables.first": "NULL",
    "tables.pace": "'none'",
    "tables.timer": "'null'",
    "tables.notice": "'null'",
    "seats.missed": "0",
    "tables.paused": "0",
    "tables.end_seen": "state IN ('over', 'stopped')",  # nobody is told again how a game ended
    "messages.shown": "NULL",
}


def is_one_of_these(found: Columns, first: Columns) -> bool:
    """Whether these are the tables of one of those versions; `first` are the first migration's."""
    for version in range(len(_ADDED)):
        lacking = set().union(*_ADDED[version:])
        if found == {
            table: ",".join(name for name in columns.split(",") if f"{table}.{name}" not in lacking)
            for table, columns in first.items()
            if table not in lacking
        }:
            return True
    return False


def complete(connection: sqlite3.Connection, first_migration: Iterable[str]) -> None:
    """Give a file of one of those versions the first migration's tables; leave any other as it is."""
    if "end_seen" in _columns(connection, "tables"):  # only the finished schema has it
        return
    old = _names(connection, "table")
    for index in _names(connection, "index"):
        connection.execute(f"DROP INDEX {index}")
    for table in old:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in first_migration:
        connection.execute(statement)
    for table in old:
        _fill(connection, table)
    for table in reversed(old):  # tables that refer to others come after them
        connection.execute(f"DROP TABLE old_{table}")


def _fill(connection: sqlite3.Connection, table: str) -> None:
    columns, known = _columns(connection, table), _columns(connection, f"old_{table}")
    values = [name if name in known else _VALUES[f"{table}.{name}"] for name in columns]
    connection.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM old_{table}"
    )


def _names(connection: sqlite3.Connection, type: str) -> list[str]:
    """Tables or indexes in the order they were created, without SQLite's own."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = ? AND sql NOT NULL AND name <> 'sqlite_sequence'",
        (type,),
    )
    return [name for (name,) in found]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
