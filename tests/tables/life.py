"""The service from one start to its next stop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from fresh import laid

from engine.storage.database import Database
from engine.tables import Tables


@asynccontextmanager
async def life(path: Path) -> AsyncIterator[tuple[Database, Tables]]:
    """The database at this path, opened, and the tables that were taken up from it."""
    database = await Database.open(laid(path))
    tables = Tables(database, rng=Random(1))
    try:
        await tables.resume()
        yield database, tables
        await tables.close()
    finally:
        await database.close()
