"""Runs `python -m bot` like a shell, and prepares databases for it."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.tables import Person
from tests.outside import bodies
from tests.tables.house import House

Run = subprocess.CompletedProcess[str]

ROOT = Path(__file__).parent.parent
BOT = (sys.executable, "-m", "bot")
TOKEN = "MTA5.secret-of-the-bot.AbCdEf_0123456789"
#: Root may write everywhere, except without this capability.
AS_ANYBODY = ("setpriv", "--bounding-set=-dac_override") if os.getuid() == 0 else ()


def only(**settings: str) -> dict[str, str]:
    """The environment of a process that is given these settings of the bot and no others."""
    others = {
        name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "HEARTS_"))
    }
    return {**others, "PYTHONPATH": str(ROOT), **settings}


def environment(database: Path, **settings: str) -> dict[str, str]:
    """What the bot's process is given, with these settings."""
    given = {"DISCORD_TOKEN": TOKEN, "HEARTS_DATABASE": str(database), "HEARTS_LOG_LEVEL": "INFO"}
    return only(**given | settings)


def run(
    *command: str, env: dict[str, str], folder: Path = ROOT, preparing: Callable[[], None] | None = None
) -> Run:
    """Run this like a shell."""
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=env, preexec_fn=preparing, timeout=60
    )


def bot(
    *arguments: str,
    database: Path,
    before: tuple[str, ...] = (),
    preparing: Callable[[], None] | None = None,
    **settings: str,
) -> Run:
    """Run `python -m bot` like a shell."""
    return run(*before, *BOT, *arguments, env=environment(database, **settings), preparing=preparing)


def refused(
    run: Run,
    database: Path,
    start: str = "HEARTS_DATABASE is {}, which can't be used: ",
) -> str:
    """The sentence of a run that was refused, without the common beginning."""
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    start = start.format(repr(str(database)))
    assert run.stderr.startswith(start)
    assert run.stderr.endswith(".\n")
    assert run.stderr.count("\n") == 1
    return run.stderr.removeprefix(start).removesuffix(".\n")


async def open_tables(path: Path, count: int) -> None:
    house = await House(path).open()
    for channel in range(count):
        await house.seat(Person(channel, f"Player {channel}"), channel=channel)
    await house.close()


def hosts(path: Path) -> list[int]:
    """The host of each table, read without the bot's code."""
    return [table["host"] for table in bodies(path)]


def full_beyond(size: int) -> dict[str, Any]:
    """Arguments to start a `bot` that can't write files beyond this size, as on a full disk."""
    return {
        "preparing": partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)),
        # Python would cache truncated bytecode, which it could never load again.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
