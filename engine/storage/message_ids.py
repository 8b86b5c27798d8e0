"""The messages that show a table, and how they looked when the program last stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from engine.storage.damage import readable, reader
from engine.storage.database import Database


class StoredMessage(NamedTuple):
    """A message that shows a part of a table, with the fingerprint of how it looks."""

    table: int
    key: str
    channel: int
    message: int
    fingerprint: str | None


async def put_message(database: Database, table: int, key: str, channel: int, message: int) -> None:
    """Note that this message shows this part of the table from now on."""
    await database.execute(
        "INSERT OR REPLACE INTO messages (table_id, key, channel, message) VALUES (?, ?, ?, ?)",
        (table, key, channel, message),
    )


async def rename_message(database: Database, table: int, key: str, new: str) -> None:
    """Keep the message that shows this part of the table under a new key."""
    statement = "UPDATE OR REPLACE messages SET key = ?, shown = NULL WHERE table_id = ? AND key = ?"
    await database.execute(statement, (new, table, key))


async def drop_message(database: Database, table: int, key: str) -> None:
    """Forget the message that shows this part of the table."""
    await database.execute("DELETE FROM messages WHERE table_id = ? AND key = ?", (table, key))


async def take_messages(database: Database) -> list[StoredMessage]:
    """The messages of all tables that are still to be shown.

    The fingerprints are those of the last orderly stop; this clears them, as they will change.
    """
    rows = await database.read(
        """SELECT table_id, key, messages.channel, message, shown FROM messages
        JOIN tables ON id = table_id WHERE NOT end_seen"""
    )
    await database.execute("UPDATE messages SET shown = NULL WHERE shown IS NOT NULL")
    return readable("a message of table {0}", rows, reader(StoredMessage))


async def put_fingerprints(database: Database, fingerprints: Iterable[tuple[int, str, str]]) -> None:
    """Store the table, part and fingerprint of messages as they look now, for the next start."""
    found = list(fingerprints)

    def write(connection: sqlite3.Connection) -> None:
        connection.executemany("UPDATE messages SET shown = ?3 WHERE table_id = ?1 AND key = ?2", found)

    await database.write(write)


async def message(database: Database, table: int, key: str) -> tuple[int, int] | None:
    """The channel and id of the message that shows this part of the table."""
    rows = await database.read(
        "SELECT table_id, key, channel, message, shown FROM messages WHERE table_id = ? AND key = ?",
        (table, key),
    )
    found = readable("a message of table {0}", rows, reader(StoredMessage))
    return found[0][2:4] if found else None
