"""What holds for all tests."""

import os
import signal
import sys
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from engine.storage.database import PRAGMAS, Database
from tests.unhurried import UnhurriedLoop

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the processes they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where Python may keep no compiled code, each worker compiled all tests anew, and each process all of ours.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: a fifth of the time, a test waits for a process or a timer."""
    return (os.cpu_count() or 1) + 1


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Whatever a test waits for, it waits by a clock that a slow machine cannot hurry."""
    return {"unhurried": UnhurriedLoop}


@pytest.fixture(autouse=True)
def no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the disk, as for half of a run's time; processes of their own, as are killed, do."""
    monkeypatch.setattr("engine.storage.database.PRAGMAS", (*PRAGMAS, "synchronous = OFF"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a database may be; there is none yet."""
    return tmp_path / "hearts.sqlite3"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """A new one there, open."""
    database = await Database.open(path)
    yield database
    await database.close()
