"""Tournaments: each stored whole, with an index of everyone it names, and its results."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import Refusal
from engine.storage.database import Database

_COLUMNS = "id, guild, state, body"


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it is stored: its columns, and the rest as JSON; see `engine.tournaments.store`."""

    id: int
    guild: int
    state: str
    body: str


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """One person's result in a tournament."""

    person: int
    name: str
    season: int
    place: int
    score: float
    deals: int


# Writing


def insert(connection: sqlite3.Connection, columns: Mapping[str, Any], people: Iterable[int]) -> int:
    """Insert a new tournament with these columns; returns its id.

    Refusal if its server has another live one.
    """
    try:
        cursor = connection.execute(
            f"INSERT INTO tournaments ({', '.join(columns)}) VALUES (?{', ?' * (len(columns) - 1)})",
            (*columns.values(),),
        )
    except sqlite3.IntegrityError:
        raise Refusal("tournament_here") from None
    assert cursor.lastrowid is not None
    put_people(connection, cursor.lastrowid, people)
    return cursor.lastrowid


def update(connection: sqlite3.Connection, id: int, columns: Mapping[str, Any]) -> None:
    """Write these columns."""
    changed = ", ".join(f"{column} = ?" for column in columns)
    connection.execute(f"UPDATE tournaments SET {changed} WHERE id = ?", (*columns.values(), id))


def empty(connection: sqlite3.Connection, id: int) -> None:
    """Remove everything but a tournament's results, and the people it names; a live one is stopped."""
    connection.execute(
        """UPDATE tournaments SET body = '{}',
        state = CASE WHEN state IN ('signing up', 'playing') THEN 'stopped' ELSE state END WHERE id = ?""",
        (id,),
    )
    put_people(connection, id, ())


def put_people(connection: sqlite3.Connection, id: int, people: Iterable[int]) -> None:
    """Replace the people whom this tournament's body names."""
    connection.execute("DELETE FROM tournament_people WHERE tournament = ?", (id,))
    rows = [(id, person) for person in people]
    connection.executemany("INSERT INTO tournament_people (tournament, person) VALUES (?, ?)", rows)


def put_results(
    connection: sqlite3.Connection, id: int, guild: int, results: Iterable[TournamentResult]
) -> None:
    """Store a tournament's results, replacing earlier ones."""
    connection.execute("DELETE FROM tournament_results WHERE tournament = ?", (id,))
    connection.executemany(
        """INSERT INTO tournament_results (tournament, guild, person, name, season, place, score, deals)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [(id, guild, one.person, one.name, one.season, one.place, one.score, one.deals) for one in results],
    )


# Reading


async def live_tournaments(database: Database) -> list[StoredTournament]:
    """Every tournament that isn't over."""
    return _parse(
        await database.read(
            f"SELECT {_COLUMNS} FROM tournaments WHERE state IN ('signing up', 'playing') ORDER BY id"
        )
    )


async def find_tournament(database: Database, id: int) -> StoredTournament | None:
    """The tournament with this id, whatever its state."""
    tournaments = _parse(
        await database.reader.read(f"SELECT {_COLUMNS} FROM tournaments WHERE id = ?", (id,))
    )
    return tournaments[0] if tournaments else None


def tournaments_of(connection: sqlite3.Connection, person: int) -> list[StoredTournament]:
    """All tournaments that name this person."""
    return _parse(
        connection.execute(
            f"""SELECT {_COLUMNS} FROM tournament_people JOIN tournaments ON id = tournament
            WHERE person = ? ORDER BY id""",
            (person,),
        )
    )


async def table_of(database: Database, tournament: int, round: int, number: int) -> int | None:
    """The table that was opened for this round and number; None if there is none."""
    rows = await database.read(
        """SELECT id FROM tables WHERE body ->> '$.tournament.tournament' = ?
        AND body ->> '$.tournament.round' = ? AND body ->> '$.tournament.number' = ?""",
        (tournament, round, number),
    )
    return next((id for (id,) in rows), None)


def _parse(rows: Iterable[Sequence[Any]]) -> list[StoredTournament]:
    return [StoredTournament(*row) for row in rows]


# A server's table of its tournaments


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One person's tournaments in a server, added up; ties share a place."""

    place: int  # from 1
    person: int
    name: str  # the newest
    played: int
    won: int
    podiums: int  # finishes among the first three
    score: float  # points better than par, in all tournaments together
    deals: int


async def season_table(database: Database, guild: int, season: int | None) -> list[SeasonLine]:
    """Everyone who has finished a tournament of this server in a season, or ever, best first.

    More wins are ahead, then more podiums, then the better score.
    """
    which, values = ("", (guild,)) if season is None else ("AND season = ?", (guild, season))
    # Beside MAX(tournament), SQLite takes the name from the row of the newest one.
    rows = await database.reader.read(
        f"""SELECT person, name, COUNT(*), SUM(place = 1), SUM(place <= 3), SUM(score),
            SUM(deals), MAX(tournament)
        FROM tournament_results WHERE guild = ? {which} GROUP BY person""",
        values,
    )
    lines = [SeasonLine(0, *row[:-1]) for row in map(tuple, rows)]
    lines.sort(key=lambda line: (*_order(line), line.person))
    keys = [_order(line) for line in lines]
    return [replace(line, place=1 + keys.index(_order(line))) for line in lines]


def _order(line: SeasonLine) -> tuple[Any, ...]:
    return -line.won, -line.podiums, -round(line.score, 1)
