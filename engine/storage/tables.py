"""Tables with their seats, the log of their moves, and the cards picked to be passed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, NamedTuple

from engine.storage.damage import JsonObject, from_json, numbered, readable, reader
from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: The columns of a table, but for the id: the fields of `StoredTable`.
COLUMNS = (
    "guild",
    "channel",
    "host",
    "first",
    "rules",
    "state",
    "pace",
    "strength",
    "conduct",
    "paused",
    "timer",
    "notice",
)
#: A live table is found whatever its column `end_seen` holds.
_UNSEEN = """SELECT id FROM tables WHERE NOT end_seen
    UNION SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT damaged"""
#: The most tables that are deleted at once, while nobody else can write.
MOST_DROPPED = 200
Row = tuple[Any, ...]
#: The codes of the cards that a seat's player has picked.
Picked = Mapping[int, Sequence[str]]


# Private tables: one person plays with computers, and no channel shows it

#: Keeps the numbers of a person's tables apart; ids of Discord stay below it until 2049.
_APART = 1 << 62


def daily_place(person: int) -> int:
    """The number in place of a channel for a person's daily game: they play one at a time."""
    return -person


def alone_place(person: int) -> int:
    """The number in place of a channel for a person's table alone: they have one at a time."""
    return -person - _APART


# A table as it is stored


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored; rules and moves still as JSON."""

    id: int
    guild: int
    channel: int
    host: int
    first: int | None
    rules: JsonObject
    state: str
    pace: str
    strength: str
    conduct: JsonObject  # the settings besides: see engine/tables/store.py
    paused: bool
    timer: Annotated[dict[str, Any] | None, from_json]
    notice: Annotated[dict[str, Any] | None, from_json]
    seating: Seating
    moves: tuple[JsonObject, ...] = ()

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS."""
        return (
            self.guild,
            self.channel,
            self.host,
            self.first,
            json.dumps(self.rules),
            self.state,
            self.pace,
            self.strength,
            json.dumps(self.conduct),
            self.paused,
            json.dumps(self.timer),
            json.dumps(self.notice),
        )


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat as it is stored; a computer's has no person."""

    person: int | None
    name: str
    away: bool
    missed: int
    strength: str
    since: int


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A person who takes this seat with the next deal."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class FormerOccupant:
    """A player whose seat another has taken, after having it from the deal `since` to the deal `until`."""

    seat: int
    person: int  # NOBODY where it was a computer's
    name: str
    since: int
    until: int
    deals_before_away: int | None = None  # how many were done when they went; stored with the settings


class Way(Enum):
    """How somebody is asked to a table."""

    INVITED = "invited"  # by a player, in a message in the channel that mentions them
    MENTION = "mention"  # as they wanted to be told when a table needs players, in such a message
    DM = "dm"  # the same by direct message


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody who is asked to a table."""

    person: int
    name: str
    number: int  # of the message that asks them; a later one has a larger number
    inviter: int  # NOBODY once they have been forgotten
    way: Way
    at: float  # when (seconds since 1970)
    kept_until: float | None = None  # until when a seat is kept for them; None once it no longer is
    is_told: bool = False  # whether their DM has gone out, or begun to


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of one table, the claims on them, their former occupants and who is asked, as stored."""

    seats: tuple[StoredSeat, ...] = ()
    seat_claims: tuple[SeatClaim, ...] = ()
    former_occupants: tuple[FormerOccupant, ...] = ()
    invitations: tuple[Invitation, ...] = ()

    @property
    def people(self) -> set[object]:
        """The ids and names of the people in these rows."""
        found = [(seat.person, seat.name) for seat in self.seats if seat.person]
        found += [(one.person, one.name) for one in self.seat_claims]
        found += [(one.person, one.name) for one in self.former_occupants]
        found += [(one.person, one.name) for one in self.invitations]
        return {known for pair in found for known in pair}


@dataclass(frozen=True, slots=True)
class Rows:
    """A table's rows as they are found, damaged or not: see `parse`."""

    id: int
    is_set_aside: bool
    columns: Row  # the values of COLUMNS
    seats: Sequence[Row]
    seat_claims: Sequence[Row]
    former_occupants: Sequence[Row]
    invitations: Sequence[Row]
    moves: Sequence[Row]

    @property
    def channel(self) -> Any:
        """The table's channel, if it is not damaged."""
        return self.columns[COLUMNS.index("channel")]


# Writing


