"""Leaderboards and whatever else can wait is read on a connection of its own, and no move waits for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from outside import locked, traces
from storage.results import CLASSIC, finish
from tables.house import refusal

from engine.storage import privacy, settings
from engine.storage.database import Database
from engine.storage.standings import Board, board_page, kinds_played

ANN, BO = 900_001, 900_002
#: Counts for some seconds, unless it is interrupted.
LONG = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT COUNT(*) FROM n"


async def names(database: Database) -> list[str]:
    """Who is on the board."""
    found = await board_page(database, 1, Board(CLASSIC), 0.0, ANN, first=0, count=10)
    return [line.name for line in found.lines]


@pytest.mark.slow
async def test_a_long_read_holds_up_no_move(database: Database) -> None:
    reading = asyncio.create_task(database.reader.read(LONG))
    for number in range(20):
        await settings.put(database, "name", str(number))
        assert await settings.find(database, "name") == str(number)
    assert not reading.done()
    assert [tuple(row) for row in await reading] == [(3_000_000,)]


async def test_what_is_committed_is_seen_at_once(database: Database) -> None:
    assert await names(database) == []
    await finish(database, (ANN, 1), (BO, 2), names={ANN: "Ann", BO: "Bo"})
    assert await names(database) == ["Ann", "Bo"]
    assert await kinds_played(database, 1, ANN) == [CLASSIC]
    await privacy.delete(database, ANN, "Ann")
    assert await names(database) == ["Bo"]
    assert await kinds_played(database, 1, ANN) == []


async def test_several_reads_of_one_moment_agree(database: Database) -> None:
    async with database.reader.snapshot() as read:
        assert await read("SELECT value FROM settings WHERE name = 'name'", ()) == []
        await settings.put(database, "name", "1")
        assert await read("SELECT value FROM settings WHERE name = 'name'", ()) == []
    [(value,)] = await database.reader.read("SELECT value FROM settings WHERE name = 'name'")
    assert value == "1"


async def test_nothing_can_be_written_there(database: Database) -> None:
    write = database.reader.read("INSERT INTO settings (name, value) VALUES ('name', '1')")
    assert await refusal(write) == "cannot_read"
    assert await settings.find(database, "name") is None


async def test_it_goes_on_while_another_program_keeps_us_from_writing(database: Database, path: Path) -> None:
    await finish(database, (ANN, 1), (BO, 2))
    with locked(path, "EXCLUSIVE"):
        assert len(await names(database)) == 2


async def test_the_file_is_written_again_once_nobody_reads(database: Database, path: Path) -> None:
    await finish(database, (ANN, 1), (BO, 2), names={ANN: "Zephyrine", BO: "Bo"})

    async def delete() -> None:
        await privacy.delete(database, ANN, "Zephyrine")
        await privacy.finish(database)

    async with database.reader.snapshot() as read:
        await read("SELECT name FROM standings", ())
        deleting = asyncio.create_task(delete())
        for _ in range(20):
            await settings.put(database, "name", "1")  # which waits for nobody
        assert not deleting.done()
    await deleting
    assert not traces(path, "Zephyrine")
    assert await names(database) == ["Bo"]


async def test_closing_waits_for_readers_and_leaves_no_log_behind(database: Database, path: Path) -> None:
    await finish(database, (ANN, 1), (BO, 2))
    reading = asyncio.create_task(database.reader.read(LONG.replace("3000000", "300000")))
    await asyncio.sleep(0)
    await database.close()
    assert [tuple(row) for row in await reading] == [(300_000,)]
    assert not path.with_name(f"{path.name}-wal").exists()
