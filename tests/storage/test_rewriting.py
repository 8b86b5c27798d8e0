"""What deleting and exporting data cost everybody else: the file is written anew as seldom as can be."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterable
from pathlib import Path

import pytest
from outside import edit, traces
from tables.house import House, refusal

from engine.storage import handed_in, privacy, settings
from engine.storage.database import Database
from engine.storage.privacy import export_person
from engine.tables import Person, Tables, changes

#: No part of any other word, so that a trace of it is a trace of them.
NAME = "Zephyrine"
IDS = range(900_001, 900_011)
#: Seconds after which a file that was handed in is dropped.
LATER = 2 * handed_in.KEPT


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    """Ten people have each stopped a table of their own."""
    house = await House(path).open()
    for person in IDS:
        await house.stop(await house.start(Person(person, f"{NAME} {person}"), channel=person))
    yield house
    await house.close()


@pytest.fixture
def database(house: House) -> Database:
    return house.database


async def forget(database: Database, person: int, name: str) -> None:
    """Delete this person, of whom no live table tells."""
    await privacy.delete(database, person, name, [Tables.stored])
    await privacy.finish(database)


def rewrites(path: Path) -> int:
    """How often it was written anew: SQLite counts each as a change of the schema."""
    [(count,)] = edit(path, "PRAGMA schema_version")
    return count


async def test_many_who_are_deleted_at_once_share_a_rewrite(database: Database, path: Path) -> None:
    before = rewrites(path)
    await asyncio.gather(*(forget(database, 5, "Mallory") for _ in range(30)))
    assert rewrites(path) == before
    assert traces(path, NAME)
    await asyncio.gather(*(forget(database, person, f"{NAME} {person}") for person in IDS))
    assert rewrites(path) == before + 1
    assert not traces(path, NAME)


async def test_it_waits_until_nobody_else_waits(database: Database, path: Path) -> None:
    order: list[str] = []

    async def note(name: str, work: Awaitable[None]) -> None:
        await work
        order.append(name)

    async with database.snapshot():
        work = [
            asyncio.create_task(note("rewrite", database.rewrite("DELETE FROM settings"))),
            *[asyncio.create_task(note("write", settings.put(database, "name", "1"))) for _ in range(3)],
        ]
        await asyncio.sleep(0)
    await asyncio.gather(*work)
    assert order == ["write", "write", "write", "rewrite"]


async def test_who_left_a_lobby_long_ago_leaves_no_trace_either(house: House, path: Path) -> None:
    table = await house.seat(Person(1, "Ann"), Person(2, "Wilhelmina"))
    await house.tables.change(table.id, changes.leave_or_stay_out, 2)
    before = rewrites(path)
    for _ in range(2):
        await forget(house.database, 2, "Wilhelmina")
        assert rewrites(path) == before + 1
    assert not traces(path, "Wilhelmina")


async def hand_in(database: Database, person: int, *names: str, now: float) -> None:
    """This person hands in a game, as far as its names go."""
    await handed_in.put(database, person, list(names), handed_in.pack({"seats": names}), now=now)


@pytest.mark.parametrize(
    ("others", "now"),
    [([1], 1.0), ([2], LATER), (range(2, 3 + handed_in.MOST), 1.0), ([], LATER)],
    ids=["replaced", "grown old while others hand in", "pushed out", "grown old"],
)
async def test_a_name_in_a_file_that_is_gone_leaves_no_trace(
    database: Database, path: Path, others: Iterable[int], now: float
) -> None:
    await hand_in(database, 1, "Wilhelmina", "Bo", now=0.0)
    for person in others:
        await hand_in(database, person, "Ann", "Bo", now=now)
    if not others:
        await handed_in.drop_old(database, now=now)
    assert traces(path, "Wilhelmina")
    await forget(database, 800_001, "Wilhelmina")
    assert not traces(path, "Wilhelmina")
    before = rewrites(path)
    await forget(database, 800_002, "Mallory")
    assert rewrites(path) == before


async def test_an_export_waits_for_nobody_and_nobody_for_it(database: Database) -> None:
    async with database.snapshot():
        # Within the turn: were the export to want one, this would wait for ever.
        async with asyncio.timeout(30):
            data = json.loads(await export_person(database, IDS[3], [Tables.stored]))
    [table] = data["tables"]
    assert (table["seat"]["name"], table["is_host"], table["state"]) == (f"{NAME} {IDS[3]}", True, "stopped")


async def test_a_stop_cuts_off_a_rewrite(database: Database, path: Path) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE filled AS SELECT randomblob(20000000) AS content")

    await database.write(fill)
    before = rewrites(path)
    rewriting = asyncio.create_task(database.rewrite("DELETE FROM settings"))
    while not database._is_vacuuming:  # noqa: ASYNC110
        await asyncio.sleep(0)
    await database.close()
    assert await refusal(rewriting) == "cannot_save"
    assert rewrites(path) == before
