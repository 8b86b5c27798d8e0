"""Probes of the settings, this machine and the database, without Discord."""

from __future__ import annotations

import asyncio
import importlib
import os
import platform
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from bot.check.boards import board
from bot.check.results import Note, NotTried, Probes, Unexpected, add_to
from bot.config import ENV_IS_OPEN, is_file_open
from bot.delivery import Draw
from bot.operator.messages import size
from bot.pictures import DrawingProcess, emojis
from engine import __version__
from engine.errors import StorageError
from engine.storage.file import NEWEST, inspect
from engine.thinking.pool import processors
from engine.worker import Failed, Lost

MB = 1_000_000
#: Bytes of memory for the bot and one thinking process while that compiles.
ENOUGH_MEMORY = 700 * MB
#: Bytes of free disk space: below the first, saving will soon fail; below the second, someone should look.
NO_ROOM, LITTLE_ROOM = 20 * MB, 500 * MB
#: Seconds for a board beyond which tables wait for their pictures.
SLOW_PICTURE = 0.5


@dataclass(frozen=True)
class Machine:
    """The settings to check; `draw` replaces the bot's own drawing."""

    database: Path
    has_token: bool
    draw: Draw | None


MACHINE: Probes[Machine] = []


@add_to(MACHINE, "token", "Token", "DISCORD_TOKEN is set")
async def token(machine: Machine) -> str:
    """Whether there is a token; only Discord knows whether it is right."""
    if not machine.has_token:
        raise Unexpected("It isn't set. Put your bot's token into .env (see README.md).")
    if is_file_open():
        raise Note(ENV_IS_OPEN)
    return "it is"


@add_to(MACHINE, "version", "This program", "its version")
async def version(_: Machine) -> str:
    """For the report: what was checked."""
    return __version__


@add_to(MACHINE, "python", "Python", "3.11 or newer")
async def python(_: Machine) -> str:
    """The version that runs this, for the report."""
    return f"{platform.python_version()} on {platform.system()}"


@add_to(MACHINE, "processors", "Processors", "2 or more: strong computers think beside the bot")
async def usable_processors(_: Machine) -> str:
    """The processors that this process may use."""
    if processors() < 2:
        raise Note("1, which strong computers share with the bot: they'll often play like medium ones.")
    return str(processors())


@add_to(MACHINE, "memory", "Memory", f"{size(ENOUGH_MEMORY)} or more")
async def memory(_: Machine) -> str:
    """The machine's memory, or its container's."""
    found = _memory()
    if found is None:
        return "unknown on this system"
    if found < ENOUGH_MEMORY:
        raise Note(f"{size(found)}: enough to play, too little for strong computers.")
    return size(found)


def _memory() -> int | None:
    limits = []
    if hasattr(os, "sysconf"):  # not on Windows
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # the word `max` where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits, default=None)


@add_to(MACHINE, "pictures", "Pictures", f"a board is drawn in {SLOW_PICTURE:.1f} s or less")
async def pictures(machine: Machine) -> str:
    """Draw in a process of its own, as the bot does; the first picture also waits for that to start."""
    art, drawing = len(emojis()), DrawingProcess()
    draw = machine.draw or drawing.draw
    try:
        await draw(board(0))
        began = time.perf_counter()
        drawn = await draw(board(1)) or b""
    except (Failed, Lost) as error:
        raise Unexpected(f"A picture can't be drawn: {str(error).strip().splitlines()[-1]}") from None
    finally:
        drawing.close()
    seconds = time.perf_counter() - began
    found = f"{art} emojis; a board of {size(len(drawn))} in {seconds * 1000:.0f} ms"
    if seconds > SLOW_PICTURE:
        raise Note(f"{found}: words will often take its place.")
    return found


@add_to(MACHINE, "compiled", "Compiled code", "can be kept, so that strong computers start at once")
async def compiled(_: Machine) -> str:
    """The folder where numba stores it."""
    return await asyncio.to_thread(_compiled)


def _compiled() -> str:
    importlib.import_module("engine.kernel.compiled")  # chooses the folder
    folder = importlib.import_module("numba").config.CACHE_DIR
    try:
        with TemporaryFile(dir=folder or os.devnull):
            pass
    except OSError:
        raise Note(
            "It can't: strong computers compile for a minute at each start. Set NUMBA_CACHE_DIR to a folder "
            "that can be written."
        ) from None
    if any(Path(folder).rglob("playing.try_cards-*.nbc")):
        return f"it's in {folder}"
    return f"not there yet: compiling takes a minute, once. It will be in {folder}"


@add_to(MACHINE, "database", "Database", "none yet, or one of this program's, sound and not locked")
async def database(machine: Machine) -> str:
    """Inspect the file; a bot may be using it."""
    try:
        found = await asyncio.to_thread(inspect, machine.database)
    except StorageError as problem:
        raise Unexpected(f"HEARTS_DATABASE is {str(machine.database)!r}, and {problem}.") from None
    if not found.exists:
        return f"{found.path} will be made at the first start"
    text = f"{found.path}: {size(found.size)}, sound"
    if found.in_use:
        text += ", in use by a running bot"
    if found.schema < NEWEST:
        return f"{text}; the next start updates its schema from {found.schema} to {NEWEST}: back it up first"
    return f"{text}; schema {found.schema}, the newest"


@add_to(MACHINE, "disk", "Disk", f"{size(LITTLE_ROOM)} or more free for the database")
async def disk(machine: Machine) -> str:
    """The free space in the database's folder."""
    try:
        free = shutil.disk_usage(machine.database.absolute().parent).free
    except (OSError, ValueError):
        raise NotTried("There's no such folder.") from None
    if free < NO_ROOM:
        raise Unexpected(f"{size(free)}: soon nothing can be saved.")
    if free < LITTLE_ROOM:
        raise Note(f"{size(free)}: make room.")
    return f"{size(free)} free"
