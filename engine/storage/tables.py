"""Tables: each stored whole, with the log of its moves and an index of everyone it names."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.errors import Refusal
from engine.storage.database import Database

#: Live tables, whatever their `end_seen`, and ended ones whose end hasn't been shown.
_UNSEEN = """SELECT id FROM tables WHERE NOT end_seen
    UNION SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT is_damaged"""
#: The most tables deleted at once, as other writes have to wait.
MOST_DROPPED = 200


# Private tables: one person plays with computers, outside any channel

#: Tells a person's table alone from their daily game; Discord's ids stay below it until 2049.
_APART = 1 << 62


def daily_place(person: int) -> int:
    """The number in place of a channel for a person's daily game, of which they have one at a time."""
    return -person


def alone_place(person: int) -> int:
    """The number in place of a channel for a person's table alone, of which they have one at a time."""
    return -person - _APART


def player_of(channel: int) -> int | None:
    """The person whose private table has this number in place of a channel; None for a real channel."""
    if channel >= 0:
        return None
    return -channel if -channel < _APART else -channel - _APART


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored: its columns, and the rest as JSON; see `engine.tables.store`."""

    id: int
    guild: int
    channel: int
    state: str
    body: str
    turn: str
    is_damaged: bool
    opened_at: float  # seconds since 1970
    moves: tuple[tuple[int, str], ...] = ()  # numbers and JSON; empty unless requested

    @property
    def is_live(self) -> bool:
        """Whether the table can go on."""
        return self.state in ("lobby", "playing") and not self.is_damaged


# Writing


def insert(
    connection: sqlite3.Connection, columns: Mapping[str, Any], people: Iterable[int], now: float
) -> int:
    """Insert a new table with these columns; returns its id. Refusal if there is another in its place."""
    try:
        cursor = connection.execute(
            f"INSERT INTO tables (opened_at, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})",
            (now, *columns.values()),
        )
    except sqlite3.IntegrityError:  # by a unique index, of channels or of places in a tournament
        raise Refusal("stale") from None
    assert cursor.lastrowid is not None
    put_people(connection, cursor.lastrowid, people)
    return cursor.lastrowid


def update(connection: sqlite3.Connection, id: int, columns: Mapping[str, Any]) -> None:
    """Write these columns, if any; pass only changed ones, as each one rewrites its indexes."""
    if columns:
        changed = ", ".join(f"{column} = ?" for column in columns)
        connection.execute(f"UPDATE tables SET {changed} WHERE id = ?", (*columns.values(), id))


def put_people(connection: sqlite3.Connection, table: int, people: Iterable[int]) -> None:
    """Replace the people whom this table's body names."""
    connection.execute("DELETE FROM people WHERE table_id = ?", (table,))
    rows = [(table, person) for person in people]
    connection.executemany("INSERT INTO people (table_id, person) VALUES (?, ?)", rows)


def delete(connection: sqlite3.Connection, id: int) -> None:
    """Delete this table, its moves and its results."""
    connection.execute("DELETE FROM tables WHERE id = ?", (id,))


def append_moves(connection: sqlite3.Connection, table: int, first: int, moves: Sequence[Any]) -> None:
    """Append moves to the log, numbered from `first`, which must not be in use."""
    connection.executemany(
        "INSERT INTO moves (table_id, number, move) VALUES (?, ?, ?)",
        [(table, number, json.dumps(move)) for number, move in enumerate(moves, first)],
    )


async def end_seen(database: Database, id: int) -> None:
    """Note that the end of this table has been shown."""
    await database.execute("UPDATE tables SET end_seen = 1 WHERE id = ?", (id,))


def drop_unplayed(connection: sqlite3.Connection, before: float) -> int:
    """Delete up to MOST_DROPPED tables that closed before then without a finished deal; return the number."""
    return connection.execute(
        """DELETE FROM tables WHERE id IN (
            SELECT id FROM tables WHERE unplayed_since < ? AND end_seen LIMIT ?
        )""",
        (before, MOST_DROPPED),
    ).rowcount


async def set_aside(database: Database, ids: Collection[int]) -> None:
    """Mark tables as damaged, which frees their channels and leaves the tables unchanged."""
    rows = [(id,) for id in ids]
    await database.write(
        lambda connection: connection.executemany("UPDATE tables SET is_damaged = 1 WHERE id = ?", rows)
    )


