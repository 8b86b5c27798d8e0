"""Quiet hours from databases that knew how far a clock was from UTC, and no time zone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engine.storage.database import Database
from engine.storage.settings import every_preference
from engine.zones import clock_in
from tests.older import made_older

#: The migrations that ran before.
BEFORE = 32


async def test_they_stay_at_their_hours(database: Database, path: Path) -> None:
    await database.close()
    made_older(path, BEFORE)
    minutes = {1: 120, 2: -600, 3: 330, 4: 210, 5: 0, 6: 10**9, 7: 60}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO preferences (person, calls, forced) VALUES (1, 'always', 'every')")
        connection.executemany(
            """INSERT INTO call_wishes (guild, person, way, every_hours, quiet_from, quiet_until, utc_offset)
            VALUES (1, ?, 'dm', 6, ?, 8, ?)""",
            [(person, None if person == 7 else 22, offset) for person, offset in minutes.items()],
        )
    again = await Database.open(path)
    found = {one.person: (one.calls, one.zone) for one in await every_preference(again)}
    await again.close()
    assert found[1] == ("always", "Etc/GMT-2")
    assert 7 not in found  # theirs was never asked for
    for person in (1, 2, 3, 4, 5):
        ahead = clock_in(found[person][1] or "", 1.8e9).utcoffset()
        assert ahead is not None
        assert ahead.total_seconds() == 60 * minutes[person]
