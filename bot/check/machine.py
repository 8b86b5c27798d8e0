"""Probes of the database and of this machine, without Discord."""

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

from bot.check.report import Note, NotTried, Probe, Unexpected
from bot.delivery import Draw
from bot.operator.messages import size
from bot.pictures import DrawingProcess
from bot.vocabulary.scenes import FanScene
from engine import __version__
from engine.cards import DECK
from engine.errors import StorageError
from engine.storage.file import NEWEST, inspect
from engine.thinking.pool import processors
from engine.worker import Failed, Lost

MB = 1_000_000
#: Bytes of memory for the bot and one thinking process while that compiles.
ENOUGH_MEMORY = 700 * MB
#: Bytes of free disk space: below the first, saving will soon fail; below the second, someone should look.
NO_ROOM, LITTLE_ROOM = 20 * MB, 500 * MB
#: Seconds for a picture beyond which tables wait for theirs.
SLOW_PICTURE = 0.5


@dataclass(frozen=True)
class Machine:
    """The database's file; `draw` replaces the bot's own drawing."""

    database: Path
    draw: Draw | None


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
    return text


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


async def program(_: Machine) -> str:
    """What was checked, for the report."""
    return f"version {__version__} on Python {platform.python_version()} and {platform.system()}"


async def thinking(_: Machine) -> str:
    """The processors and the memory that strong computers have beside the bot."""
    count, memory = processors(), _memory()
    found = f"{count} {'processor' if count == 1 else 'processors'}"
    if memory:
        found += f", {size(memory)} of memory"
    if count < 2:
        raise Note(f"{found}: strong computers share it with the bot, and often play like medium ones.")
    if memory and memory < ENOUGH_MEMORY:
        raise Note(f"{found}: enough to play, too little for strong computers ({size(ENOUGH_MEMORY)}).")
    return found


def _memory() -> int | None:
    """The bytes of the machine's memory, or its container's."""
    limits = []
    if hasattr(os, "sysconf"):  # not on Windows
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # the word `max` where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits, default=None)


async def compiled(_: Machine) -> str:
    """Whether strong computers' compiled code can be kept, so that they start at once."""
    return await asyncio.to_thread(_compiled)


def _compiled() -> str:
    importlib.import_module("engine.kernel.compiled")  # chooses the folder
    folder = importlib.import_module("numba").config.CACHE_DIR
    try:
        with TemporaryFile(dir=folder or os.devnull):
            pass
    except OSError:
        raise Note(
            "It can't be kept: strong computers compile for a minute at each start. Set NUMBA_CACHE_DIR to a "
            "folder that can be written."
        ) from None
    if any(Path(folder).rglob("playing.try_cards-*.nbc")):
        return f"it's in {folder}"
    return f"not there yet: compiling takes a minute, once. It will be in {folder}"


async def pictures(machine: Machine) -> str:
    """Draw in a process of its own, as the bot does; the first picture also waits for that to start."""
    drawing = DrawingProcess()
    draw = machine.draw or drawing.draw
    try:
        await draw(FanScene(DECK[:12]))
        began = time.perf_counter()
        await draw(FanScene(DECK[:13]))
    except (Failed, Lost) as error:
        raise Unexpected(f"A picture can't be drawn: {str(error).strip().splitlines()[-1]}") from None
    finally:
        drawing.close()
    seconds = time.perf_counter() - began
    if seconds > SLOW_PICTURE:
        raise Note(f"{seconds * 1000:.0f} ms for one: words will often take its place.")
    return f"{seconds * 1000:.0f} ms for one"


DATABASE: dict[str, Probe[Machine]] = {"Database": database, "Disk": disk}
MACHINE: dict[str, Probe[Machine]] = {
    "Program": program,
    "Thinking": thinking,
    "Compiled code": compiled,
    "Pictures": pictures,
}
