"""What is to be written at the same time goes to the disk at once, and yet each write for itself."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import Refusal
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.file import VERSION

NAMES = [f"name {number}" for number in range(40)]


def stored(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, value FROM settings WHERE name <> ?", (VERSION,)))


async def grows(database: Database, *names: str) -> int:
    """By how many bytes the file grows where these are put at once: each commit writes a page anew."""
    before = database.size
    await asyncio.gather(*(settings.put(database, name, "1") for name in names))
    return database.size - before


async def test_many_writes_cost_hardly_more_than_one(database: Database, path: Path) -> None:
    await grows(database, *NAMES)  # from now on no page is added
    one = await grows(database, NAMES[0])
    assert one > 0
    # The first has its turn before the others have come.
    assert await grows(database, *NAMES) <= 3 * one
    assert stored(path) == dict.fromkeys(NAMES, "1")


async def test_what_is_committed_outlasts_a_power_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # no other test waits for the disk
    database = await Database.open(path)
    [(mode,)], [(waits,)] = [
        await database.read(f"PRAGMA {name}") for name in ("journal_mode", "synchronous")
    ]
    assert (mode, waits) == ("wal", 2)  # FULL: the log is on the disk before a commit is answered
    await database.close()


async def test_one_that_fails_takes_no_other_along(database: Database, path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO settings (name, value) VALUES ('half', 'done')")
        raise Refusal("stale")

    puts = [settings.put(database, name, "1") for name in NAMES]
    answers = await asyncio.gather(*puts[:20], database.write(fail), *puts[20:], return_exceptions=True)
    assert [str(answer) for answer in answers if answer is not None] == [str(Refusal("stale"))]
    assert stored(path) == dict.fromkeys(NAMES, "1")


async def test_each_is_answered_with_its_own(database: Database) -> None:
    def answer(number: int) -> int:
        return number

    writes = [database.write(lambda _, number=number: answer(number)) for number in range(20)]
    assert await asyncio.gather(*writes) == list(range(20))


async def test_who_goes_away_before_their_turn_has_written_nothing(database: Database, path: Path) -> None:
    async with database.snapshot():
        tasks = [asyncio.create_task(settings.put(database, name, "1")) for name in NAMES[:3]]
        while database.waiting < 1 + len(tasks):  # noqa: ASYNC110 - no event tells so
            await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert stored(path) == {NAMES[0]: "1", NAMES[2]: "1"}


async def test_after_the_end_nothing_waits_for_ever(path: Path) -> None:
    database = await Database.open(path)
    await database.close()
    with pytest.raises(Refusal, match="cannot_save"):
        await settings.put(database, "name", "1")
    for connection in (database, database.reader):
        with pytest.raises(Refusal):
            await connection.read("SELECT 1")
