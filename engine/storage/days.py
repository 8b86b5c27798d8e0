"""The daily deals: each day's cards, which are a secret until that day is over."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.errors import Refusal
from engine.storage.damage import reading, text
from engine.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredDay:
    """A day's deals as they lie in the database; rules and deals still as JSON."""

    day: str
    rules: dict[str, Any]
    deals: tuple[dict[str, Any], ...]
    made_at: float  # seconds since 1970


async def find(database: Database, day: str) -> StoredDay | None:
    """What was made for this day; Refusal if it is damaged."""
    rows = await _rows(database, "day = ?", (day,))
    return _parse(rows[0]) if rows else None


async def put(database: Database, stored: StoredDay) -> None:
    """Keep this for its day, unless something is kept for it already."""
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT OR IGNORE INTO days (day, rules, deals, made_at) VALUES (?, ?, ?, ?)",
            (stored.day, json.dumps(stored.rules), json.dumps(stored.deals), stored.made_at),
        )


async def last_before(database: Database, day: str) -> str | None:
    """The last day before this one that has deals."""
    return await _one(database, "MAX(day)", "day < ?", day)


async def first_after(database: Database, day: str, last: str) -> str | None:
    """The next day after this one that has deals, up to the `last`."""
    return await _one(database, "MIN(day)", "day > ? AND day <= ?", day, last)


async def _one(database: Database, which: str, where: str, *values: str) -> str | None:
    [(found,)] = await database.read(f"SELECT CAST({which} AS BLOB) FROM days WHERE {where}", values)
    return None if found is None else text(found)


async def every(database: Database, days: Iterable[str]) -> list[StoredDay]:
    """What was made for these days, as far as it can be read."""
    wanted = list(days)
    rows = await _rows(database, f"day IN ({', '.join('?' * len(wanted))})", wanted)
    found = []
    for row in rows:
        with suppress(Refusal):
            found.append(_parse(row))
    return found


async def _rows(database: Database, which: str, values: Iterable[str]) -> list[Any]:
    return await database.read(
        f"""SELECT CAST(day AS BLOB), CAST(rules AS BLOB), CAST(deals AS BLOB), made_at
        FROM days WHERE {which} ORDER BY day""",
        list(values),
    )


def _parse(row: Any) -> StoredDay:
    day, rules, deals, made_at = row
    with reading("a daily deal"):
        return StoredDay(text(day), json.loads(text(rules)), tuple(json.loads(text(deals))), float(made_at))
