"""What players prefer, each by words that the tables understand."""

from __future__ import annotations

from contextlib import suppress

from engine.errors import Refusal
from engine.storage.damage import reading, text, whole
from engine.storage.database import Database


async def every(database: Database) -> list[tuple[int, str, str]]:
    """Each person who has chosen something, with when they are called and which cards play themselves."""
    found = []
    for person, calls, forced in await database.read(
        "SELECT person, CAST(calls AS BLOB), CAST(forced AS BLOB) FROM preferences"
    ):
        with suppress(Refusal), reading(f"what {person} prefers"):
            found.append((whole(person), text(calls), text(forced)))
    return found


async def put(database: Database, person: int, calls: str, forced: str) -> None:
    """What this person prefers from now on."""
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT OR REPLACE INTO preferences (person, calls, forced) VALUES (?, ?, ?)",
            (person, calls, forced),
        )
