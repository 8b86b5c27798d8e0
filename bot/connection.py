"""Connects the bot to Discord, until it is stopped or Discord can't be reached."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import aiohttp
import discord

from bot.client import HeartsBot
from bot.config import ConfigError, Settings
from bot.faults import Fault, fault_of
from bot.figures import Read
from bot.heartbeat import beating
from engine.storage.database import Database

#: The garbage collector's thresholds for its three generations.
THRESHOLDS = (5_000, 4, 200)
#: Seconds after which a running thread gives way to a waiting one.
TURN = 0.0001


class Unreachable(Exception):
    """Discord can't be reached or doesn't work: a sentence."""


async def play(settings: Settings, database: Database, show: Callable[[Read], None]) -> None:
    """Play on Discord until cancelled; `show` is given the reader of the bot's figures."""
    assert settings.token is not None
    async with HeartsBot(database, calls=settings.calls_per_second) as bot:
        show(bot.monitor.read)
        try:
            async with beating(settings.database, lambda: _is_connected(bot)):
                with freeze_heap_after():
                    await bot.login(settings.token)  # which also resumes all tables
                await bot.connect()
        except discord.LoginFailure:
            raise ConfigError("Discord doesn't know the token in DISCORD_TOKEN.") from None
        except (aiohttp.ClientError, ConnectionError, TimeoutError, discord.GatewayNotFound) as problem:
            raise Unreachable(f"Discord can't be reached ({problem}).") from None
        except discord.HTTPException as problem:
            if fault_of(problem) is not Fault.LATER:
                raise
            raise Unreachable(f"Discord isn't working ({problem}).") from None


@contextmanager
def freeze_heap_after() -> Iterator[None]:
    """Within, collect no garbage; afterwards leave out what exists then, and collect the rest rarely.

    If it raises, nothing is frozen, and everything can still be collected.

    The tables of a full server are some hundred thousand objects without cycles. Searching them took up to
    300 ms, every other second under load (measured with `python -m tests.bench.tables`).

    After each statement the database's thread waits for the interpreter. With Python's switch interval, fifty
    times as long as ours, a busy loop kept 200 tables waiting for the disk for most of a second.
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
    """Whether all gateway connections are up."""
    return bot.is_ready() and not any(shard.is_closed() for shard in bot.shards.values())
