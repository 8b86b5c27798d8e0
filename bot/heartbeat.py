"""A file beside the database, as old as the bot's last sign of life: `python -m bot health` looks at it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

#: Seconds between two signs of life, and the age from which on the last one is too old.
PERIOD, STALE = 2.0, 20.0


@asynccontextmanager
async def beating(database: Path, is_connected: Callable[[], bool]) -> AsyncIterator[None]:
    """Within, keep the file young while the loop runs and Discord is connected; else there is none."""
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
    with suppress(OSError):  # what is wrong with the disk is told wherever a move is to be stored
        if is_well:
            file.touch()
        else:
            file.unlink(missing_ok=True)


def trouble(database: Path) -> str | None:
    """What is wrong with the bot that runs with this database, in a sentence; None if all is well."""
    try:
        age = time.time() - _file(database).stat().st_mtime
    except FileNotFoundError:
        return f"No bot with the database {str(database)!r} is connected to Discord."
    except OSError as problem:
        return f"Nobody can tell how the bot is: {problem.strerror}."
    if abs(age) > STALE:  # after a change of the clock it may seem to come from the future
        return f"The bot does not answer: its last sign of life was {age:.0f} seconds ago."
    return None


def _file(database: Path) -> Path:
    real = Path(os.path.realpath(database))
    return real.with_name(f"{real.name}.heartbeat")
