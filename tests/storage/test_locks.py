"""A file that another program has locked: writes are refused soon, and none once it is free."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.file import LOCK_WAIT
from engine.tables import Person, Tables

pytestmark = pytest.mark.slow

MANY = 40
#: Seconds: one after the other, so many would wait for twice as long.
SOON = MANY * LOCK_WAIT / 2
AT_ONE_TABLE = 4


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


async def test_all_who_write_at_once_are_refused_together(database: Database, path: Path) -> None:
    with locked(path):
        async with asyncio.timeout(SOON):
            writes = (settings.put(database, f"name {number}", "1") for number in range(MANY))
            answers = await asyncio.gather(*writes, return_exceptions=True)
    assert [str(answer) for answer in answers] == [str(Refusal("cannot_save"))] * MANY


async def test_who_clicks_at_one_table_waits_for_nothing_but_earlier_clicks(
    database: Database, path: Path
) -> None:
    tables = Tables(database)
    table = await tables.open(1, 1, Person(1, "Ann"), Ruleset.of("double-deck", 10))
    with locked(path):
        async with asyncio.timeout((AT_ONE_TABLE + 1) * LOCK_WAIT):
            clicks = (tables.join(table.id, Person(2 + number, "Bo")) for number in range(AT_ONE_TABLE))
            answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert [str(answer) for answer in answers] == [str(Refusal("cannot_save"))] * AT_ONE_TABLE
    await asyncio.gather(*(tables.join(table.id, Person(number, "Bo")) for number in range(2, 11)))
    assert len(tables.get(table.id).seats) == 10
    await tables.close()


async def test_clicks_at_other_tables_are_refused_together(database: Database, path: Path) -> None:
    tables = Tables(database)
    rules = Ruleset.of("classic", 4)
    opened = [await tables.open(1, channel, Person(1, "Ann"), rules) for channel in range(MANY)]
    with locked(path):
        async with asyncio.timeout(SOON):
            clicks = (tables.join(table.id, Person(2, "Bo")) for table in opened)
            answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert [str(answer) for answer in answers] == [str(Refusal("cannot_save"))] * MANY
    await tables.close()


async def test_what_can_be_read_meanwhile_is(database: Database, path: Path) -> None:
    with locked(path):
        with pytest.raises(Refusal):
            await settings.put(database, "name", "1")
        assert await settings.find(database, "name") is None


async def test_a_short_lock_is_waited_for_again_after_a_long_one(database: Database, path: Path) -> None:
    with locked(path), pytest.raises(Refusal):
        await settings.put(database, "name", "1")
    await settings.put(database, "name", "2")
    with locked(path):
        writing = asyncio.create_task(settings.put(database, "name", "3"))
        await asyncio.sleep(0.1)
        assert not writing.done()
    await writing
    assert await settings.find(database, "name") == "3"
