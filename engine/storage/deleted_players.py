"""People who have deleted everything about them and may not play a daily deal or a tournament again.

A hash of each is kept, with a key of its own. Ids can be tried one after the other: anyone with both can find
out whether a certain person is meant. So key and hash are destroyed as soon as the day or the tournament is
over, and no copy of the database has them.
"""

from __future__ import annotations

import hmac
import secrets
import sqlite3
from collections.abc import Iterable
from typing import Any

from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, REWRITE_DUE

_TOURNAMENT = "tournament "
#: What is kept of past days.
_PAST = f"FROM deleted_players WHERE occasion NOT BETWEEN ? AND ? AND occasion NOT GLOB '{_TOURNAMENT}[0-9]*'"


def note_player(connection: sqlite3.Connection, occasion: str, person: int) -> None:
    """Store a hash of this person for this day (`2026-11-22`) or this `tournament_occasion`."""
    if occasion not in occasions_of(connection, person):
        values = (occasion, *new_hash(person))
        connection.execute("INSERT INTO deleted_players (occasion, key, hash) VALUES (?, ?, ?)", values)


def tournament_occasion(id: int) -> str:
    """The name of this tournament among the occasions."""
    return f"{_TOURNAMENT}{id}"


def days_seen(connection: sqlite3.Connection, person: int) -> list[str]:
    """The days whose cards this person had seen before deleting everything."""
    return [one for one in occasions_of(connection, person) if not one.startswith(_TOURNAMENT)]


def tournaments_missed(connection: sqlite3.Connection, person: int) -> list[str]:
    """The tournaments in which this person deleted everything, by id."""
    found = occasions_of(connection, person)
    return [one.removeprefix(_TOURNAMENT) for one in found if one.startswith(_TOURNAMENT)]


def occasions_of(connection: sqlite3.Connection, person: int) -> list[str]:
    """Every day and tournament that this person may not play again."""
    rows = connection.execute("SELECT occasion, key, hash FROM deleted_players ORDER BY occasion")
    return _occasions(person, rows)


async def may_not_play(database: Database, occasion: str, person: int) -> bool:
    """Whether this person has deleted everything in this day or tournament."""
    rows = await database.read(
        "SELECT occasion, key, hash FROM deleted_players WHERE occasion = ?", (occasion,)
    )
    return bool(_occasions(person, rows))


async def drop_past_days(database: Database, today: str, tomorrow: str) -> None:
    """Destroy what was kept for past days; engine.storage.privacy.finish sees to its traces."""
    if await database.read(f"SELECT 1 {_PAST} LIMIT 1", (today, tomorrow)):
        await database.write(lambda connection: _drop(connection, _PAST, (today, tomorrow)))


def drop_of_tournament(connection: sqlite3.Connection, id: int) -> None:
    """Destroy what was kept for this tournament, which is over."""
    which = "FROM deleted_players WHERE occasion = ?"
    if connection.execute(f"SELECT 1 {which}", (tournament_occasion(id),)).fetchone():
        _drop(connection, which, (tournament_occasion(id),))


def _drop(connection: sqlite3.Connection, which: str, values: tuple[str, ...]) -> None:
    """Delete these rows, and note that their traces are left."""
    connection.execute(f"DELETE {which}", values)
    connection.execute(NOTE_TRACES, (REWRITE_DUE,))


def _occasions(person: int, rows: Iterable[Any]) -> list[str]:
    return [occasion for occasion, key, kept in rows if kept == hash_of(key, person)]


def new_hash(person: int) -> tuple[bytes, bytes]:
    """A new key, and the hash of this person's id with it."""
    key = secrets.token_bytes(32)
    return key, hash_of(key, person)


def hash_of(key: bytes, person: int) -> bytes:
    """A hash of this person's id."""
    return hmac.digest(key, str(person).encode(), "sha256")
