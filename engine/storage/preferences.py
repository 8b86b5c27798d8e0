"""What players prefer, each by words that the tables understand."""

from __future__ import annotations

from typing import Any

from engine.storage.damage import readable, text, whole
from engine.storage.database import Database


async def every(database: Database) -> list[tuple[int, str, str]]:
    """Each person who has chosen something, with when they are called and which cards play themselves."""
    rows = await database.read("SELECT person, calls, forced FROM preferences")
    return readable("what somebody prefers", rows, _preferred)


def _preferred(person: Any, calls: Any, forced: Any) -> tuple[int, str, str]:
    return whole(person), text(calls), text(forced)


async def put(database: Database, person: int, calls: str, forced: str) -> None:
    """What this person prefers from now on."""
    await database.execute(
        "INSERT OR REPLACE INTO preferences (person, calls, forced) VALUES (?, ?, ?)", (person, calls, forced)
    )