def insert(connection: sqlite3.Connection, table: StoredTable, now: float) -> int:
    """Insert a new table, whatever its id; returns the id that it is given."""
    cursor = connection.execute(
        f"""INSERT INTO tables ({", ".join(COLUMNS)}, opened_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*table.row, now),
    )
    assert cursor.lastrowid is not None
    put_seats(connection, cursor.lastrowid, Seating(), table.seating)
    return cursor.lastrowid


def update(connection: sqlite3.Connection, old: StoredTable, new: StoredTable) -> None:
    """Write what has changed, except the moves."""
    changed = {
        column: value
        for column, value, before in zip(COLUMNS, new.row, old.row, strict=True)
        if value != before
    }
    if changed:
        # Only what has changed: naming a column rewrites its indexes, with every move.
        columns = ", ".join(f"{column} = ?" for column in changed)
        connection.execute(f"UPDATE tables SET {columns} WHERE id = ?", (*changed.values(), new.id))
    put_seats(connection, new.id, old.seating, new.seating)
    if _people(old) - _people(new):
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))


def append_moves(connection: sqlite3.Connection, table: int, first: int, moves: Sequence[Any]) -> None:
    """Append moves to the log; `first` is the number of the first, and may not be taken."""
    connection.executemany(
        "INSERT INTO moves (table_id, number, move) VALUES (?, ?, ?)",
        [(table, number, json.dumps(move)) for number, move in enumerate(moves, first)],
    )


def put_seats(connection: sqlite3.Connection, table: int, old: Seating, new: Seating) -> None:
    """Write the seats, claims, former occupants and invitations that have changed."""
    if new.seats != old.seats:
        connection.execute("DELETE FROM seats WHERE table_id = ?", (table,))
        connection.executemany(
            """INSERT INTO seats (table_id, seat, person, name, away, missed, strength, since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            [
                (table, number, seat.person, seat.name, seat.away, seat.missed, seat.strength, seat.since)
                for number, seat in enumerate(new.seats)
            ],
        )
    if new.seat_claims != old.seat_claims:
        connection.execute("DELETE FROM takers WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO takers (table_id, seat, person, name) VALUES (?, ?, ?, ?)",
            [(table, one.seat, one.person, one.name) for one in new.seat_claims],
        )
    if new.former_occupants != old.former_occupants:
        connection.execute("DELETE FROM departed WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO departed (table_id, seat, person, name, since, until) VALUES (?, ?, ?, ?, ?, ?)",
            [(table, one.seat, one.person, one.name, one.since, one.until) for one in new.former_occupants],
        )
    if new.invitations != old.invitations:
        put_invitations(connection, table, new.invitations)


def put_invitations(connection: sqlite3.Connection, table: int, invitations: Iterable[Invitation]) -> None:
    """Store who is asked to this table in place of those before."""
    connection.execute("DELETE FROM invitations WHERE table_id = ?", (table,))
    connection.executemany(
        """INSERT INTO invitations
        (table_id, person, name, number, inviter, way, at, kept_until, is_told)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                table,
                one.person,
                one.name,
                one.number,
                one.inviter,
                one.way.value,
                one.at,
                one.kept_until,
                one.is_told,
            )
            for one in invitations
        ],
    )


def put_picks(connection: sqlite3.Connection, table: int, picked: Picked) -> None:
    """Store the cards picked at this table in place of those picked before."""
    connection.execute("DELETE FROM picks WHERE table_id = ?", (table,))
    connection.executemany(
        "INSERT INTO picks (table_id, seat, cards) VALUES (?, ?, ?)",
        [(table, seat, json.dumps(list(codes))) for seat, codes in picked.items()],
    )


async def end_seen(database: Database, id: int) -> None:
    """Note that the end of this table has been shown."""
    await database.execute("UPDATE tables SET end_seen = 1 WHERE id = ?", (id,))


def note_unplayed(connection: sqlite3.Connection, id: int, now: float) -> None:
    """Note that this table has closed without a finished deal."""
    connection.execute("UPDATE tables SET unplayed_since = ? WHERE id = ?", (now, id))


async def drop_unplayed(database: Database, before: float) -> bool:
    """Delete tables that closed before then without a finished deal; whether there may be more."""

    def write(connection: sqlite3.Connection) -> bool:
        done = connection.execute(
            """DELETE FROM tables WHERE id IN (
                SELECT id FROM tables WHERE unplayed_since < ? AND end_seen LIMIT ?
            )""",
            (before, MOST_DROPPED),
        )
        if done.rowcount:
            connection.execute(NOTE_TRACES, (TRACES_LEFT,))
        return done.rowcount == MOST_DROPPED

    return await database.write(write)


async def set_aside(database: Database, ids: Iterable[int]) -> None:
    """Keep tables that cannot be read as they are, and free their channels."""
    rows = [(id,) for id in ids]

    def write(connection: sqlite3.Connection) -> None:
        connection.executemany("UPDATE tables SET damaged = 1 WHERE id = ?", rows)

    await database.write(write)


async def take_back(database: Database, id: int) -> bool:
    """Let a repaired table go on; False if there is another one in its channel now."""

    def write(connection: sqlite3.Connection) -> bool:
        done = connection.execute("UPDATE OR IGNORE tables SET damaged = 0 WHERE id = ?", (id,))
        return done.rowcount > 0

    return await database.write(write)


def _people(table: StoredTable) -> set[object]:
    """The ids and names of the people in these rows."""
    return table.seating.people | {table.host, table.first} - {None}


# Reading


async def unseen_tables(database: Database) -> list[Rows]:
    """Every table that is in its lobby or playing, or whose end nobody has seen, with its seats and moves."""
    return await _read(database, f"id IN ({_UNSEEN})", ())


async def newest_table(database: Database) -> int:
    """The highest id of a table; 0 if there is none."""
    [(newest,)] = await database.read("SELECT coalesce(max(id), 0) FROM tables")
    return int(newest)


async def table(database: Database, id: int, *, moves: bool = False) -> Rows | None:
    """The table with this id, whatever its state; its moves only where they are asked for."""
    found = await _read(database, "id = ?", (id,), moves=moves)
    return found[0] if found else None


async def deal(database: Database, table: int, number: int) -> list[Any]:
    """The moves of this table's deal of this number (from 1), each as JSON, if it is not damaged."""
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


async def latest_game(database: Database, channel: int, *, but: int = 0) -> Rows | None:
    """The last table of this channel, other than `but`, at which something was dealt."""
    found = await _read(
        database,
        """id = (SELECT id FROM tables WHERE channel = ? AND id <> ?
        AND EXISTS (SELECT 1 FROM moves WHERE table_id = tables.id) ORDER BY id DESC LIMIT 1)""",
        (channel, but),
    )
    return found[0] if found else None


def _codes(value: Any) -> list[str]:
    return [str(code) for code in from_json(value)]


class _Picked(NamedTuple):
    table: int
    seat: int
    cards: Annotated[list[str], _codes]


async def picked_cards(database: Database) -> dict[int, dict[int, list[str]]]:
    """What is picked at each table, by seat; what is damaged counts as not picked."""
    found: dict[int, dict[int, list[str]]] = {}
    rows = await database.read("SELECT table_id, seat, cards FROM picks")
    for table, seat, codes in readable("what is picked at table {0}", rows, reader(_Picked)):
        found.setdefault(table, {})[seat] = codes
    return found


async def _read(database: Database, which: str, values: tuple[int, ...], *, moves: bool = True) -> list[Rows]:
    chosen = f"SELECT id FROM tables WHERE {which}"
    async with database.reader.snapshot() as read:  # else a move could come between the halves of a table

        async def by_table(table: str, columns: str, order: str, also: str = "TRUE") -> dict[int, list[Row]]:
            found: dict[int, list[Row]] = {}
            for id, *row in await read(
                f"""SELECT table_id, {columns} FROM {table} WHERE table_id IN ({chosen}) AND {also}
                ORDER BY table_id, {order}""",
                values,
            ):
                found.setdefault(id, []).append(tuple(row))
            return found

        seats = await by_table("seats", "seat, person, name, away, missed, strength, since", "seat")
        claims = await by_table("takers", "seat, person, name", "seat")
        occupants = await by_table("departed", "seat, person, name, since, until, NULL", "until, seat")
        asked = await by_table(
            "invitations", "person, name, number, inviter, way, at, kept_until, is_told", "number, person"
        )
        made = await by_table("moves", "number, move", "number", str(moves))
        tables = await read(
            f"SELECT id, damaged, {', '.join(COLUMNS)} FROM tables WHERE {which} ORDER BY id", values
        )
    return [
        Rows(
            id,
            bool(damaged),
            tuple(columns),
            *(found.get(id, ()) for found in (seats, claims, occupants, asked, made)),
        )
        for id, damaged, *columns in tables
    ]


# Rows that may be damaged


def parse(rows: Rows) -> StoredTable:
    """The table that these rows hold; ValueError or TypeError if they are damaged."""
    seats = [seat[1:] for seat in numbered(rows.seats)]
    moves = [move for _, move in numbered(rows.moves)]
    seating = seats, rows.seat_claims, rows.former_occupants, rows.invitations
    return reader(StoredTable)((rows.id, *rows.columns, seating, moves))
