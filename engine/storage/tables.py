"""Tables, who sits at them, the log of their moves, and the cards picked to be passed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.storage.damage import flag, numbered, readable, text, whole
from engine.storage.database import Database, Read
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: What stands in a table's row, but for the id.
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
Row = tuple[Any, ...]
#: The codes of the cards that a seat's player has picked.
Picked = Mapping[int, Sequence[str]]


# A table as it lies in the database


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
    strength: str
    conduct: dict[str, Any]  # the settings besides: see engine/tables/store.py
    paused: bool
    timer: dict[str, Any] | None
    notice: dict[str, Any] | None
    seating: Seating
    moves: tuple[dict[str, Any], ...] = ()

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
    """A seat as it lies in the database; a computer's has no person."""

    person: int | None
    name: str
    away: bool
    missed: int
    strength: str
    since: int


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """Somebody who takes this seat with the next deal."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class FormerOccupant:
    """Whose seat another has taken: they had it from the deal `since` to the deal `until`."""

    seat: int
    person: int  # NOBODY where it was a computer's
    name: str
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Seating:
    """All that is stored of who sits where at one table."""

    seats: tuple[StoredSeat, ...] = ()
    seat_claims: tuple[SeatClaim, ...] = ()
    former_occupants: tuple[FormerOccupant, ...] = ()

    @property
    def people(self) -> set[object]:
        """Whom these rows tell of: ids and names."""
        found = [(seat.person, seat.name) for seat in self.seats if seat.person]
        found += [(one.person, one.name) for one in self.seat_claims]
        found += [(one.person, one.name) for one in self.former_occupants]
        return {known for pair in found for known in pair}


@dataclass(frozen=True, slots=True)
class Rows:
    """A table's rows as they are found, damaged or not: see `parse`."""

    id: int
    guild: Any
    channel: Any
    is_set_aside: bool
    others: tuple[Any, ...]
    seats: SeatRows
    moves: Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class SeatRows:
    """The same as it is found, damaged or not: see `parse`."""

    seats: Sequence[Row] = ()
    seat_claims: Sequence[Row] = ()
    former_occupants: Sequence[Row] = ()


# Writing