async def take_back(database: Database, id: int) -> bool:
    """Unmark a repaired table; returns False if there is another one in its channel now."""

    def write(connection: sqlite3.Connection) -> bool:
        cursor = connection.execute("UPDATE OR IGNORE tables SET is_damaged = 0 WHERE id = ?", (id,))
        return cursor.rowcount > 0

    return await database.write(write)


# Reading


async def unseen_tables(database: Database) -> list[StoredTable]:
    """Every table that is live or whose end hasn't been shown, with its moves."""
    return await _read(database, f"id IN ({_UNSEEN})", ())


async def newest_table(database: Database) -> int:
    """The highest id of a table; 0 if there is none."""
    [(newest,)] = await database.read("SELECT coalesce(max(id), 0) FROM tables")
    return int(newest)


async def table(database: Database, id: int, *, moves: bool = False) -> StoredTable | None:
    """The table with this id, whatever its state, with its moves only if requested."""
    tables = await _read(database, "id = ?", (id,), moves=moves)
    return tables[0] if tables else None


async def deal(database: Database, table: int, number: int) -> list[str]:
    """The moves of this table's deal of this number (from 1), each as JSON."""
    rows = await database.reader.read(
        """WITH starts AS (
            SELECT number FROM moves INDEXED BY deals
            WHERE table_id = ?1 AND substr(move, 1, 8) = '{"dealt"' ORDER BY number LIMIT 2 OFFSET ?2
        )
        SELECT move FROM moves WHERE table_id = ?1
        AND number >= (SELECT MIN(number) FROM starts)
        AND number < (SELECT iif(COUNT(*) = 2, MAX(number), 1e18) FROM starts) ORDER BY number""",
        (table, number - 1),
    )
    return [move for (move,) in rows]


async def latest_game(database: Database, channel: int, *, but: int = 0) -> StoredTable | None:
    """The last table of this channel, other than `but`, at which something was dealt."""
    tables = await _read(
        database,
        """id = (SELECT id FROM tables WHERE channel = ? AND id <> ?
        AND EXISTS (SELECT 1 FROM moves WHERE table_id = tables.id) ORDER BY id DESC LIMIT 1)""",
        (channel, but),
    )
    return tables[0] if tables else None


def tables_of(connection: sqlite3.Connection, person: int) -> list[StoredTable]:
    """All tables that name this person, without their moves."""
    return _parse(
        connection.execute(
            f"SELECT {_COLUMNS} FROM people JOIN tables ON id = table_id WHERE person = ? ORDER BY id",
            (person,),
        ),
        {},
    )


def ended_with_invitations(connection: sqlite3.Connection) -> list[StoredTable]:
    """Ended tables that still hold invitations, without their moves."""
    which = "state IN ('over', 'stopped') AND json_array_length(body, '$.invitations') > 0"
    return _parse(connection.execute(f"SELECT {_COLUMNS} FROM tables WHERE {which}"), {})


_COLUMNS = ", ".join([field.name for field in fields(StoredTable) if field.name != "moves"])


async def _read(
    database: Database, which: str, values: tuple[int, ...], *, moves: bool = True
) -> list[StoredTable]:
    moves_by_table: dict[int, list[tuple[int, str]]] = {}
    async with database.reader.snapshot() as read:  # so that no move comes between the two queries
        if moves:
            for id, *move in await read(
                f"""SELECT table_id, number, move FROM moves
                WHERE table_id IN (SELECT id FROM tables WHERE {which}) ORDER BY table_id, number""",
                values,
            ):
                moves_by_table.setdefault(id, []).append((move[0], move[1]))
        rows = await read(f"SELECT {_COLUMNS} FROM tables WHERE {which} ORDER BY id", values)
    return _parse(rows, moves_by_table)


def _parse(
    rows: Iterable[Sequence[Any]], moves: Mapping[int, Sequence[tuple[int, str]]]
) -> list[StoredTable]:
    tables = [StoredTable(*row) for row in rows]
    return [replace(one, moves=tuple(moves.get(one.id, ()))) for one in tables]
