"""Probes of the database and of this machine, without Discord."""

import asyncio
import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass, field
from glob import glob
from importlib import import_module
from pathlib import Path

from bot.check.report import Verdict
from bot.delivery import Draw
from bot.operator.messages import size
from bot.pictures import DrawingProcess
from bot.vocabulary.scenes import FanScene
from engine.cards import DECK
from engine.errors import StorageError
from engine.storage.file import NEWEST, inspect
from engine.thinking.pool import processors
from engine.worker import Failed, Lost

#: Bytes of memory for the bot and one thinking process while that compiles.
ENOUGH_MEMORY = 700_000_000
#: Bytes of free disk space: below the first, saving will soon fail; below the second, someone should look.
NO_ROOM, LITTLE_ROOM = 20_000_000, 500_000_000
#: Seconds for a picture beyond which tables wait for theirs.
SLOW_PICTURE = 0.5
#: What is drawn: two hands.
HANDS = FanScene(DECK[:12]), FanScene(DECK[:13])


@dataclass(frozen=True)
class Machine:
    """The database's file, and the pictures of HANDS once they are drawn; `draw` replaces the bot's own."""

    database: Path
    draw: Draw | None
    drawn: list[bytes] = field(default_factory=list)


async def database(machine: Machine) -> tuple[Verdict, str]:
    """Inspect the file, which a bot may be using, and the free space in its folder."""
    try:
        found = await asyncio.to_thread(inspect, machine.database)
        free = shutil.disk_usage(found.path.parent).free
    except StorageError as problem:
        return Verdict.FAILED, f"HEARTS_DATABASE is {str(machine.database)!r}, and {problem}."
    text = f"{found.path} will be made at the first start"
    if found.exists:
        text = f"{found.path}: {size(found.size)}, sound"
        if found.in_use:
            text += ", in use by a running bot"
        if found.schema < NEWEST:
            text += f"; the next start updates its schema from {found.schema} to {NEWEST}: back it up first"
    text += f"; {size(free)} free on its disk"
    if free < NO_ROOM:
        return Verdict.FAILED, f"{text}: soon nothing can be saved."
    if free < LITTLE_ROOM:
        return Verdict.NOTE, f"{text}: make room."
    return Verdict.OK, text


async def thinking(_: Machine) -> tuple[Verdict, str]:
    """The processors and the memory that strong computers have beside the bot."""
    count, memory = processors(), _memory()
    found = f"processors: {count}, memory: {size(memory) if memory else 'unknown'}"
    if count < 2:
        return Verdict.NOTE, f"{found}. With one processor strong computers often play like medium ones."
    if memory and memory < ENOUGH_MEMORY:
        return Verdict.NOTE, f"{found}. Strong computers need {size(ENOUGH_MEMORY)}."
    return Verdict.OK, found


def _memory() -> int | None:
    """The bytes of the machine's memory, or its container's."""
    limits = []
    if hasattr(os, "sysconf"):  # not on Windows
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # the word `max` where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits, default=None)


async def compiled(_: Machine) -> tuple[Verdict, str]:
    """Whether strong computers' compiled code can be kept, so that they start at once."""
    import_module("engine.kernel.compiled")  # chooses the folder
    folder = import_module("numba").config.CACHE_DIR  # empty if there is none
    if not os.access(folder, os.W_OK):
        advice = "Set NUMBA_CACHE_DIR to a folder that can be written."
        return Verdict.NOTE, f"Strong computers compile for a minute at each start. {advice}"
    if glob("**/playing.try_cards-*.nbc", root_dir=folder, recursive=True):
        return Verdict.OK, f"it's in {folder}"
    return Verdict.OK, f"not there yet: compiling takes a minute, once. It will be in {folder}"


async def pictures(machine: Machine) -> tuple[Verdict, str]:
    """Draw in a process of its own, as the bot does; the first picture also waits for that to start."""
    drawing = DrawingProcess()
    draw = machine.draw or drawing.draw
    try:
        for hand in HANDS:
            began = time.perf_counter()
            picture = await draw(hand)
            assert picture
            machine.drawn.append(picture)
    except (Failed, Lost) as error:
        return Verdict.FAILED, f"A picture can't be drawn: {str(error).strip().splitlines()[-1]}"
    finally:
        drawing.close()
    seconds = time.perf_counter() - began
    if seconds > SLOW_PICTURE:
        return Verdict.NOTE, f"{seconds * 1000:.0f} ms for one: words will often take its place."
    return Verdict.OK, f"{seconds * 1000:.0f} ms for one"


DATABASE = {"Database": database}
MACHINE = {"Thinking": thinking, "Compiled code": compiled, "Pictures": pictures}
