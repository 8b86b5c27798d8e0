"""The connection: opened and migrated once, every write inside `transaction()`."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite

from engine.storage.migrations import MIGRATIONS


class Database:
    """One SQLite file. Coroutines take turns, so that none rolls back another's writes."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._turn = asyncio.Lock()

    @staticmethod
    async def open(path: str | Path) -> Database:
        """The database at this path, created if missing, migrated to the newest schema.

        sqlite3.Error if the file cannot be written or is no database.
        """
        connection = await aiosqlite.connect(path, isolation_level=None)
        try:
            # FULL: what was acknowledged survives a power cut, not just a crash of this process.
            for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                await connection.execute(f"PRAGMA {setting}")
            database = Database(connection)
            await database._migrate()
        except BaseException:
            await connection.close()
            raise
        return database

    async def close(self) -> None:
        """Finish what is in hand and close the file; a second time does nothing."""
        async with self._turn:
            await self._connection.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """All the block's writes or, if it raises, none."""
        async with self._turn:
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                await self._connection.execute("COMMIT")
            except BaseException:
                await self._connection.execute("ROLLBACK")
                raise

    async def read(self, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows that a SELECT finds among what is committed."""
        async with self._turn:
            return list(await self._connection.execute_fetchall(statement, values))

    async def _migrate(self) -> None:
        [(done,)] = await self.read("PRAGMA user_version")
        if done > len(MIGRATIONS):
            raise sqlite3.DatabaseError("the database was written by a newer version of this program")
        for number, statements in enumerate(MIGRATIONS[done:], done + 1):
            async with self.transaction() as connection:
                await _run(connection, statements)
                # The mark is part of the same transaction: a migration is done or not begun.
                await connection.execute(f"PRAGMA user_version = {number}")


async def _run(connection: aiosqlite.Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        await connection.execute(statement)
