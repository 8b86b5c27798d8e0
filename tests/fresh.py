"""New databases, copied from one that is made once: making it takes some milliseconds each time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.storage.database import Database


def laid(path: Path) -> Path:
    """This path; if there was no database, a copy of a new one is there now."""
    if not path.exists():
        path.write_bytes(_new())
    return path


@cache
def _new() -> bytes:
    """The content of a new database."""

    async def make(path: Path) -> None:
        await (await Database.open(path)).close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor() as thread:
        path = Path(folder, "new.sqlite3")
        thread.submit(asyncio.run, make(path)).result()  # a test's own loop is running here
        return path.read_bytes()
