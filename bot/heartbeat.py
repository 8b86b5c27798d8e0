"""A file beside the database, written while the bot is well.

`python -m bot health` checks its age, and `python -m bot status` shows the figures in it.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

#: Seconds between two heartbeats, and the age at which the last one is too old.
PERIOD, STALE = 2.0, 20.0


@asynccontextmanager
async def beating(database: Path, status: Callable[[], str | None]) -> AsyncIterator[None]:
    """Write the status to the file within the context; delete it while `status` returns None."""
    beats = asyncio.create_task(_beat(_file(database), status))
    try:
        yield
    finally:
        beats.cancel()
        with suppress(asyncio.CancelledError):
            await beats


async def _beat(file: Path, status: Callable[[], str | None]) -> None:
    try:
        while True:
            _show(file, status())
            await asyncio.sleep(PERIOD)
    finally:
        _show(file, None)


def _show(file: Path, status: str | None) -> None:
    with suppress(OSError):  # a broken disk is reported when a move can't be stored
        if status is None:
            file.unlink(missing_ok=True)
            return
        file.touch()  # a full disk still allows this
        new = file.with_name(f"{file.name}.new")
        new.write_text(status, "utf-8")
        new.replace(file)  # so that readers never see half a file


def last_status(database: Path) -> str:
    """The last status that the bot of this database wrote; empty if there is none."""
    try:
        return _file(database).read_text("utf-8")
    except OSError:
        return ""


def health_problem(database: Path) -> str | None:
    """What is wrong with the bot of this database, in a sentence; None if it is healthy."""
    try:
        age = time.time() - _file(database).stat().st_mtime
    except FileNotFoundError:
        return f"No bot with the database {str(database)!r} is connected to Discord."
    except OSError as problem:
        return f"The bot's health is unknown: {problem.strerror}."
    if abs(age) > STALE:  # in the future, if the clock was set back
        return f"The bot isn't responding: its last heartbeat was {age:.0f} seconds ago."
    return None


def _file(database: Path) -> Path:
    real = Path(os.path.realpath(database))
    return real.with_name(f"{real.name}.heartbeat")
