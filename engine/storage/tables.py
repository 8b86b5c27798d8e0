"""Tables, their seats and the log of their moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiosqlite

from engine.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat as it lies in the database; a computer's has no person."""

    person: int | None
    name: str
    away: bool
    missed: int


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
    pace: str
    paused: bool
    timer: dict[str, Any] | None
    notice: dict[str, Any] | None
    seats: tuple[StoredSeat, ...]
    moves: tuple[dict[str, Any], ...] = ()

    @property
    def row(self) -> tuple[Any, ...]:
        """What stands in its row, but for the id."""
        return (
            self.guild,
            self.channel,
            self.host,
            self.first,
            json.dumps(self.rules),
            self.state,
            self.pace,
            self.paused,
            json.dumps(self.timer),
            json.dumps(self.notice),
        )


async def insert(connection: aiosqlite.Connection, table: StoredTable, now: float) -> int:
    """A new table, whatever its id; returns the id that it is given."""
    cursor = await connection.execute(
        """INSERT INTO tables 
        (guild, channel, host, first, rules, state, pace, paused, timer, notice, opened_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*table.row, now),
    )
    assert cursor.lastrowid is not None
    await _put_seats(connection, cursor.lastrowid, table.seats)
    return cursor.lastrowid


async def update(connection: aiosqlite.Connection, old: StoredTable, new: StoredTable) -> None:
    """Write what has changed, but for the moves."""
    if new.row != old.row:
        await connection.execute(
            """UPDATE tables SET guild = ?, channel = ?, host = ?, first = ?, rules = ?, state = ?, pace = ?,
            paused = ?, timer = ?, notice = ? WHERE id = ?""",
            (*new.row, new.id),
        )
    if new.seats != old.seats:
        await _put_seats(connection, new.id, new.seats)


async def _put_seats(connection: aiosqlite.Connection, table: int, seats: Sequence[StoredSeat]) -> None:
    await connection.execute("DELETE FROM seats WHERE table_id = ?", (table,))
    await connection.executemany(
        "INSERT INTO seats (table_id, seat, person, name, away, missed) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (table, number, seat.person, seat.name, seat.away, seat.missed)
            for number, seat in enumerate(seats)
        ],
    )


async def append_moves(
    connection: aiosqlite.Connection, table: int, first: int, moves: Sequence[Any]
) -> None:
    """Moves at the log's end; `first` is the first one's number, and may not be taken."""
    await connection.executemany(
        "INSERT INTO moves (table_id, number, move) VALUES (?, ?, ?)",
        [(table, number, json.dumps(move)) for number, move in enumerate(moves, first)],
    )


async def unseen_tables(database: Database) -> list[StoredTable]:
    """Every table that is in its lobby or playing, or whose end nobody has seen, with its seats and moves."""
    return await _read(database, "NOT end_seen", ())


async def end_seen(database: Database, id: int) -> None:
    """The end of this table has been shown."""
    async with database.transaction() as connection:
        await connection.execute("UPDATE tables SET end_seen = 1 WHERE id = ?", (id,))


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
    seats: dict[int, list[StoredSeat]] = {}
    for id, person, name, away, missed in await database.read(
        f"""SELECT table_id, person, name, away, missed FROM seats WHERE table_id IN ({chosen})
        ORDER BY table_id, seat""",
        values,
    ):
        seats.setdefault(id, []).append(StoredSeat(person, name, bool(away), missed))
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
            pace,
            bool(paused),
            json.loads(timer),
            json.loads(notice),
            tuple(seats.get(id, ())),
            tuple(moves.get(id, ())),
        )
        for id, guild, channel, host, first, rules, state, pace, paused, timer, notice in await database.read(
            f"""SELECT id, guild, channel, host, first, rules, state, pace, paused, timer, notice
            FROM tables WHERE {which} ORDER BY id""",
            values,
        )
    ]
