"""The ids of messages that show tables and tournaments, and how these looked at the last stop."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.storage.database import Database

#: Keys of a tournament's final message, before and after it has shown the end.
ENDED, LAST = "ended", "last"


class StoredMessage(NamedTuple):
    """A message that shows a part of a table or tournament, with a fingerprint of its content."""

    owner: int
    key: str
    channel: int
    message: int
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Owners:
    """What a kind of messages belongs to: tables or tournaments."""

    name: str  # of one owner
    rows: str  # the database table with the messages
    column: str  # its column with the owner's id
    is_shown: str  # a condition for messages that are still in use


TABLES = Owners("table", "messages", "table_id", "table_id IN (SELECT id FROM tables WHERE NOT end_seen)")
TOURNAMENTS = Owners("tournament", "tournament_messages", "tournament", f"key <> '{LAST}'")


class MessageIds:
    """The stored messages of all tables, or of all tournaments. Every method may raise a Refusal."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self.owners = owners
        self._database = database

    async def put(self, owner: int, key: str, channel: int, message: int) -> None:
        """Store the message that shows this part from now on."""
        rows = f"INSERT OR REPLACE INTO {self.owners.rows} ({self.owners.column}, key, channel, message)"
        await self._database.execute(f"{rows} VALUES (?, ?, ?, ?)", (owner, key, channel, message))

    async def rename(self, owner: int, key: str, new: str) -> None:
        """Store the message that shows this part under a new key."""
        statement = f"UPDATE OR REPLACE {self.owners.rows} SET key = ?3, shown = NULL WHERE {self._one}"
        await self._database.execute(statement, (owner, key, new))

    async def drop(self, owner: int, key: str) -> None:
        """Forget the message that shows this part."""
        await self._database.execute(f"DELETE FROM {self.owners.rows} WHERE {self._one}", (owner, key))

    async def find(self, owner: int, key: str) -> tuple[int, int] | None:
        """The channel and id of the message that shows this part."""
        rows = await self._database.read(
            f"SELECT channel, message FROM {self.owners.rows} WHERE {self._one}", (owner, key)
        )
        return next(((channel, message) for channel, message in rows), None)

    async def take(self) -> list[StoredMessage]:
        """Return the messages that are still in use, and clear the stored fingerprints.

        The fingerprints are those of the last orderly stop, and about to be outdated.
        """
        table, column = self.owners.rows, self.owners.column
        rows = await self._database.read(
            f"SELECT {column}, key, channel, message, shown FROM {table} WHERE {self.owners.is_shown}"
        )
        await self._database.execute(f"UPDATE {table} SET shown = NULL WHERE shown IS NOT NULL")
        return [StoredMessage(*row) for row in rows]

    async def put_fingerprints(self, fingerprints: Iterable[tuple[int, str, str]]) -> None:
        """Store fingerprints, each with its owner and key, for the next start."""
        rows, statement = list(fingerprints), f"UPDATE {self.owners.rows} SET shown = ?3 WHERE {self._one}"
        await self._database.write(lambda connection: connection.executemany(statement, rows))

    @property
    def _one(self) -> str:
        return f"{self.owners.column} = ?1 AND key = ?2"


async def finish_messages(database: Database, tournament: int) -> None:
    """Forget this tournament's messages except the final one, which becomes LAST."""

    def write(connection: sqlite3.Connection) -> None:
        which = "tournament = ? AND key <> ?"
        connection.execute(f"DELETE FROM tournament_messages WHERE {which}", (tournament, ENDED))
        connection.execute("UPDATE tournament_messages SET key = ? WHERE tournament = ?", (LAST, tournament))

    await database.write(write)


def owe_end(connection: sqlite3.Connection, tournament: int) -> None:
    """Note that the end of this tournament has changed since it was shown."""
    connection.execute(
        "UPDATE tournament_messages SET key = ? WHERE tournament = ? AND key = ?", (ENDED, tournament, LAST)
    )
