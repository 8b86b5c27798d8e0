"""The daily deals: each day's cards, which are a secret until that day is over."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from engine.storage.damage import readable, reading, real, text
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
    with reading(f"the daily deal of {day}"):
        return _parse(*rows[0]) if rows else None


async def put(database: Database, stored: StoredDay) -> None:
    """Keep this for its day, unless something is kept for it already."""
    await database.execute(
        "INSERT OR IGNORE INTO days (day, rules, deals, made_at) VALUES (?, ?, ?, ?)",
        (stored.day, json.dumps(stored.rules), json.dumps(stored.deals), stored.made_at),
    )


async def last_before(database: Database, day: str) -> str | None:
    """The last day before this one that has deals."""
    return await _nearest(database, "day < ? ORDER BY day DESC", day)


async def first_after(database: Database, day: str, last: str) -> str | None:
    """The next day after this one that has deals, up to the `last`."""
    return await _nearest(database, "day > ? AND day <= ? ORDER BY day", day, last)


async def _nearest(database: Database, which: str, *values: str) -> str | None:
    rows = await database.read(f"SELECT day FROM days WHERE {which} LIMIT 10", values)
    found = readable("a day of daily deals", rows, _day)
    return found[0] if found else None


async def every(database: Database, days: Iterable[str]) -> list[StoredDay]:
    """What was made for these days, as far as it can be read."""
    wanted = list(days)
    rows = await _rows(database, f"day IN ({', '.join('?' * len(wanted))})", wanted)
    return readable("the daily deal of {0}", rows, _parse)


async def _rows(database: Database, which: str, values: Iterable[str]) -> list[Any]:
    return await database.read(
        f"SELECT day, rules, deals, made_at FROM days WHERE {which} ORDER BY day", list(values)
    )


def _parse(day: Any, rules: Any, deals: Any, made_at: Any) -> StoredDay:
    return StoredDay(_day(day), json.loads(text(rules)), tuple(json.loads(text(deals))), real(made_at))


def _day(value: Any) -> str:
    """A day as in `2026-11-22`; ValueError or TypeError if it is damaged."""
    return date.fromisoformat(text(value)).isoformat()
