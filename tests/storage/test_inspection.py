"""A look at the database from outside: what it finds, and that nothing becomes of the file by it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import StorageError
from engine.storage.database import Database
from engine.storage.file import NEWEST, inspect


async def made(path: Path) -> None:
    """A database that no bot uses."""
    await (await Database.open(path)).close()


async def test_a_file_that_is_not_there_yet_is_not_made(path: Path) -> None:
    found = inspect(path)
    assert (found.exists, found.in_use, found.schema) == (False, False, 0)
    assert os.listdir(path.parent) == []


async def test_the_newest_schema(path: Path) -> None:
    await made(path)
    before = contents(path)
    found = inspect(path)
    assert (found.exists, found.in_use, found.schema, found.size) == (True, False, NEWEST, len(before))
    assert contents(path) == before


def contents(path: Path) -> bytes:
    """All of a file."""
    return path.read_bytes()


async def test_a_bot_that_uses_it_goes_on(database: Database, path: Path) -> None:
    assert inspect(path).in_use
    await database.execute("PRAGMA user_version")


async def test_a_bot_can_use_it_afterwards(path: Path) -> None:
    await made(path)
    inspect(path)
    await made(path)


async def test_another_programs_file_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    with pytest.raises(StorageError, match="belongs to another program"):
        inspect(path)


@pytest.mark.slow
async def test_another_programs_lock_is_named(path: Path) -> None:
    await made(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="another program has locked it"):
            inspect(path)


async def test_damage_is_named(path: Path) -> None:
    await made(path)
    with open(path, "r+b") as file:  # noqa: ASYNC230
        file.seek(5 * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(StorageError, match="damaged"):
        inspect(path)


@pytest.mark.parametrize("name", ["none/hearts.sqlite3", ".", "a\0b"])
async def test_where_no_file_can_be_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError):
        inspect(tmp_path / name)
