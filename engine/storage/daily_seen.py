"""Who has seen a day's cards and deleted everything since, so that they do not play them twice.

Of each a hash is kept, with a key of its own. Ids can be tried one after the other: with both in hand anybody
can find out whether a certain person is meant. So key and hash are destroyed as soon as the day is over, and
no copy of the database has them.
"""

from __future__ import annotations

import hmac
import secrets
import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from engine.storage import traces
from engine.storage.damage import readable
from engine.storage.database import Database

#: Whether somebody, of whom not everything is deleted, has begun a day: its game or its result is stored.
_HAS_BEGUN = """SELECT EXISTS (SELECT 1 FROM daily_results WHERE day = ?1 AND person = ?2) OR EXISTS (
    SELECT 1 FROM tables WHERE channel = -?2 AND NOT damaged
    AND iif(json_valid(conduct), json_extract(conduct, '$.daily.day'), NULL) = ?1)"""


def note(connection: sqlite3.Connection, day: str, person: int) -> None:
    """Keep what tells this person again, if they have begun that day; to be done before that is deleted."""
    [(has_begun,)] = connection.execute(_HAS_BEGUN, (day, person))
    if has_begun and day not in days(connection, person):
        key = secrets.token_bytes(32)
        values = (day, key, _hash(key, person))
        connection.execute("INSERT INTO daily_seen (day, key, hash) VALUES (?, ?, ?)", values)


def days(connection: sqlite3.Connection, person: int) -> list[str]:
    """The days whose cards this person has seen before they deleted everything."""
    return _of(person, connection.execute("SELECT day, key, hash FROM daily_seen ORDER BY day"))


async def has_begun(database: Database, day: str, person: int) -> bool:
    """Whether this person has seen that day's cards, whatever was deleted since."""
    [(is_stored,)] = await database.read(_HAS_BEGUN, (day, person))
    rows = await database.read("SELECT day, key, hash FROM daily_seen WHERE day = ?", (day,))
    return bool(is_stored or _of(person, rows))


async def drop_old(database: Database, today: str) -> None:
    """Destroy what was kept for days that are over; engine.storage.privacy.finish sees to its traces."""
    tomorrow = (date.fromisoformat(today) + timedelta(days=1)).isoformat()
    old = "FROM daily_seen WHERE day NOT BETWEEN ? AND ?"  # what is damaged is between nothing

    def write(connection: sqlite3.Connection) -> None:
        connection.execute(f"DELETE {old}", (today, tomorrow))
        connection.execute(traces.NOTE, (traces.DUE,))

    if await database.read(f"SELECT 1 {old} LIMIT 1", (today, tomorrow)):
        await database.write(write)


def _of(person: int, rows: Iterable[Any]) -> list[str]:
    def read(day: Any, key: Any, kept: Any) -> tuple[str, bool]:
        return day, kept == _hash(key, person)

    found = readable("who has seen a day's cards", rows, read)
    return [day for day, is_theirs in found if is_theirs]


def _hash(key: bytes, person: int) -> bytes:
    return hmac.digest(key, str(person).encode(), "sha256")
