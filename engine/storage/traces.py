"""Notes of what the file may still hold although it was deleted.

SQLite overwrites what is deleted, but leaves stray copies where it rearranged pages: only a file that is
written anew is without them.
"""

from __future__ import annotations

import sqlite3

from engine.storage.database import Database

#: The settings that say so: somebody was promised that nothing is left, or somebody's name was removed, as by
#: leaving a lobby.
DUE, LEFT = "rewrite due", "traces left"
#: Notes one of them, in the transaction that deletes.
NOTE = "INSERT OR IGNORE INTO settings (name, value) VALUES (?, '1')"


def are_left(connection: sqlite3.Connection) -> bool:
    """Whether somebody's name was removed since the file was last written anew: nobody knows whose."""
    return connection.execute("SELECT 1 FROM settings WHERE name = ?", (LEFT,)).fetchone() is not None


async def are_due(database: Database) -> bool:
    """Whether the file is to be written anew."""
    return bool(await database.read("SELECT 1 FROM settings WHERE name = ?", (DUE,)))


async def clear(database: Database) -> None:
    """Write the file anew, if that is due; Refusal if it cannot be done now."""
    async with database.rewriting:
        # Asked within: of those who wait here together, the first does it for all.
        if await are_due(database):
            await database.rewrite("DELETE FROM settings WHERE name IN (?, ?)", (DUE, LEFT))
