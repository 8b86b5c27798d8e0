"""A database's file: a look at it from outside, its schema, and how an older one becomes the newest."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fresh import laid
from outside import edit

from engine.errors import StorageError
from engine.storage import database as opened
from engine.storage import file
from engine.storage.database import Database
from engine.storage.file import NEWEST, inspect


@pytest.fixture
def made(path: Path) -> Path:
    """A database that no bot uses."""
    return laid(path)


async def use(path: Path) -> None:
    await (await Database.open(path)).close()


def test_a_file_that_is_not_there_yet_is_not_made(path: Path) -> None:
    found = inspect(path)
    assert (found.exists, found.in_use, found.schema) == (False, False, 0)
    assert os.listdir(path.parent) == []


def test_the_newest_schema_is_found_and_a_bot_can_use_it_afterwards(made: Path) -> None:
    before = made.read_bytes()
    found = inspect(made)
    assert (found.exists, found.in_use, found.schema, found.size) == (True, False, NEWEST, len(before))
    assert made.read_bytes() == before
    asyncio.run(use(made))


async def test_a_bot_that_uses_it_goes_on(database: Database, path: Path) -> None:
    assert inspect(path).in_use
    await database.execute("PRAGMA user_version")


def test_another_programs_file_is_refused(path: Path) -> None:
    edit(path, "CREATE TABLE recipes (name)")
    with pytest.raises(StorageError, match="belongs to another program"):
        inspect(path)


@pytest.mark.slow
def test_another_programs_lock_is_named(made: Path) -> None:
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="another program has locked it"):
            inspect(made)


def test_damage_is_named(made: Path) -> None:
    content = bytearray(made.read_bytes())
    content[5 * 4096 : 6 * 4096] = b"\xff" * 4096
    made.write_bytes(content)
    with pytest.raises(StorageError, match="damaged"):
        inspect(made)


@pytest.mark.parametrize("name", ["none/hearts.sqlite3", ".", "a\0b"])
def test_where_no_file_can_be_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError):
        inspect(tmp_path / name)


def tables(path: Path) -> list[str]:
    found = edit(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [name for (name,) in found if not name.startswith("sqlite_")]


def version(path: Path) -> int:
    return edit(path, "PRAGMA user_version")[0][0]


def test_key_columns_come_first_in_every_table_and_each_refuses_values_of_another_type(made: Path) -> None:
    """Otherwise SQLite 3.40 looks for the other columns of a table without rowid in the wrong places."""
    strict = dict(edit(made, "SELECT name, strict FROM pragma_table_list"))
    for table in tables(made):
        keys = [key for *_, key in edit(made, f"PRAGMA table_info({table})")]
        assert keys == [*filter(None, keys), *(key for key in keys if not key)], table
        assert strict[table], table


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that has another table, and a migration there."""
    migration = "CREATE TABLE hats (id INTEGER PRIMARY KEY) STRICT;\nINSERT INTO hats VALUES (7);\n"
    monkeypatch.setattr(opened, "MIGRATIONS", (migration,))
    for module in (opened, file):
        monkeypatch.setattr(module, "NEWEST", 2)


async def test_a_file_of_the_version_before_is_migrated_once(made: Path, next_version: None) -> None:
    assert version(made) == 1
    for _ in range(2):
        database = await Database.open(made)
        assert await database.read("SELECT id FROM hats") == [(7,)]
        await database.close()
    assert version(made) == 2


async def test_a_migration_that_fails_leaves_the_file_as_it_was(
    made: Path, next_version: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "MIGRATIONS", ("CREATE TABLE hats (id INTEGER);\nDROP TABLE shoes;\n",))
    with pytest.raises(StorageError, match="no such table: shoes"):
        await Database.open(made)
    assert version(made) == 1
    assert "hats" not in tables(made)
