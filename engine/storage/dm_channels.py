"""The channel in which each person gets the bot's direct messages."""

from __future__ import annotations

from contextlib import suppress

from engine.errors import Refusal
from engine.storage.damage import reading, whole
from engine.storage.database import Database


async def find(database: Database, person: int) -> int | None:
    """The id of this person's channel; None if it is not known, or damaged."""
    rows = await database.read("SELECT channel FROM dm_channels WHERE person = ?", (person,))
    with suppress(Refusal), reading("a DM channel"):
        return whole(rows[0][0]) if rows else None
    return None


async def put(database: Database, person: int, channel: int) -> None:
    """Store the id of this person's channel."""
    database.check_stays(person)
    statement = "INSERT OR REPLACE INTO dm_channels (person, channel) VALUES (?, ?)"
    await database.execute(statement, (person, channel))
