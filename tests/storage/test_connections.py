"""A connection that writes, much at once and each for itself, and one that reads while moves are stored."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from outside import edit, locked, traces
from storage.results import CLASSIC, finish
from tables.house import ANN, BO, refusal

from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import privacy, settings
from engine.storage.database import Database
from engine.storage.file import LOCK_WAIT, VERSION
from engine.storage.standings import Board, board_page, kinds_played
from engine.tables import Person, Tables

NAMES = [f"name {number}" for number in range(40)]
#: Seconds: to wait for a lock one after the other, so many would take twice as long.
SOON = len(NAMES) * LOCK_WAIT / 2
AT_ONE_TABLE = 4
#: Turns of the event loop after which a task is cancelled: from before it has begun to after its end.
TURNS = range(14)
#: Counts for some seconds, unless it is interrupted.
LONG = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT COUNT(*) FROM n"


def stored(path: Path) -> dict[str, str]:
    return dict(edit(path, f"SELECT name, value FROM settings WHERE name <> '{VERSION}'"))


async def put(database: Database, *names: str) -> list[object]:
    """What putting these at once comes to: None, or exceptions."""
    return await asyncio.gather(
        *(settings.put(database, name, "1") for name in names), return_exceptions=True
    )


async def grows(database: Database, *names: str) -> int:
    """By how many bytes the file grows where these are put at once: each commit writes a page anew."""
    before = database.size
    await put(database, *names)
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
    assert await database.read("PRAGMA journal_mode") == [("wal",)]
    # FULL: the log is on the disk before a commit is answered.
    assert await database.read("PRAGMA synchronous") == [(2,)]
    await database.close()


async def test_each_write_has_its_own_answer_and_fails_alone(database: Database, path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO settings (name, value) VALUES ('half', 'done')")
        raise Refusal("stale")

    numbers = [database.write(lambda _, number=number: number) for number in range(20)]
    before, failed, answers, after = await asyncio.gather(
        put(database, *NAMES[:20]),
        asyncio.gather(database.write(fail), return_exceptions=True),
        asyncio.gather(*numbers),
        put(database, *NAMES[20:]),
    )
    assert before + after == [None] * 40
    assert list(map(str, failed)) == [str(Refusal("stale"))]
    assert answers == list(range(20))
    assert stored(path) == dict.fromkeys(NAMES, "1")


async def test_after_the_end_nothing_waits_for_ever(path: Path) -> None:
    database = await Database.open(path)
    await database.close()
    for work in (
        settings.put(database, "name", "1"),
        database.read("SELECT 1"),
        database.reader.read("SELECT 1"),
    ):
        assert await refusal(work) == "cannot_save"


# Tasks that are cancelled


async def test_who_goes_away_before_their_turn_has_written_nothing(database: Database, path: Path) -> None:
    async with database.snapshot():
        tasks = [asyncio.create_task(settings.put(database, name, "1")) for name in NAMES[:3]]
        while database.waiting < 1 + len(tasks):  # noqa: ASYNC110 - no event tells so
            await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert stored(path) == {NAMES[0]: "1", NAMES[2]: "1"}


async def turn(loops: int) -> None:
    for _ in range(loops):
        await asyncio.sleep(0)


@pytest.mark.parametrize("turns", TURNS)
async def test_writes_and_close_work_after_all_tasks_were_cancelled(path: Path, turns: int) -> None:
    database = await Database.open(path)
    writing = asyncio.create_task(settings.put(database, "first", "1"))
    await turn(turns)
    if not writing.done():
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others)
    async with asyncio.timeout(SOON):
        await settings.put(database, "second", "2")
        assert await settings.find(database, "second") == "2"
        await database.close()


@pytest.mark.parametrize("turns", TURNS)
async def test_whatever_is_cancelled_commits_and_reads_work(database: Database, turns: int) -> None:
    async def read() -> None:
        async with database.reader.snapshot() as read:
            await read("SELECT 1")

    writing = asyncio.create_task(settings.put(database, "name", "1"))
    await asyncio.sleep(0)
    committing = database._commits._committing
    await turn(turns)
    if committing:
        committing.cancel()
    reading = asyncio.create_task(read())
    await turn(turns)
    reading.cancel()
    async with asyncio.timeout(SOON):
        await writing
        assert await settings.find(database, "name") == "1"
        await asyncio.wait([reading])
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


# A file that another program has locked


@pytest.mark.slow
async def test_all_who_write_or_click_at_once_are_refused_together(database: Database, path: Path) -> None:
    tables = Tables(database)
    opened = [await tables.open(1, channel, ANN, Ruleset.of("classic", 4)) for channel in range(len(NAMES))]
    with locked(path, "EXCLUSIVE"):
        async with asyncio.timeout(SOON):
            clicks = (tables.join(table.id, BO) for table in opened)
            answers = await asyncio.gather(put(database, *NAMES), *clicks, return_exceptions=True)
        assert await settings.find(database, NAMES[0]) is None  # what can be read meanwhile is
    assert [str(answer) for answer in (*answers[0], *answers[1:])] == [str(Refusal("cannot_save"))] * 80
    await tables.close()


@pytest.mark.slow
async def test_who_clicks_at_one_table_waits_only_for_earlier_clicks(database: Database, path: Path) -> None:
    tables = Tables(database)
    table = await tables.open(1, 1, Person(1, "Ann"), Ruleset.of("double-deck", 10))
    with locked(path, "EXCLUSIVE"):
        async with asyncio.timeout((AT_ONE_TABLE + 1) * LOCK_WAIT):
            clicks = (tables.join(table.id, Person(2 + number, "Bo")) for number in range(AT_ONE_TABLE))
            answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert [str(answer) for answer in answers] == [str(Refusal("cannot_save"))] * AT_ONE_TABLE
    await asyncio.gather(*(tables.join(table.id, Person(number, "Bo")) for number in range(2, 11)))
    assert len(tables.get(table.id).seats) == 10
    await tables.close()


@pytest.mark.slow
async def test_a_short_lock_is_waited_for_again_after_a_long_one(database: Database, path: Path) -> None:
    with locked(path, "EXCLUSIVE"):
        assert await refusal(settings.put(database, "name", "1")) == "cannot_save"
    await settings.put(database, "name", "2")
    with locked(path, "EXCLUSIVE"):
        writing = asyncio.create_task(settings.put(database, "name", "3"))
        await asyncio.sleep(0.1)
        assert not writing.done()
    await writing
    assert await settings.find(database, "name") == "3"


# Reads, on a connection of their own: no move waits for a leaderboard


async def names(database: Database) -> list[str]:
    """Who is on the board."""
    found = await board_page(database, 1, Board(CLASSIC), 0.0, ANN.id, first=0, count=10)
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
    await finish(database, (ANN.id, 1), (BO.id, 2), names={ANN.id: "Ann", BO.id: "Bo"})
    assert await names(database) == ["Ann", "Bo"]
    assert await kinds_played(database, 1, ANN.id) == [CLASSIC]
    await privacy.delete(database, ANN.id, "Ann")
    assert await names(database) == ["Bo"]
    assert await kinds_played(database, 1, ANN.id) == []


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
    await finish(database, (ANN.id, 1), (BO.id, 2))
    with locked(path, "EXCLUSIVE"):
        assert len(await names(database)) == 2


async def test_the_file_is_written_again_once_nobody_reads(database: Database, path: Path) -> None:
    await finish(database, (ANN.id, 1), (BO.id, 2), names={ANN.id: "Zephyrine", BO.id: "Bo"})

    async def delete() -> None:
        await privacy.delete(database, ANN.id, "Zephyrine")
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
    await finish(database, (ANN.id, 1), (BO.id, 2))
    reading = asyncio.create_task(database.reader.read(LONG.replace("3000000", "300000")))
    await asyncio.sleep(0)
    await database.close()
    assert [tuple(row) for row in await reading] == [(300_000,)]
    assert not path.with_name(f"{path.name}-wal").exists()
