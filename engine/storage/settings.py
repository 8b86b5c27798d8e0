"""The program's own notes, by name, and each player's preferences.

Two of the names note that the file may still hold deleted data. SQLite overwrites what is deleted, but
leaves stray copies where it rearranged pages: only rewriting the file removes them.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from engine.errors import Refusal
from engine.storage.damage import readable, reader, reading, text
from engine.storage.database import Database


async def find(database: Database, name: str) -> str | None:
    """The value last stored under this name; None if there is none or it is damaged."""
    rows = await database.read("SELECT value FROM settings WHERE name = ?", (name,))
    with suppress(Refusal), reading(f"the setting {name!r}"):
        return text(rows[0][0]) if rows else None
    return None


async def put(database: Database, name: str, value: str) -> None:
    """Store a value under this name."""
    await database.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))


async def every_preference(database: Database) -> list[tuple[int, str, str]]:
    """Each person who has chosen something, with when they are called and which cards play themselves."""
    rows = await database.read("SELECT person, calls, forced FROM preferences")
    return readable("what somebody prefers", rows, reader(tuple[int, str, str]))


async def put_preference(database: Database, person: int, calls: str, forced: str) -> None:
    """Store what this person prefers from now on."""
    await database.execute(
        "INSERT OR REPLACE INTO preferences (person, calls, forced) VALUES (?, ?, ?)", (person, calls, forced)
    )


#: The names of these notes: somebody was promised that nothing is left, or somebody's name was removed, for
#: example by leaving a lobby.
REWRITE_DUE, TRACES_LEFT = "rewrite due", "traces left"
#: Sets one of these notes, in the transaction that deletes.
NOTE_TRACES = "INSERT OR IGNORE INTO settings (name, value) VALUES (?, '1')"


def are_traces_left(connection: sqlite3.Connection) -> bool:
    """Whether somebody's name was removed since the file was last rewritten: nobody knows whose."""
    return connection.execute("SELECT 1 FROM settings WHERE name = ?", (TRACES_LEFT,)).fetchone() is not None


async def is_rewrite_due(database: Database) -> bool:
    """Whether the file is to be rewritten."""
    return bool(await database.read("SELECT 1 FROM settings WHERE name = ?", (REWRITE_DUE,)))


async def rewrite_if_due(database: Database) -> None:
    """Rewrite the file if that is due; Refusal if it cannot be done now."""
    async with database.rewriting:
        # Asked while holding the lock: the first of several waiting callers does it for all.
        if await is_rewrite_due(database):
            await database.rewrite("DELETE FROM settings WHERE name IN (?, ?)", (REWRITE_DUE, TRACES_LEFT))
