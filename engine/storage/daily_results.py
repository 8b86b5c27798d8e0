"""What became of the daily deals: everybody's results, and the ranking of a day."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from engine.storage.damage import flag, readable, reading, real, text, whole
from engine.storage.database import Database

#: The deals' points, in their order.
POINTS = "first, second, third"
#: More than any deal brings, or costs.
MOST = 1_000_000
#: Whether a row counts in figures. One that is damaged does not, and is in the log where its row is read.
_COUNTS = " AND ".join(["is_ranked", *(f"{one} BETWEEN -{MOST} AND {MOST}" for one in POINTS.split(", "))])


@dataclass(frozen=True, slots=True)
class DailyResult:
    """What somebody's daily game came to. Only who was done before the day was over is ranked."""

    day: str
    person: int
    name: str
    guild: int
    table: int
    points: tuple[int, int, int]  # of each deal
    finished_at: float  # seconds since 1970
    is_ranked: bool = True
    is_shared: bool = False

    @property
    def total(self) -> int:
        """The points of all deals."""
        return sum(self.points)


@dataclass(frozen=True, slots=True)
class Figures:
    """What everybody who is ranked on a day came to: how many, and the average of each deal."""

    people: int
    averages: tuple[float, float, float] = (0.0, 0.0, 0.0)


def insert(connection: sqlite3.Connection, result: DailyResult) -> None:
    """Somebody has finished their game."""
    connection.execute(
        f"""INSERT OR IGNORE INTO daily_results
        (day, person, name, guild, table_id, {POINTS}, finished_at, is_ranked)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            result.day,
            result.person,
            result.name,
            result.guild,
            result.table,
            *result.points,
            result.finished_at,
            result.is_ranked,
        ),
    )


async def result(database: Database, day: str, person: int) -> DailyResult | None:
    """What this person's game of that day came to, once it is finished."""
    rows = await _rows(database, "day = ? AND person = ?", (day, person))
    with reading(f"what somebody came to on {day}"):
        return _result(*rows[0]) if rows else None


async def ranking(database: Database, day: str, guild: int, *, highest: bool) -> list[DailyResult]:
    """Everybody of this server who is ranked on this day, the best first; nobody whose result is damaged."""
    order = "DESC" if highest else "ASC"
    which = f"day = ? AND guild = ? AND is_ranked ORDER BY first + second + third {order}, finished_at"
    return readable("what somebody came to on {0}", await _rows(database, which, (day, guild)), _result)


async def figures(database: Database, day: str) -> Figures:
    """What all servers' players came to on this day."""
    [row] = await database.reader.read(
        f"""SELECT COUNT(*), AVG(first), AVG(second), AVG(third) FROM daily_results
        WHERE day = ? AND {_COUNTS}""",
        (day,),
    )
    return Figures(row[0], (row[1], row[2], row[3])) if row[0] else Figures(0)


async def better(database: Database, day: str, total: int, *, highest: bool) -> int:
    """How many of all servers' players came to a better total on this day."""
    sign = ">" if highest else "<"
    [(count,)] = await database.reader.read(
        f"""SELECT COUNT(*) FROM daily_results
        WHERE day = ? AND {_COUNTS} AND first + second + third {sign} ?""",
        (day, total),
    )
    return int(count)


async def streak(database: Database, person: int, day: str) -> int:
    """How many days in a row, up to this one, this person has finished."""
    rows = await database.reader.read(
        "SELECT day FROM daily_results WHERE person = ? AND day <= ? ORDER BY day DESC",
        (person, day),
    )
    count, expected = 0, date.fromisoformat(day)
    for found in readable("a day on which somebody has played", rows, text):
        if found != expected.isoformat():
            break
        count, expected = count + 1, expected - timedelta(days=1)
    return count


async def put_shared(database: Database, day: str, person: int) -> None:
    """This result is shared from now on."""
    await database.execute(
        "UPDATE daily_results SET is_shared = 1 WHERE day = ? AND person = ?", (day, person)
    )


async def _rows(database: Database, which: str, values: tuple[Any, ...]) -> list[Any]:
    return await database.reader.read(
        f"""SELECT day, person, name, guild, table_id, {POINTS}, finished_at, is_ranked, is_shared
        FROM daily_results WHERE {which}""",
        values,
    )


def _result(day: Any, person: Any, name: Any, guild: Any, table: Any, *others: Any) -> DailyResult:
    first, second, third, finished_at, is_ranked, is_shared = others
    points = whole(first), whole(second), whole(third)
    if max(map(abs, points)) > MOST:
        raise ValueError(f"{points} are the points of no deals")
    people = text(day), whole(person), text(name), whole(guild), whole(table)
    return DailyResult(*people, points, real(finished_at), flag(is_ranked), flag(is_shared))
