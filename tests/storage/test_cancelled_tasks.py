"""A task that is cancelled while it reads or writes stops nothing that others do."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from engine.storage import settings
from engine.storage.database import Database

#: Turns of the event loop after which a task is cancelled: from before it has begun to after its end.
TURNS = range(14)
SOON = 5.0  # seconds


async def cancel_all_others() -> None:
    """As asyncio does with all tasks when its loop ends."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.wait(others)


@pytest.mark.parametrize("turns", TURNS)
async def test_writes_and_close_work_after_the_task_that_commits_was_cancelled(
    path: Path, turns: int
) -> None:
    database = await Database.open(path)
    writing = asyncio.create_task(settings.put(database, "first", "1"))
    for _ in range(turns):
        await asyncio.sleep(0)
    if not writing.done():
        await cancel_all_others()
    async with asyncio.timeout(SOON):
        await settings.put(database, "second", "2")
        assert await settings.find(database, "second") == "2"
        await database.close()


@pytest.mark.parametrize("turns", TURNS)
async def test_who_waits_for_a_commit_learns_its_result_though_its_task_is_cancelled(
    database: Database, turns: int
) -> None:
    writing = asyncio.create_task(settings.put(database, "name", "1"))
    await asyncio.sleep(0)
    committing = database._commits._committing
    for _ in range(turns):
        await asyncio.sleep(0)
    if committing:
        committing.cancel()
    async with asyncio.timeout(SOON):
        await writing
    assert await settings.find(database, "name") == "1"


@pytest.mark.parametrize("turns", TURNS)
async def test_reads_work_after_one_was_cancelled(database: Database, turns: int) -> None:
    async def read() -> None:
        async with database.reader.snapshot() as read:
            await read("SELECT 1")

    reading = asyncio.create_task(read())
    for _ in range(turns):
        await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait([reading])
    async with asyncio.timeout(SOON):
        await read()
        await database.empty_log()  # which an old transaction would keep from being emptied


@pytest.mark.slow
def test_a_program_that_ends_with_an_open_database_ends(path: Path) -> None:
    program = """
import asyncio, sys
from engine.storage.database import Database
async def fail():
    kept.append(await Database.open(sys.argv[1]))
    raise ValueError("red")
kept = []
asyncio.run(fail())
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], timeout=60, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "ValueError: red" in done.stderr
