"""An operator's actions on a database while no bot is running: removing results, and blocking people."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from engine.storage.database import Database
from engine.storage.deleted_players import hash_of, new_hash
from engine.storage.results import recompute_ratings

#: Tables with what follows from a finished game; its moves are kept.
_RESULTS = ("results", "daily_results", "achievements")
_BLOCKED = "SELECT key, hash FROM blocked"


async def remove_results(database: Database, table: int) -> int:
    """Remove this table's game from leaderboards and statistics; returns the number of removed rows.

    All ratings are recomputed.
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


# Blocked people: only a keyed hash of their id is stored, as it outlasts the deletion of their data


class BlockedPeople:
    """The set of blocked people."""

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        self._rows = [(key, stored) for key, stored in rows]

    def __contains__(self, person: int) -> bool:
        """Whether this person is blocked."""
        return any(hash_of(key, person) == stored for key, stored in self._rows)


async def block(database: Database, person: int) -> None:
    """Let this person do nothing but see and delete their data, from the next start on."""
    if person not in await everyone_blocked(database):
        await database.execute("INSERT INTO blocked (key, hash) VALUES (?, ?)", new_hash(person))


async def unblock(database: Database, person: int) -> None:
    """Let this person use the bot again, from the next start on."""
    for key, stored in await database.read(_BLOCKED):
        if person in BlockedPeople([(key, stored)]):
            await database.execute("DELETE FROM blocked WHERE key = ?", (key,))


async def everyone_blocked(database: Database) -> BlockedPeople:
    """The set of blocked people."""
    return BlockedPeople(await database.read(_BLOCKED))


def is_blocked(connection: sqlite3.Connection, person: int) -> bool:
    """Whether this person is blocked."""
    return person in BlockedPeople(connection.execute(_BLOCKED))
