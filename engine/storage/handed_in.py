"""Games uploaded as files: the latest of each person, kept for at most a day."""

import json
import sqlite3
import zlib
from collections.abc import Collection, Sequence
from typing import Any

from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: Seconds for which an upload is kept, and the most uploads that are kept at a time.
KEPT, MOST = 24 * 60 * 60.0, 200
#: Uploads older than KEPT (?2) now (?1), or from the future, as the clock was wrong.
_OLD = "FROM handed_in WHERE at NOT BETWEEN ?1 - ?2 AND ?1 + ?2"


def pack(record: dict[str, Any]) -> bytes:
    """Compress a record for storage, without the names of its seats."""
    return zlib.compress(json.dumps({**record, "seats": [""] * len(record["seats"])}).encode())


async def put(database: Database, person: int, names: Sequence[str], packed: bytes, now: float) -> int:
    """Store a packed record in place of this person's earlier upload; returns its id."""
    database.check_stays(person)

    def write(connection: sqlite3.Connection) -> int:
        _drop(connection, _OLD, now, KEPT)
        _drop(connection, "FROM handed_in WHERE person = ?", person)
        too_many = "SELECT id FROM handed_in ORDER BY at DESC LIMIT -1 OFFSET ?"
        _drop(connection, f"FROM handed_in WHERE id IN ({too_many})", MOST - 1)
        row = connection.execute(
            "INSERT INTO handed_in (person, at, names, record) VALUES (?, ?, ?, ?)",
            (person, now, json.dumps(names), packed),
        )
        assert row.lastrowid is not None
        return row.lastrowid

    return await database.write(write)


async def names(database: Database, id: int, person: int, now: float) -> list[str] | None:
    """The seat names of this person's upload; None if it has expired."""
    rows = await database.read(
        "SELECT names FROM handed_in WHERE id = ? AND person = ? AND at > ?", (id, person, now - KEPT)
    )
    return next((json.loads(text) for (text,) in rows), None)


async def record(database: Database, id: int) -> Any:
    """The record of an upload, without names; None if it has expired."""
    rows = await database.read("SELECT record FROM handed_in WHERE id = ?", (id,))
    return _unpack(rows[0][0]) if rows else None


def _unpack(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))


async def drop_old(database: Database, now: float) -> None:
    """Delete uploads older than a day."""
    if await database.read(f"SELECT 1 {_OLD} LIMIT 1", (now, KEPT)):
        await database.write(lambda connection: _drop(connection, _OLD, now, KEPT))


def _drop(connection: sqlite3.Connection, which: str, *values: float) -> None:
    """Delete these uploads, and note that names in them may have left traces."""
    if connection.execute(f"DELETE {which}", values).rowcount:
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))


def export(connection: sqlite3.Connection, person: int) -> Any:
    """This person's upload as a record with names; None if there is none."""
    rows = connection.execute("SELECT names, record FROM handed_in WHERE person = ?", (person,))
    return next((_unpack(packed) | {"seats": json.loads(seats)} for seats, packed in rows), None)


def delete(connection: sqlite3.Connection, person: int, aliases: Collection[str]) -> None:
    """Delete this person's upload, and everyone's uploads that contain one of their names."""
    connection.execute("DELETE FROM handed_in WHERE person = ?", (person,))
    for id, seats in connection.execute("SELECT id, names FROM handed_in").fetchall():
        if any(name in aliases for name in json.loads(seats)):
            connection.execute("DELETE FROM handed_in WHERE id = ?", (id,))
