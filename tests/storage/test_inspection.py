"""A look at the database from outside: what it finds, and that nothing becomes of the file by it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fresh import laid
from outside import edit

from engine.errors import StorageError
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
