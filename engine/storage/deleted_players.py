"""People who have deleted their data and may not play a daily deal or a tournament again.

Each is stored as a hash of their id, with its own key. Anyone who has both could find the person by trying
ids, so they are destroyed when the day or the tournament is over, and left out of backups.
"""

import hmac
import secrets
import sqlite3
from collections.abc import Iterable
from typing import Any

from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, REWRITE_DUE

_TOURNAMENT = "tournament "
#: The rows of past days.
_PAST = f"FROM deleted_players WHERE occasion NOT BETWEEN ? AND ? AND occasion NOT GLOB '{_TOURNAMENT}[0-9]*'"


def note_player(connection: sqlite3.Connection, occasion: str, person: int) -> None:
    """Store a hash of this person for an occasion: a day (`2026-11-22`) or a `tournament_occasion`."""
    if occasion not in occasions_of(connection, person):
        values = (occasion, *new_hash(person))
        connection.execute("INSERT INTO deleted_players (occasion, key, hash) VALUES (?, ?, ?)", values)


def tournament_occasion(id: int) -> str:
    """The occasion of a tournament."""
    return f"{_TOURNAMENT}{id}"


def days_seen(connection: sqlite3.Connection, person: int) -> list[str]:
    """The days whose cards this person had seen before deleting their data."""
    return [one for one in occasions_of(connection, person) if not one.startswith(_TOURNAMENT)]


def tournaments_missed(connection: sqlite3.Connection, person: int) -> list[str]:
    """The ids of the tournaments during which this person deleted their data."""
    occasions = occasions_of(connection, person)
    return [one.removeprefix(_TOURNAMENT) for one in occasions if one.startswith(_TOURNAMENT)]


def occasions_of(connection: sqlite3.Connection, person: int) -> list[str]:
    """Every day and tournament that this person may not play again."""
    rows = connection.execute("SELECT occasion, key, hash FROM deleted_players ORDER BY occasion")
    return _occasions(person, rows)


async def may_not_play(database: Database, occasion: str, person: int) -> bool:
    """Whether this person deleted their data during this day or tournament."""
    rows = await database.read(
        "SELECT occasion, key, hash FROM deleted_players WHERE occasion = ?", (occasion,)
    )
    return bool(_occasions(person, rows))


async def drop_past_days(database: Database, today: str, tomorrow: str) -> None:
    """Destroy the hashes of past days; `privacy.finish` then removes their traces from the file."""
    if await database.read(f"SELECT 1 {_PAST} LIMIT 1", (today, tomorrow)):
        await database.write(lambda connection: _drop(connection, _PAST, (today, tomorrow)))


def drop_of_tournament(connection: sqlite3.Connection, id: int) -> None:
    """Destroy the hashes of a tournament that is over."""
    which = "FROM deleted_players WHERE occasion = ?"
    if connection.execute(f"SELECT 1 {which}", (tournament_occasion(id),)).fetchone():
        _drop(connection, which, (tournament_occasion(id),))


def _drop(connection: sqlite3.Connection, which: str, values: tuple[str, ...]) -> None:
    """Delete these rows, and note that the file has to be rewritten."""
    connection.execute(f"DELETE {which}", values)
    connection.execute(NOTE_TRACES, (REWRITE_DUE,))


def _occasions(person: int, rows: Iterable[Any]) -> list[str]:
    return [occasion for occasion, key, stored in rows if stored == hash_of(key, person)]


def new_hash(person: int) -> tuple[bytes, bytes]:
    """Make a new key, and return it with this person's hash."""
    key = secrets.token_bytes(32)
    return key, hash_of(key, person)


def hash_of(key: bytes, person: int) -> bytes:
    """The hash of this person's id with this key."""
    return hmac.digest(key, str(person).encode(), "sha256")
