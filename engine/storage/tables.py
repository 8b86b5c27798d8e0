"""Tables, their seats and the log of their moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import aiosqlite

from engine.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it lies in the database; rules and moves still as JSON."""

    id: int
    guild: int
    channel: int
    host: int
    first: int | None
    rules: dict[str, Any]
    state: str
    seats: tuple[tuple[int | None, str, bool], ...]  # person (None: a computer), name, away
    moves: tuple[dict[str, Any], ...]


async def insert(
    connection: aiosqlite.Connection, guild: int, channel: int, host: int, rules: Any, now: float
) -> int:
    """A new table in its lobby; returns its id."""
    cursor = await connection.execute(
        "INSERT INTO tables (guild, channel, host, rules, state, opened_at) VALUES (?, ?, ?, ?, 'lobby', ?)",
        (guild, channel, host, json.dumps(rules), now),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


async def update(
    connection: aiosqlite.Connection, table: int, host: int, first: int | None, rules: Any, state: str
) -> None:
    """What changes about a table besides its seats and moves."""
    await connection.execute(
        "UPDATE tables SET host = ?, first = ?, rules = ?, state = ? WHERE id = ?",
        (host, first, json.dumps(rules), state, table),
    )


async def put_seats(
    connection: aiosqlite.Connection, table: int, seats: Iterable[tuple[int | None, str, bool]]
) -> None:
    """Who sits at the table now, from seat 0."""
    await connection.execute("DELETE FROM seats WHERE table_id = ?", (table,))
    await connection.executemany(
        "INSERT INTO seats (table_id, seat, person, name, away) VALUES (?, ?, ?, ?, ?)",
        [(table, number, *seat) for number, seat in enumerate(seats)],
    )


async def append_moves(
    connection: aiosqlite.Connection, table: int, first: int, moves: Sequence[Any]
) -> None:
    """Moves at the log's end; `first` is the first one's number, and may not be taken."""
    await connection.executemany(
        "INSERT INTO moves (table_id, number, move) VALUES (?, ?, ?)",
        [(table, number, json.dumps(move)) for number, move in enumerate(moves, first)],
    )


async def live_tables(database: Database) -> list[StoredTable]:
    """Every table that is in its lobby or playing, with its seats and moves."""
    return await _read(database, "state IN ('lobby', 'playing')", ())


async def table(database: Database, id: int) -> StoredTable | None:
    """The table with this id, whatever its state."""
    found = await _read(database, "id = ?", (id,))
    return found[0] if found else None


async def latest_game(database: Database, channel: int) -> StoredTable | None:
    """The last table of this channel at which something was dealt."""
    found = await _read(
        database,
        """id = (SELECT MAX(id) FROM tables WHERE channel = ?
        AND EXISTS (SELECT 1 FROM moves WHERE table_id = tables.id))""",
        (channel,),
    )
    return found[0] if found else None


async def _read(database: Database, which: str, values: tuple[int, ...]) -> list[StoredTable]:
    chosen = f"SELECT id FROM tables WHERE {which}"
    seats: dict[int, list[tuple[int | None, str, bool]]] = {}
    for id, person, name, away in await database.read(
        f"""SELECT table_id, person, name, away FROM seats WHERE table_id IN ({chosen})
        ORDER BY table_id, seat""",
        values,
    ):
        seats.setdefault(id, []).append((person, name, bool(away)))
    moves: dict[int, list[dict[str, Any]]] = {}
    for id, move in await database.read(
        f"SELECT table_id, move FROM moves WHERE table_id IN ({chosen}) ORDER BY table_id, number", values
    ):
        moves.setdefault(id, []).append(json.loads(move))
    return [
        StoredTable(
            id,
            guild,
            channel,
            host,
            first,
            json.loads(rules),
            state,
            tuple(seats.get(id, ())),
            tuple(moves.get(id, ())),
        )
        for id, guild, channel, host, first, rules, state in await database.read(
            f"SELECT id, guild, channel, host, first, rules, state FROM tables WHERE {which} ORDER BY id",
            values,
        )
    ]
