"""Who sits where at a table, who takes a seat with the next deal, and who has lost theirs."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.storage.damage import flag, numbered, text, whole
from engine.storage.database import Read

Row = tuple[Any, ...]


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
class Taker:
    """Somebody who takes this seat with the next deal."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class Departed:
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
    takers: tuple[Taker, ...] = ()
    departed: tuple[Departed, ...] = ()

    @property
    def people(self) -> set[object]:
        """Whom these rows tell of: ids and names."""
        found = [(seat.person, seat.name) for seat in self.seats if seat.person]
        found += [(one.person, one.name) for one in self.takers]
        found += [(one.person, one.name) for one in self.departed]
        return {known for pair in found for known in pair}


@dataclass(frozen=True, slots=True)
class SeatRows:
    """The same as it is found, damaged or not: see `parse`."""

    seats: Sequence[Row] = ()
    takers: Sequence[Row] = ()
    departed: Sequence[Row] = ()


def put(connection: sqlite3.Connection, table: int, old: Seating, new: Seating) -> None:
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
    if new.takers != old.takers:
        connection.execute("DELETE FROM takers WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO takers (table_id, seat, person, name) VALUES (?, ?, ?, ?)",
            [(table, one.seat, one.person, one.name) for one in new.takers],
        )
    if new.departed != old.departed:
        connection.execute("DELETE FROM departed WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO departed (table_id, seat, person, name, since, until) VALUES (?, ?, ?, ?, ?, ?)",
            [(table, one.seat, one.person, one.name, one.since, one.until) for one in new.departed],
        )


async def read(read_rows: Read, chosen: str, values: tuple[int, ...]) -> dict[int, SeatRows]:
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


def parse(rows: SeatRows) -> Seating:
    """What these rows hold; ValueError or TypeError if they are damaged."""
    return Seating(
        tuple([_seat(*row[1:]) for row in numbered(rows.seats)]),
        tuple([Taker(whole(seat), whole(person), text(name)) for seat, person, name in rows.takers]),
        tuple([_departed(*row) for row in rows.departed]),
    )


def _seat(person: Any, name: Any, away: Any, missed: Any, strength: Any, since: Any) -> StoredSeat:
    return StoredSeat(
        None if person is None else whole(person),
        text(name),
        flag(away),
        whole(missed),
        text(strength),
        whole(since),
    )


def _departed(seat: Any, person: Any, name: Any, since: Any, until: Any) -> Departed:
    return Departed(whole(seat), whole(person), text(name), whole(since), whole(until))
