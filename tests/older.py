"""Databases of older versions of the bot."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engine.storage.migrations import FUNCTIONS, MIGRATIONS


def made_older(path: Path, version: int) -> None:
    """Give this database the schema from after this many migrations, and the data that fits into it."""
    newer = path.rename(path.with_suffix(".newer"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for name, function in FUNCTIONS.items():
            connection.create_function(name, 1, function)
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                connection.execute(statement)
        connection.execute("ATTACH ? AS newer", (str(newer),))
        [(application,)] = connection.execute("PRAGMA newer.application_id")
        for table in _tables(connection, "main") & _tables(connection, "newer"):
            columns = ", ".join(_columns(connection, "main", table) & _columns(connection, "newer", table))
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute(f"PRAGMA user_version = {version}")
    newer.unlink()


def _tables(connection: sqlite3.Connection, schema: str) -> set[str]:
    found = connection.execute(f"SELECT name FROM {schema}.sqlite_schema WHERE type = 'table'")
    return {name for (name,) in found if not name.startswith("sqlite_")}


def _columns(connection: sqlite3.Connection, schema: str, table: str) -> set[str]:
    return {name for _, name, *_ in connection.execute(f"PRAGMA {schema}.table_info({table})")}
