"""The schema as SQLite's own checks see it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engine.storage.database import Database
from engine.storage.tables import drop_unplayed
from tests.older import made_older


async def test_key_columns_come_first_in_every_table(path: Path) -> None:
    """Otherwise SQLite 3.40 looks for the other columns of a table without rowid in the wrong places."""
    await (await Database.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            keys = [key for *_, key in connection.execute(f"PRAGMA table_info({table})")]
            assert keys == [*filter(None, keys), *(key for key in keys if not key)], table


async def test_former_occupants_survive_and_no_damage_is_found(database: Database, path: Path) -> None:
    await database.close()
    made_older(path, 18)
    departed = [(1, 0, 5, "Ann", 1, 2), (1, 0, 6, "Bo", 3, 4), (2, 3, 7, "Cy", 1, 1)]
    columns = "table_id, seat, person, name, since, until"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            """INSERT INTO tables
            (id, guild, channel, host, rules, state, pace, paused, timer, notice, opened_at)
            VALUES (?, 1, 1, 1, '{}', 'over', 'none', 0, 'null', 'null', 0)""",
            [(1,), (2,)],
        )
        connection.executemany(f"INSERT INTO departed ({columns}) VALUES (?, ?, ?, ?, ?, ?)", departed)
    await (await Database.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(f"SELECT {columns} FROM departed ORDER BY 1, 2, 6").fetchall() == departed
        for check in ("quick_check", "integrity_check"):
            assert connection.execute(f"PRAGMA {check}").fetchall() == [("ok",)]


async def test_tables_of_before_that_were_never_played_are_deleted_too(
    database: Database, path: Path
) -> None:
    await database.close()
    made_older(path, 32)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            """INSERT INTO tables (id, guild, channel, host, rules, state, pace, paused, timer, notice,
            opened_at, end_seen) VALUES (?, 1, ?1, 1, '{}', ?, 'none', 0, 'null', 'null', 0, 1)""",
            [(1, "stopped"), (2, "stopped"), (3, "over"), (4, "lobby")],
        )
        connection.executemany("INSERT INTO moves VALUES (2, ?, '{}')", [(number,) for number in range(60)])
    database = await Database.open(path)
    assert not await drop_unplayed(database, 1.0)
    assert [tuple(row) for row in await database.read("SELECT id FROM tables")] == [(2,), (3,), (4,)]
    await database.close()
