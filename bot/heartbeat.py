"""A file beside the database, touched while the bot is well; `python -m bot health` checks its age."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

#: Seconds between two heartbeats, and the age at which the last one is too old.
PERIOD, STALE = 2.0, 20.0


@asynccontextmanager
async def beating(database: Path, is_connected: Callable[[], bool]) -> AsyncIterator[None]:
    """Within, touch the file while the loop runs and Discord is connected; delete it otherwise."""
    beats = asyncio.create_task(_beat(_file(database), is_connected))
    try:
        yield
    finally:
        beats.cancel()
        with suppress(asyncio.CancelledError):
            await beats


async def _beat(file: Path, is_connected: Callable[[], bool]) -> None:
    try:
        while True:
            _show(file, is_connected())
            await asyncio.sleep(PERIOD)
    finally:
        _show(file, False)


def _show(file: Path, is_well: bool) -> None:
    with suppress(OSError):  # a broken disk is reported when a move can't be stored
        if is_well:
            file.touch()
        else:
            file.unlink(missing_ok=True)


def health_problem(database: Path) -> str | None:
    """What is wrong with the bot that uses this database, in a sentence; None if it is well."""
    try:
        age = time.time() - _file(database).stat().st_mtime
    except FileNotFoundError:
        return f"No bot with the database {str(database)!r} is connected to Discord."
    except OSError as problem:
        return f"The bot's health is unknown: {problem.strerror}."
    if abs(age) > STALE:  # after the clock was set back, it may be in the future
        return f"The bot isn't responding: its last heartbeat was {age:.0f} seconds ago."
    return None


def _file(database: Path) -> Path:
    real = Path(os.path.realpath(database))
    return real.with_name(f"{real.name}.heartbeat")
