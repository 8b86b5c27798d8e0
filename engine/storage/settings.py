"""What the program remembers of itself, by name."""

from __future__ import annotations

from contextlib import suppress

from engine.errors import Refusal
from engine.storage.damage import reading, text
from engine.storage.database import Database


async def find(database: Database, name: str) -> str | None:
    """What was last put under this name, unless it is damaged."""
    rows = await database.read("SELECT value FROM settings WHERE name = ?", (name,))
    with suppress(Refusal), reading(f"the setting {name!r}"):
        return text(rows[0][0]) if rows else None
    return None


async def put(database: Database, name: str, value: str) -> None:
    """Remember a value under this name."""
    await database.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))
