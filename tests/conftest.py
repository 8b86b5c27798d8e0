"""Fixtures and settings for all tests."""

import asyncio
import gc
import os
import signal
import sys
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.storage.database import PRAGMAS, Database
from engine.thinking import Thinking
from tests.fresh import laid
from tests.read_back import read_back
from tests.unhurried import UnhurriedLoop

#: The modules whose tests start whole programs, and wait for them.
LONG = ("test_benchmarks", "test_reaching_discord")
#: Seconds after which a process that starts has hung; it may have to compile first.
LONGEST_COMPILING = 900.0

# In a shell's background, tests ignore Ctrl-C, and so would the processes they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# If Python can't cache bytecode, each worker compiles all tests again, and each process all of our code.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers more than processors: a third of the time, a slow test waits for a process or a timer.

    Quick tests wait for nothing, and each worker collects all of them first.
    """
    return (os.cpu_count() or 1) + (0 if config.option.markexpr == "not slow" else 2)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Give workers neighbouring tests, so modules are set up once; idle workers take over others'."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest: as the last ones they would keep a single worker busy."""
    items.sort(
        key=lambda item: "browser" not in getattr(item, "fixturenames", ()) and item.path.stem not in LONG
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage while 6,000 tests are collected, all of which stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """Tests wait by a clock that isn't affected by a slow machine."""
    return {"unhurried": UnhurriedLoop}


@pytest.fixture(autouse=True)
def no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't wait for the disk, which took half of a run's time; separate processes still do."""
    monkeypatch.setattr("engine.storage.database.PRAGMAS", (*PRAGMAS, "synchronous = OFF"))


@pytest.fixture(autouse=True)
def reads_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each table and tournament that is stored has to be the same when it is read."""
    found = read_back(monkeypatch)
    yield
    if found:
        pytest.fail("\n".join(found[:5]), pytrace=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A path for a database that doesn't exist yet."""
    return tmp_path / "hearts.sqlite3"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """A new, open database there."""
    database = await Database.open(laid(path))
    yield database
    await database.close()


@pytest.fixture(scope="module")
def thinker() -> Iterator[Thinking]:
    """A process in which strong computers can think already, for all tests of a module."""
    thinking = Thinking(workers=1)
    asyncio.run(thinking.pool.ask(os.getpid, seconds=LONGEST_COMPILING))
    yield thinking
    thinking.close()
