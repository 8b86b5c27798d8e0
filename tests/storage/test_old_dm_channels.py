"""The channels of players' direct messages, from databases that did not keep them apart."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from older import made_older

from engine.storage import dm_channels
from engine.storage.database import Database

#: The migrations that ran before.
BEFORE = 18
ANN, BO, CY, DI = 7001, 7002, 7003, 7004


def test_they_are_found_among_the_messages_of_before(path: Path) -> None:
    asyncio.run(new(path))
    made_older(path, BEFORE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            """INSERT INTO tables (id, guild, channel, host, rules, state, pace, paused, timer, notice,
            opened_at) VALUES (1, 1, 1, 1, '{}', 'over', 'none', 0, 'null', 'null', 0)"""
        )
        connection.executemany(
            "INSERT INTO messages (table_id, key, channel, message) VALUES (1, ?, ?, ?)",
            [
                ("lobby", 500, 1),
                (f"welcome:{ANN}", 601, 2),
                (f"hand2:{ANN}", 611, 9),  # the newest counts
                (f"hand1:{ANN}", 601, 3),
                (f"hand1:{BO}", 602, 4),
                (f"old:deal1.board:{CY}", 500, 5),  # a post that was to be deleted
                (f"welcome:{DI}", "damaged", 6),
            ],
        )
    assert asyncio.run(found(path)) == [611, 602, None, None]


async def new(path: Path) -> None:
    database = await Database.open(path)
    await database.close()


async def found(path: Path) -> list[int | None]:
    database = await Database.open(path)
    try:
        return [await dm_channels.find(database, person) for person in (ANN, BO, CY, DI)]
    finally:
        await database.close()
