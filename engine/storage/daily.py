"""The daily deals: each day's cards, everyone's results, and the posts in servers."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from engine.storage.database import Database
from engine.storage.deleted_players import may_not_play, note_player

#: The columns with the points of each deal.
POINTS = "first, second, third"
#: Whether a person has a stored game or result of a day.
_HAS_BEGUN = """SELECT EXISTS (SELECT 1 FROM daily_results WHERE day = ?1 AND person = ?2) OR EXISTS (
    SELECT 1 FROM tables WHERE channel = -?2 AND body ->> '$.daily.day' = ?1)"""


# Each day's cards, secret until the day is over


@dataclass(frozen=True, slots=True)
class StoredDay:
    """A day's deals as they are stored; the rules and deals are JSON values."""

    day: str
    rules: dict[str, Any]
    deals: tuple[dict[str, Any], ...]
    made_at: float  # seconds since 1970


async def find_day(database: Database, day: str) -> StoredDay | None:
    """The stored deals of this day; None if it has none."""
    return next(iter(await find_days(database, [day])), None)


async def find_days(database: Database, days: Iterable[str]) -> list[StoredDay]:
    """The stored deals of these days."""
    dates = list(days)
    which = f"day IN ({', '.join('?' * len(dates))})"
    rows = await database.read(
        f"SELECT day, rules, deals, made_at FROM days WHERE {which} ORDER BY day", dates
    )
    return [StoredDay(day, json.loads(rules), tuple(json.loads(deals)), at) for day, rules, deals, at in rows]


async def put_day(database: Database, stored: StoredDay) -> None:
    """Store the deals of a day, unless it already has some."""
    await database.execute(
        "INSERT OR IGNORE INTO days (day, rules, deals, made_at) VALUES (?, ?, ?, ?)",
        (stored.day, json.dumps(stored.rules), json.dumps(stored.deals), stored.made_at),
    )


async def last_day_before(database: Database, day: str) -> str | None:
    """The last day before this one that has deals."""
    return await _nearest(database, "day < ? ORDER BY day DESC", day)


async def first_day_after(database: Database, day: str, last: str) -> str | None:
    """The next day after this one that has deals, no later than `last`."""
    return await _nearest(database, "day > ? AND day <= ? ORDER BY day", day, last)


async def _nearest(database: Database, which: str, *values: str) -> str | None:
    rows = await database.read(f"SELECT day FROM days WHERE {which} LIMIT 1", values)
    return next((day for (day,) in rows), None)


# Everyone's results, and each day's ranking


@dataclass(frozen=True, slots=True)
class DailyResult:
    """The result of a person's daily game. Only games finished before the day was over are ranked."""

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
class DayFigures:
    """The number of a day's ranked results, and the average points in each deal."""

    people: int
    averages: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class DailyCareer:
    """The daily games that a person has finished in a server, and their streaks in days."""

    days: int
    streak: int  # up to today, or to yesterday if today isn't finished yet
    longest: int


def insert_daily_result(connection: sqlite3.Connection, result: DailyResult) -> None:
    """Store the result of a finished daily game."""
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


async def find_daily_result(database: Database, day: str, person: int) -> DailyResult | None:
    """This person's result of that day; None until they have finished."""
    rows = await _result_rows(database, "day = ? AND person = ?", (day, person))
    return _parse_result(rows[0]) if rows else None


async def day_ranking(database: Database, day: str, guild: int, *, highest: bool) -> list[DailyResult]:
    """A server's ranked results of a day, best first."""
    order = "DESC" if highest else "ASC"
    which = f"day = ? AND guild = ? AND is_ranked ORDER BY first + second + third {order}, finished_at"
    return [_parse_result(row) for row in await _result_rows(database, which, (day, guild))]


async def day_figures(database: Database, day: str) -> DayFigures:
    """The figures of a day over all servers."""
    [row] = await database.reader.read(
        """SELECT COUNT(*), AVG(first), AVG(second), AVG(third) FROM daily_results
        WHERE day = ? AND is_ranked""",
        (day,),
    )
    return DayFigures(row[0], (row[1], row[2], row[3])) if row[0] else DayFigures(0)


async def count_better(database: Database, day: str, total: int, *, highest: bool) -> int:
    """The number of players on any server with a better total that day."""
    sign = ">" if highest else "<"
    [(count,)] = await database.reader.read(
        f"""SELECT COUNT(*) FROM daily_results
        WHERE day = ? AND is_ranked AND first + second + third {sign} ?""",
        (day, total),
    )
    return int(count)


