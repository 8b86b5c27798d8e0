"""What an operator can do to a database that no bot has: take results away, and block people."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from engine.storage.database import Database
from engine.storage.deleted_players import hash_of, new_hash
from engine.storage.results import recompute_ratings

#: What a finished game has left behind besides its moves, which stay.
_RESULTS = ("results", "daily_results", "achievements")
_BLOCKED = "SELECT key, hash FROM blocked"


async def remove_results(database: Database, table: int) -> int:
    """Take this table's game out of leaderboards and statistics; returns how many rows were removed.

    All ratings are computed again.
    """

    def write(connection: sqlite3.Connection) -> int:
        removed = sum(
            connection.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,)).rowcount
            for name in _RESULTS
        )
        if removed:
            recompute_ratings(connection)
        return removed

    return await database.write(write)


# Who is blocked: by a hash of their id with a key of its own, as it outlasts the deletion of their data


class BlockedPeople:
    """Everyone who is blocked."""

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        self._rows = [(key, kept) for key, kept in rows]

    def __contains__(self, person: int) -> bool:
        """Whether this person is."""
        return any(hash_of(key, person) == kept for key, kept in self._rows)


async def block(database: Database, person: int) -> None:
    """Refuse this person everything but seeing and deleting their data, from the next start on."""
    if person not in await everyone_blocked(database):
        await database.execute("INSERT INTO blocked (key, hash) VALUES (?, ?)", new_hash(person))


async def unblock(database: Database, person: int) -> None:
    """Let this person use the bot again, from the next start on."""
    for key, kept in await database.read(_BLOCKED):
        if person in BlockedPeople([(key, kept)]):
            await database.execute("DELETE FROM blocked WHERE key = ?", (key,))


async def everyone_blocked(database: Database) -> BlockedPeople:
    """Everyone who is blocked."""
    return BlockedPeople(await database.read(_BLOCKED))


def is_blocked(connection: sqlite3.Connection, person: int) -> bool:
    """Whether this person is blocked."""
    return person in BlockedPeople(connection.execute(_BLOCKED))
