"""Tournaments: their terms and rounds, who has signed up, each round's tables, and what it came to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Annotated, Any, NamedTuple

from engine.errors import Refusal
from engine.names import NOBODY
from engine.storage.damage import JsonObject, from_json, readable, reader, reading
from engine.storage.database import Database, Read
from engine.storage.deleted_players import drop_of_tournament, note_player, tournament_occasion
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: The columns of a tournament but for the id: the fields of `StoredTournament`.
_COLUMNS = (
    *("guild", "channel", "host", "terms", "state", "opened_at", "seed", "starts_at", "is_reminded"),
    *("rounds", "next_at", "ended_at", "reason"),
)
_ENTRANT = ("number", "person", "name", "since", "is_here", "is_out")
_TABLE = ("round", "number", "seats", "state", "channel", "table_id", "deals", "tries")


def _rounds(value: Any) -> tuple[tuple[float, float], ...]:
    return reader(tuple[tuple[float, float], ...])(from_json(value))


def _seats(value: Any) -> tuple[int | None, ...]:
    return reader(tuple[int | None, ...])(from_json(value))


def _list(value: Any) -> list[Any]:
    found = from_json(value)
    if not isinstance(found, list):
        raise TypeError("no list")
    return found


@dataclass(frozen=True, slots=True)
class StoredEntrant:
    """Somebody who has signed up, as stored."""

    number: int
    person: int
    name: str
    since: int
    is_here: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class StoredRoundTable:
    """A table of a round, as stored; its deals still as JSON."""

    round: int
    number: int
    seats: Annotated[tuple[int | None, ...], _seats]
    state: str
    channel: int | None
    table: int | None
    deals: Annotated[list[Any], _list]
    tries: int

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of the columns."""
        seats, deals = json.dumps(self.seats), json.dumps(self.deals)
        return (self.round, self.number, seats, self.state, self.channel, self.table, deals, self.tries)


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it is stored; its terms still as JSON."""

    id: int
    guild: int
    channel: int
    host: int
    terms: JsonObject
    state: str
    opened_at: float
    seed: int
    starts_at: float | None
    is_reminded: bool
    rounds: Annotated[tuple[tuple[float, float], ...], _rounds]  # when each began, and its time is up
    next_at: float | None
    ended_at: float | None
    reason: str | None
    entrants: tuple[StoredEntrant, ...]
    tables: tuple[StoredRoundTable, ...]

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of _COLUMNS."""
        return (
            *(self.guild, self.channel, self.host, json.dumps(self.terms), self.state, self.opened_at),
            *(self.seed, self.starts_at, self.is_reminded, json.dumps(self.rounds)),
            *(self.next_at, self.ended_at, self.reason),
        )

    @property
    def people(self) -> set[object]:
        """The ids and names of the people in these rows."""
        return {self.host, *(known for one in self.entrants for known in (one.person, one.name))}


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What a tournament that is over came to for one entrant."""

    number: int
    season: int
    place: int
    score: float
    deals: int


# Writing


def insert(connection: sqlite3.Connection, tournament: StoredTournament) -> int:
    """Insert a new tournament, whatever its id; returns the id that it is given.

    Refusal if its server has another that goes on.
    """
    try:
        cursor = connection.execute(
            f"INSERT INTO tournaments ({', '.join(_COLUMNS)}) VALUES (?{', ?' * (len(_COLUMNS) - 1)})",
            tournament.row,
        )
    except sqlite3.IntegrityError:
        raise Refusal("tournament_here") from None
    assert cursor.lastrowid is not None
    _put_entrants(connection, cursor.lastrowid, (), tournament.entrants)
    return cursor.lastrowid


def update(connection: sqlite3.Connection, old: StoredTournament, new: StoredTournament) -> None:
    """Write what has changed."""
    if new.row != old.row:
        columns = ", ".join(f"{column} = ?" for column in _COLUMNS)
        connection.execute(f"UPDATE tournaments SET {columns} WHERE id = ?", (*new.row, new.id))
    _put_entrants(connection, new.id, old.entrants, new.entrants)
    before = {table.row for table in old.tables}
    connection.executemany(
        f"""INSERT INTO tournament_tables (tournament, {", ".join(_TABLE)}) VALUES (?{", ?" * len(_TABLE)})
        ON CONFLICT (tournament, round, number) DO UPDATE SET state = excluded.state,
        channel = excluded.channel, table_id = coalesce(excluded.table_id, table_id),
        deals = excluded.deals, tries = excluded.tries""",
        [(new.id, *table.row) for table in new.tables if table.row not in before],
    )
    if old.people - new.people:
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))
    if new.state == "playing":
        forgotten = {one.number for one in new.entrants if one.person == NOBODY}
        for one in old.entrants:
            if one.number in forgotten and one.person != NOBODY:
                note_player(connection, tournament_occasion(new.id), one.person)
    elif new.state != "signing up":
        drop_of_tournament(connection, new.id)


def _put_entrants(
    connection: sqlite3.Connection, id: int, old: Sequence[StoredEntrant], new: Sequence[StoredEntrant]
) -> None:
    gone = {one.number for one in old} - {one.number for one in new}
    connection.executemany(
        "DELETE FROM entrants WHERE tournament = ? AND number = ?", [(id, number) for number in gone]
    )
    before = set(old)
    connection.executemany(
        f"""INSERT INTO entrants (tournament, {", ".join(_ENTRANT)}) VALUES (?{", ?" * len(_ENTRANT)})
        ON CONFLICT (tournament, number) DO UPDATE SET
        {", ".join(f"{column} = excluded.{column}" for column in _ENTRANT[1:])}""",
        [(id, *astuple(one)) for one in new if one not in before],
    )


def put_results(
    connection: sqlite3.Connection, id: int, guild: int, results: Iterable[TournamentResult]
) -> None:
    """Store what this tournament came to, in place of what was known before."""
    connection.executemany(
        """UPDATE entrants SET guild = ?, season = ?, place = ?, score = ?, deals = ?
        WHERE tournament = ? AND number = ? AND person <> 0""",
        [(guild, one.season, one.place, one.score, one.deals, id, one.number) for one in results],
    )


def link_table(connection: sqlite3.Connection, tournament: int, round: int, number: int, id: int) -> None:
    """Note which table is this one of a round; Refusal if it has one, so that none opens twice."""
    done = connection.execute(
        """UPDATE tournament_tables SET table_id = ?, state = 'playing'
        WHERE tournament = ? AND round = ? AND number = ? AND table_id IS NULL AND state = 'waiting'""",
        (id, tournament, round, number),
    )
    if done.rowcount != 1:
        raise Refusal("stale")


# Reading


async def live_tournaments(database: Database) -> list[StoredTournament]:
    """Every tournament that isn't over; nothing damaged."""
    return await _read(database, "state IN ('signing up', 'playing')", ())


