"""The messages that show a table or a tournament, and how they looked when the program last stopped.

A tournament has its number below 0 in place of a table's id, and its messages are in a table of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from engine.storage.database import Database

#: The keys of the message with a tournament's end: as long as something of that is to be shown, and after it.
ENDED, LAST = "ended", "last"


class StoredMessage(NamedTuple):
    """A message that shows a part of a table, with the fingerprint of how it looks."""

    table: int
    key: str
    channel: int
    message: int
    fingerprint: str | None


def _rows(table: int) -> str:
    """Where the messages of this table, or with a number below 0 of this tournament, are."""
    return "messages" if table > 0 else "tournament_messages"


async def put_message(database: Database, table: int, key: str, channel: int, message: int) -> None:
    """Note that this message shows this part of the table from now on."""
    await database.execute(
        f"INSERT OR REPLACE INTO {_rows(table)} (table_id, key, channel, message) VALUES (?, ?, ?, ?)",
        (table, key, channel, message),
    )


async def rename_message(database: Database, table: int, key: str, new: str) -> None:
    """Keep the message that shows this part of the table under a new key."""
    statement = f"UPDATE OR REPLACE {_rows(table)} SET key = ?, shown = NULL WHERE table_id = ? AND key = ?"
    await database.execute(statement, (new, table, key))


async def drop_message(database: Database, table: int, key: str) -> None:
    """Forget the message that shows this part of the table."""
    await database.execute(f"DELETE FROM {_rows(table)} WHERE table_id = ? AND key = ?", (table, key))


async def finish_messages(database: Database, tournament: int) -> None:
    """Forget the messages of this tournament, whose number is below 0, but for its end, kept as LAST."""

    def write(connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM tournament_messages WHERE table_id = ? AND key <> ?", (tournament, ENDED)
        )
        connection.execute("UPDATE tournament_messages SET key = ? WHERE table_id = ?", (LAST, tournament))

    await database.write(write)


def owe_end(connection: sqlite3.Connection, tournament: int) -> None:
    """Note that the end of this tournament, whose number is below 0, has changed since it was shown."""
    connection.execute(
        "UPDATE tournament_messages SET key = ? WHERE table_id = ? AND key = ?", (ENDED, tournament, LAST)
    )


async def take_messages(database: Database) -> list[StoredMessage]:
    """The messages of all tables and tournaments that are still to be shown.

    The fingerprints are those of the last orderly stop; this clears them, as they will change.
    """
    rows = await database.read(
        """SELECT table_id, key, messages.channel, message, shown FROM messages
        JOIN tables ON id = table_id WHERE NOT end_seen"""
    )
    rows += await database.read(
        """SELECT table_id, key, channel, message, shown FROM tournament_messages
        WHERE table_id < 0 AND key <> ?""",
        (LAST,),
    )
    await database.execute("UPDATE messages SET shown = NULL WHERE shown IS NOT NULL")
    await database.execute("UPDATE tournament_messages SET shown = NULL WHERE shown IS NOT NULL")
    return [StoredMessage(*row) for row in rows]


async def put_fingerprints(database: Database, fingerprints: Iterable[tuple[int, str, str]]) -> None:
    """Store the table, part and fingerprint of messages as they look now, for the next start."""
    found = list(fingerprints)

    def write(connection: sqlite3.Connection) -> None:
        for rows in ("messages", "tournament_messages"):
            ours = [one for one in found if _rows(one[0]) == rows]
            connection.executemany(f"UPDATE {rows} SET shown = ?3 WHERE table_id = ?1 AND key = ?2", ours)

    await database.write(write)


async def message(database: Database, table: int, key: str) -> tuple[int, int] | None:
    """The channel and id of the message that shows this part of the table."""
    rows = await database.read(
        f"SELECT channel, message FROM {_rows(table)} WHERE table_id = ? AND key = ?", (table, key)
    )
    return next(((channel, message) for channel, message in rows), None)
