"""The messages that show a table or a tournament, and how they looked when the program last stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.storage.database import Database

#: The keys of the message with a tournament's end: as long as something of that is to be shown, and after it.
ENDED, LAST = "ended", "last"


class StoredMessage(NamedTuple):
    """A message that shows a part of a table or tournament, with the fingerprint of how it looks."""

    owner: int
    key: str
    channel: int
    message: int
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose messages these are: all tables', or all tournaments'."""

    name: str  # of one
    rows: str  # the table of the database that has their messages
    column: str  # in it, that with the id of whose message it is
    shown: str  # finds in it the messages of those that are still to be shown


TABLES = Owners("table", "messages", "table_id", "table_id IN (SELECT id FROM tables WHERE NOT end_seen)")
TOURNAMENTS = Owners("tournament", "tournament_messages", "tournament", f"key <> '{LAST}'")


class MessageIds:
    """The messages of one kind of owners, each with its channel. All methods may raise a Refusal."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self.owners = owners
        self._database = database

    async def put(self, owner: int, key: str, channel: int, message: int) -> None:
        """Note that this message shows this part from now on."""
        rows = f"INSERT OR REPLACE INTO {self.owners.rows} ({self.owners.column}, key, channel, message)"
        await self._database.execute(f"{rows} VALUES (?, ?, ?, ?)", (owner, key, channel, message))

    async def rename(self, owner: int, key: str, new: str) -> None:
        """Keep the message that shows this part under a new key."""
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
        """The messages of all that is still to be shown.

        The fingerprints are those of the last orderly stop; this clears them, as they will change.
        """
        rows, column = self.owners.rows, self.owners.column
        found = await self._database.read(
            f"SELECT {column}, key, channel, message, shown FROM {rows} WHERE {self.owners.shown}"
        )
        await self._database.execute(f"UPDATE {rows} SET shown = NULL WHERE shown IS NOT NULL")
        return [StoredMessage(*row) for row in found]

    async def put_fingerprints(self, fingerprints: Iterable[tuple[int, str, str]]) -> None:
        """Store the owner, part and fingerprint of messages as they look now, for the next start."""
        found, statement = list(fingerprints), f"UPDATE {self.owners.rows} SET shown = ?3 WHERE {self._one}"
        await self._database.write(lambda connection: connection.executemany(statement, found))

    @property
    def _one(self) -> str:
        return f"{self.owners.column} = ?1 AND key = ?2"


async def finish_messages(database: Database, tournament: int) -> None:
    """Forget the messages of this tournament but for its end, kept as LAST."""

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