async def daily_streak(database: Database, person: int, day: str) -> int:
    """The number of days in a row, up to this one, that this person has finished."""
    rows = await database.reader.read(
        "SELECT day FROM daily_results WHERE person = ? AND day <= ? ORDER BY day DESC",
        (person, day),
    )
    count, expected = 0, date.fromisoformat(day)
    for (finished,) in rows:
        if finished != expected.isoformat():
            break
        count, expected = count + 1, expected - timedelta(days=1)
    return count


async def daily_career(database: Database, guild: int, person: int, today: str) -> DailyCareer | None:
    """This person's daily games begun in this server or, if it is 0, anywhere; None without any."""
    rows = await database.reader.read(
        "SELECT day FROM daily_results WHERE person = ?1 AND ?2 IN (guild, 0) ORDER BY day", (person, guild)
    )
    days = [date.fromisoformat(day) for (day,) in rows]
    length, longest = 0, 0
    for before, day in zip([None, *days], days, strict=False):
        length = length + 1 if before and day - before == timedelta(days=1) else 1
        longest = max(longest, length)
    is_going_on = bool(days) and date.fromisoformat(today) - days[-1] <= timedelta(days=1)
    return DailyCareer(len(days), length if is_going_on else 0, longest) if days else None


async def put_shared(database: Database, day: str, person: int) -> None:
    """Note that this result has been shared."""
    await database.execute(
        "UPDATE daily_results SET is_shared = 1 WHERE day = ? AND person = ?", (day, person)
    )


async def _result_rows(database: Database, which: str, values: tuple[Any, ...]) -> list[Any]:
    return await database.reader.read(
        f"""SELECT day, person, name, guild, table_id, {POINTS}, finished_at, is_ranked, is_shared
        FROM daily_results WHERE {which}""",
        values,
    )


def _parse_result(row: Sequence[Any]) -> DailyResult:
    day, person, name, guild, table, first, second, third, finished_at, *flags = row
    return DailyResult(
        day, person, name, guild, table, (first, second, third), finished_at, *map(bool, flags)
    )


# Each server's channel for the morning post, and the posts


class Address(NamedTuple):
    """A channel in a server, or a message in a channel."""

    place: int
    id: int


async def morning_channels(database: Database) -> list[Address]:
    """Each server that wants a morning post, with its channel."""
    return [Address(*row) for row in await database.read("SELECT guild, channel FROM daily_channels")]


async def put_morning_channel(database: Database, guild: int, channel: int | None) -> None:
    """Set the channel for this server's morning post; None stops the posts."""
    if channel is None:
        await database.execute("DELETE FROM daily_channels WHERE guild = ?", (guild,))
        return
    await database.execute(
        "INSERT OR REPLACE INTO daily_channels (guild, channel) VALUES (?, ?)", (guild, channel)
    )


async def first_post(database: Database, day: str, guild: int) -> Address | None:
    """This day's post in this server, which shows the seals; None if there is none."""
    rows = await database.read(
        "SELECT channel, message FROM daily_posts WHERE day = ? AND guild = ?", (day, guild)
    )
    return Address(*rows[0]) if rows else None


async def servers_told(database: Database, day: str) -> set[int]:
    """The servers that already have this day's post."""
    return {guild for (guild,) in await database.read("SELECT guild FROM daily_posts WHERE day = ?", (day,))}


async def put_morning_post(database: Database, day: str, guild: int, channel: int, message: int) -> None:
    """Store this day's post in this server."""
    await database.execute(
        "INSERT OR IGNORE INTO daily_posts (day, guild, channel, message) VALUES (?, ?, ?, ?)",
        (day, guild, channel, message),
    )


# People who have begun a day


def note_seen(connection: sqlite3.Connection, day: str, person: int) -> None:
    """Remember whether this person has begun that day; call it before their data is deleted."""
    [(has_begun,)] = connection.execute(_HAS_BEGUN, (day, person))
    if has_begun:
        note_player(connection, day, person)


async def has_begun_day(database: Database, day: str, person: int) -> bool:
    """Whether this person has seen that day's cards, even if their data was deleted since."""
    [(is_stored,)] = await database.read(_HAS_BEGUN, (day, person))
    return bool(is_stored) or await may_not_play(database, day, person)