async def find_tournament(database: Database, id: int) -> StoredTournament | None:
    """The tournament with this id, whatever its state; None too if it is damaged."""
    found = await _read(database, "id = ?", (id,))
    return found[0] if found else None


async def _read(database: Database, which: str, values: tuple[Any, ...]) -> list[StoredTournament]:
    async with database.reader.snapshot() as read:
        rows = [
            (*row, await _part(read, "entrants", _ENTRANT, row[0]), await _part(read, *_TABLES, row[0]))
            for row in await read(
                f"SELECT id, {', '.join(_COLUMNS)} FROM tournaments WHERE {which} ORDER BY id", values
            )
        ]
    return readable("tournament {0}", rows, reader(StoredTournament))


_TABLES = ("tournament_tables", _TABLE)


async def _part(read: Read, table: str, columns: Sequence[str], id: Any) -> list[Any]:
    order = "number" if table == "entrants" else "round, number"
    rows = await read(
        f"SELECT {', '.join(columns)} FROM {table} WHERE tournament = ? ORDER BY {order}", (id,)
    )
    return [tuple(row) for row in rows]


# A server's table of its tournaments


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One person's tournaments in a server, added up; those level share a place."""

    place: int  # from 1
    person: int
    name: str  # the newest
    played: int
    won: int
    podiums: int  # among the first three
    score: float  # better than par, all of them added up
    deals: int


class _Line(NamedTuple):
    person: int
    name: str
    played: int
    won: int
    podiums: int
    score: float
    deals: int


async def season_table(database: Database, guild: int, season: int | None) -> list[SeasonLine]:
    """Everyone who has finished a tournament of this server, the best first; of a season, or ever.

    Those who won more are ahead, then those with more podiums, then with the better score.
    """
    which, values = ("", (guild,)) if season is None else ("AND season = ?", (guild, season))
    # Beside MAX(tournament), SQLite takes the name from the row of the newest one.
    rows = await database.reader.read(
        f"""SELECT person, name, COUNT(*), SUM(place = 1), SUM(place <= 3), SUM(score),
            CAST(TOTAL(deals) AS INTEGER),
            MAX(tournament)
        FROM entrants WHERE guild = ? {which} AND person <> {NOBODY} GROUP BY person""",
        values,
    )
    with reading(f"the tournaments of server {guild}"):
        lines = [reader(_Line)(tuple(row)[:-1]) for row in rows]
    lines.sort(key=lambda line: (*_order(line), line.person))
    keys = [_order(line) for line in lines]
    return [SeasonLine(1 + keys.index(_order(line)), *line) for line in lines]


def _order(line: _Line) -> tuple[Any, ...]:
    return -line.won, -line.podiums, -round(line.score, 1)