def insert(connection: sqlite3.Connection, table: StoredTable, now: float) -> int:
    """A new table, whatever its id; returns the id that it is given."""
    cursor = connection.execute(
        f"""INSERT INTO tables ({", ".join(COLUMNS)}, opened_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*table.row, now),
    )
    assert cursor.lastrowid is not None
    put_seats(connection, cursor.lastrowid, Seating(), table.seating)
    return cursor.lastrowid


def update(connection: sqlite3.Connection, old: StoredTable, new: StoredTable) -> None:
    """Write what has changed, but for the moves."""
    changed = {
        column: value
        for column, value, before in zip(COLUMNS, new.row, old.row, strict=True)
        if value != before
    }
    if changed:
        # Only what has changed: each column named here has its indexes written anew, with every move.
        columns = ", ".join(f"{column} = ?" for column in changed)
        connection.execute(f"UPDATE tables SET {columns} WHERE id = ?", (*changed.values(), new.id))
    put_seats(connection, new.id, old.seating, new.seating)
    if _people(old) - _people(new):
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))


def append_moves(connection: sqlite3.Connection, table: int, first: int, moves: Sequence[Any]) -> None:
    """Moves at the log's end; `first` is the first one's number, and may not be taken."""
    connection.executemany(
        "INSERT INTO moves (table_id, number, move) VALUES (?, ?, ?)",
        [(table, number, json.dumps(move)) for number, move in enumerate(moves, first)],
    )


def put_seats(connection: sqlite3.Connection, table: int, old: Seating, new: Seating) -> None:
    """Write what has changed."""
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


def put_picks(connection: sqlite3.Connection, table: int, picked: Picked) -> None:
    """These cards are picked at this table, and no others."""
    connection.execute("DELETE FROM picks WHERE table_id = ?", (table,))
    connection.executemany(
        "INSERT INTO picks (table_id, seat, cards) VALUES (?, ?, ?)",
        [(table, seat, json.dumps(list(codes))) for seat, codes in picked.items()],
    )


async def end_seen(database: Database, id: int) -> None:
    """The end of this table has been shown."""
    await database.execute("UPDATE tables SET end_seen = 1 WHERE id = ?", (id,))


async def set_aside(database: Database, ids: Iterable[int]) -> None:
    """These tables cannot be read: they stay as they are, and keep their channels no longer."""
    rows = [(id,) for id in ids]

    def write(connection: sqlite3.Connection) -> None:
        connection.executemany("UPDATE tables SET damaged = 1 WHERE id = ?", rows)

    await database.write(write)


async def take_back(database: Database, id: int) -> bool:
    """This table has been repaired; False if another one stands in its channel now."""

    def write(connection: sqlite3.Connection) -> bool:
        done = connection.execute("UPDATE OR IGNORE tables SET damaged = 0 WHERE id = ?", (id,))
        return done.rowcount > 0

    return await database.write(write)


def _people(table: StoredTable) -> set[object]:
    """Whom these rows tell of: ids and names."""
    return table.seating.people | {table.host, table.first} - {None}


# Reading


async def unseen_tables(database: Database) -> list[Rows]:
    """Every table that is in its lobby or playing, or whose end nobody has seen, with its seats and moves."""
    return await _read(database, f"id IN ({_UNSEEN})", ())


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
    """The last table of this channel at which something was dealt, that one left out."""
    found = await _read(
        database,
        """id = (SELECT id FROM tables WHERE channel = ? AND id <> ?
        AND EXISTS (SELECT 1 FROM moves WHERE table_id = tables.id) ORDER BY id DESC LIMIT 1)""",
        (channel, but),
    )
    return found[0] if found else None


async def picked_cards(database: Database) -> dict[int, dict[int, list[str]]]:
    """What is picked at each table, by seat; what is damaged counts as not picked."""
    found: dict[int, dict[int, list[str]]] = {}
    rows = await database.read("SELECT table_id, seat, cards FROM picks")
    for table, seat, codes in readable("what is picked at table {0}", rows, _parse_picks):
        found.setdefault(table, {})[seat] = codes
    return found


async def _read(database: Database, which: str, values: tuple[int, ...], *, moves: bool = True) -> list[Rows]:
    chosen = f"SELECT id FROM tables WHERE {which}"
    async with (
        database.reader.snapshot() as read
    ):  # else a table could be found in halves, before a move and after
        seated = await read_seats(read, chosen, values)
        made = await read(
            f"""SELECT table_id, number, move FROM moves
            WHERE table_id IN ({chosen}) AND {moves} ORDER BY table_id, number""",
            values,
        )
        found = await read(
            f"""SELECT id, guild, channel, damaged, host, first, paused,
            rules, state, pace, strength, conduct, timer, notice FROM tables WHERE {which} ORDER BY id""",
            values,
        )
    logs: dict[int, list[tuple[Any, ...]]] = {}
    for id, number, move in made:
        logs.setdefault(id, []).append((number, move))
    return [
        Rows(id, guild, channel, bool(damaged), tuple(others), seated.get(id, SeatRows()), logs.get(id, []))
        for id, guild, channel, damaged, *others in found
    ]


async def read_seats(read_rows: Read, chosen: str, values: tuple[int, ...]) -> dict[int, SeatRows]:
    """The rows of the tables whose ids this statement chooses."""

    async def rows(table: str, columns: str, order: str) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {}
        for id, *row in await read_rows(
            f"""SELECT table_id, {columns} FROM {table} WHERE table_id IN ({chosen})
            ORDER BY table_id, {order}""",
            values,
        ):
            found.setdefault(id, []).append(tuple(row))
        return found

    seats = await rows("seats", "seat, person, name, away, missed, strength, since", "seat")
    takers = await rows("takers", "seat, person, name", "seat")
    departed = await rows("departed", "seat, person, name, since, until", "until, seat")
    return {
        id: SeatRows(seats.get(id, ()), takers.get(id, ()), departed.get(id, ()))
        for id in seats.keys() | takers.keys() | departed.keys()
    }


# Rows that may be damaged


def parse(rows: Rows) -> StoredTable:
    """The table that these rows hold; ValueError or TypeError if they are damaged."""
    host, first, paused, *texts = rows.others
    rules, state, pace, strength, conduct, timer, notice = texts
    return StoredTable(
        id=rows.id,
        guild=whole(rows.guild),
        channel=whole(rows.channel),
        host=whole(host),
        first=None if first is None else whole(first),
        rules=json.loads(text(rules)),
        state=text(state),
        pace=text(pace),
        strength=text(strength),
        conduct=json.loads(text(conduct)),
        paused=flag(paused),
        timer=json.loads(text(timer)),
        notice=json.loads(text(notice)),
        seating=parse_seating(rows.seats),
        moves=tuple(json.loads(text(move)) for _, move in numbered(rows.moves)),
    )


def parse_seating(rows: SeatRows) -> Seating:
    """What these rows hold; ValueError or TypeError if they are damaged."""
    return Seating(
        tuple([_parse_seat(*row[1:]) for row in numbered(rows.seats)]),
        tuple([SeatClaim(whole(seat), whole(person), text(name)) for seat, person, name in rows.seat_claims]),
        tuple([_parse_departed(*row) for row in rows.former_occupants]),
    )


def _parse_seat(person: Any, name: Any, away: Any, missed: Any, strength: Any, since: Any) -> StoredSeat:
    return StoredSeat(
        None if person is None else whole(person),
        text(name),
        flag(away),
        whole(missed),
        text(strength),
        whole(since),
    )


def _parse_departed(seat: Any, person: Any, name: Any, since: Any, until: Any) -> FormerOccupant:
    return FormerOccupant(whole(seat), whole(person), text(name), whole(since), whole(until))


def _parse_picks(table: Any, seat: Any, cards: Any) -> tuple[int, int, list[str]]:
    return whole(table), whole(seat), [str(code) for code in json.loads(text(cards))]
