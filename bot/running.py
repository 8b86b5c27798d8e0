"""The bot at work, on Discord or in a browser, until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import discord

from bot.client import HeartsBot
from bot.config import Address, ConfigError, Settings
from bot.faults import Fault, fault_of
from bot.figures import Read
from bot.heartbeat import beating
from engine.errors import StorageError
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: Seconds between two edits of a post in local mode, where nobody counts calls.
LOCAL_SPACING = 0.2
#: Seconds before Discord is tried again, at first and at most.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
#: New objects before the youngest are searched, and searches before the next older are searched as well.
THRESHOLDS = (5_000, 4, 200)
#: Seconds after which a thread at work lets on another one that waits.
TURN = 0.0001


class Unreachable(Exception):
    """Discord cannot be reached, or is out of order: a sentence."""


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run this until it ends, or until Ctrl-C or SIGTERM ends it in good order."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if not task.cancelling():  # a second time would interrupt the good order itself
            task.cancel()

    # Not by the loop, whose own way Windows lacks.
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop)) for number in numbers]
    try:
        with suppress(asyncio.CancelledError):
            await task
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler or signal.SIG_DFL)


async def serve(settings: Settings) -> None:
    """Play on Discord. Wait for it, with growing pauses, while it cannot be reached."""
    pause = FIRST_PAUSE
    async with _metrics(settings.metrics) as show:
        while True:
            try:
                await _serve(settings, show)
                return
            except Unreachable as problem:
                log.warning("%s Trying again in %.0f s.", problem, pause)
            gc.collect()  # what was set up for this try, before the next one is kept for good
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)


async def _serve(settings: Settings, show: Callable[[Read], None]) -> None:
    assert settings.token is not None
    database = await _open(settings.database)
    async with HeartsBot(database, calls=settings.calls_per_second) as bot:
        show(bot.monitor.read)
        try:
            async with beating(settings.database, lambda: _is_connected(bot)):
                with freeze_heap_after():
                    await bot.login(settings.token)  # and all tables are taken up
                await bot.connect()
        except discord.LoginFailure:
            raise ConfigError("DISCORD_TOKEN is not a token that Discord knows.") from None
        except (aiohttp.ClientError, ConnectionError, TimeoutError, discord.GatewayNotFound) as problem:
            raise Unreachable(f"Discord cannot be reached ({problem}).") from None
        except discord.HTTPException as problem:
            if fault_of(problem) is not Fault.LATER:
                raise
            raise Unreachable(f"Discord is out of order ({problem}).") from None


@contextmanager
def freeze_heap_after() -> Iterator[None]:
    """Search for no garbage within, nor ever again in what is there after it, and seldom in the rest.

    Where it raises, what is there is garbage, and can still be found.

    The tables of a full server are some hundred thousand objects without a cycle. Searching them took up
    to 300 ms, every other second under load (measured by `python -m tests.bench.tables`).

    After each statement the database's thread waits for its turn: fifty times as long as ours, as Python has
    it, made a busy loop keep 200 tables waiting for the disk for most of a second.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.set_threshold(*THRESHOLDS)
        gc.enable()
        sys.setswitchinterval(TURN)


def _is_connected(bot: HeartsBot) -> bool:
    """Whether the gateway hears and tells us everything."""
    return bot.is_ready() and not any(shard.is_closed() for shard in bot.shards.values())


async def play_locally(settings: Settings, say: Callable[[str], None]) -> None:
    """In a browser, whose address is said once the page is there."""
    # The simulation makes a client of its own without intents, of which the library would warn.
    logging.getLogger("discord.state").setLevel(logging.ERROR)
    try:
        from bot import local
    except ModuleNotFoundError as missing:
        raise ConfigError(
            f"Local mode needs {missing.name}: pip install '.[local]' (see README.md)."
        ) from None

    # Each local Discord starts empty, and so does its database.
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        async with _metrics(settings.metrics) as show:
            bot = HeartsBot(await _open(Path(folder) / "hearts.sqlite3"), shard_count=1)
            show(bot.monitor.read)
            bot.delivery.posts.spacing = LOCAL_SPACING
            bot.thinking.prepare()  # a newcomer should not wait for the first hint until all is compiled
            try:
                await local.serve(bot, port=settings.local_port, ready=lambda url: say(local.greeting(url)))
            except local.PortTaken as taken:
                raise ConfigError(str(taken)) from None


@asynccontextmanager
async def _metrics(address: Address | None) -> AsyncIterator[Callable[[Read], None]]:
    """Serve metrics, if they are wanted; yields what is to be called with the way to read the figures."""
    if address is None:
        yield lambda read: None
        return
    from bot import metrics  # its library is loaded only where it is used

    async with metrics.serving(address) as show:
        yield show


async def _open(path: Path) -> Database:
    try:
        return await Database.open(path)
    except StorageError as problem:
        raise ConfigError(f"HEARTS_DATABASE is {str(path)!r}, which cannot be used: {problem}.") from None
