"""Runs the bot, on Discord or in a browser, until it is stopped."""

import asyncio
import gc
import logging
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from bot.config import Address, ConfigError, Settings
from bot.operator.figures import Collect
from engine.errors import StorageError
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: Seconds between two edits of a post in local mode, which has no rate limits.
LOCAL_SPACING = 0.2
#: Seconds before connecting to Discord is retried, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run this until it ends, or cancel it cleanly on Ctrl-C or SIGTERM."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if not task.cancelling():  # a second time would interrupt the clean-up
            task.cancel()

    # Not loop.add_signal_handler, which Windows lacks.
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop)) for number in numbers]
    try:
        with suppress(asyncio.CancelledError):
            await task
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler or signal.SIG_DFL)


async def serve(settings: Settings) -> None:
    """Play on Discord; while it can't be reached, retry with growing pauses."""
    pause = FIRST_PAUSE
    async with _metrics(settings.metrics) as show:
        while True:
            database = await _open(settings.database)
            from bot import connection  # slow to import, and not needed to report a wrong setting

            try:
                await connection.play(settings, database, show)
                return
            except connection.Unreachable as problem:
                pause = FIRST_PAUSE if problem.was_ready else pause
                log.warning("%s Trying again in %.0f s.", problem, pause)
            gc.collect()  # frees this try's objects before the next try freezes the heap
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)


async def play_locally(settings: Settings, say: Callable[[str], None]) -> None:
    """Play in a browser; its address is printed once the page is ready."""
    # The simulation creates a client without intents, about which discord.py would warn.
    logging.getLogger("discord.state").setLevel(logging.ERROR)
    async with _metrics(settings.metrics) as show:
        from bot.client import HeartsBot  # before simcord, whose warnings it silences

        try:
            from bot import local
        except ModuleNotFoundError as missing:
            raise ConfigError(
                f"Local mode needs {missing.name}: pip install '.[local]' (see README.md)."
            ) from None
        # Each local Discord starts empty, so its database has to as well.
        with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
            bot = HeartsBot(await _open(Path(folder) / "hearts.sqlite3"), shard_count=1)
            show(bot.monitor.collect)
            bot.delivery.posts.spacing = LOCAL_SPACING
            bot.thinking.prepare()  # so that the first hint needn't wait for compilation
            await local.serve(bot, port=settings.local_port, say=say)


@asynccontextmanager
async def _metrics(address: Address | None) -> AsyncIterator[Callable[[Collect], None]]:
    """Serve metrics within the context if asked to; yields a function to call with a bot's `collect`."""
    if address is None:
        yield lambda collect: None
        return
    from bot.operator import metrics  # slow to import, and mostly not needed

    async with metrics.serving(address) as show:
        yield show


async def _open(path: Path) -> Database:
    try:
        return await Database.open(path)
    except StorageError as problem:
        raise ConfigError(f"HEARTS_DATABASE is {str(path)!r}, which can't be used: {problem}.") from None
