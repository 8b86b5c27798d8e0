"""Connects the bot to Discord, until it is stopped or Discord can't be reached."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import discord

from bot.client import HeartsBot
from bot.config import ConfigError, Settings
from bot.discord.faults import NETWORK, in_short
from bot.heartbeat import beating
from bot.operator.figures import Read
from bot.operator.messages import status
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: The content type that discord.py reads as JSON.
JSON = "application/json"
UNKNOWN_TOKEN = "Discord doesn't know the token in DISCORD_TOKEN."
#: Codes with which the gateway closes a connection for good: what they mean.
CLOSED = {
    4004: UNKNOWN_TOKEN,
    4010: "Discord refuses the number of this connection (4010): update the bot.",
    4011: "The bot is in too many servers for one connection (4011): start it again.",
    4012: "Discord no longer knows the version of its API that the bot uses (4012): update the bot.",
    4013: "Discord doesn't know the intents that the bot asks for (4013): update the bot.",
    4014: "Discord doesn't allow the intents that the bot asks for (4014): update the bot.",
}
#: The garbage collector's thresholds for its three generations.
THRESHOLDS = (5_000, 4, 200)
#: Seconds between two looks at whether the process has stood still.
LOOKS_EVERY = 2.0
#: Seconds after which a running thread gives way to a waiting one.
TURN = 0.0001


class Unreachable(Exception):
    """Discord can't be reached or doesn't work: a sentence, and whether it could be before."""

    def __init__(self, sentence: str, *, was_ready: bool) -> None:
        super().__init__(sentence)
        self.was_ready = was_ready


async def play(settings: Settings, database: Database, show: Callable[[Read], None]) -> None:
    """Play on Discord until cancelled; `show` is given the reader of the bot's figures."""
    assert settings.token is not None
    async with HeartsBot(database, calls=settings.calls_per_second) as bot:
        show(bot.monitor.read)
        try:
            async with beating(settings.database, lambda: _status(bot)):
                with freeze_heap_after():
                    await bot.login(settings.token)  # which also resumes all tables
                bot.tables.presence.watch(LOOKS_EVERY)
                await bot.connect()
        except Exception as problem:
            if (sentence := _refusal(problem)) and not (bot.is_ready() and _wants_other_shards(problem)):
                raise ConfigError(sentence) from None
            if bot.is_setting_up:
                raise  # it is ours
            log.debug("the connection to Discord ended", exc_info=problem)
            away = isinstance(problem, (*NETWORK, discord.GatewayNotFound))
            what = "can't be reached" if away else "isn't working"
            sentence = f"Discord {what} ({in_short(problem)})."
            raise Unreachable(sentence, was_ready=bot.is_ready()) from None


def _refusal(problem: Exception) -> str | None:
    """Why Discord will never let this bot in, in a sentence; None if it may later."""
    if isinstance(problem, discord.PrivilegedIntentsRequired):
        return CLOSED[4014]
    if isinstance(problem, discord.ConnectionClosed):
        return CLOSED.get(problem.code)
    refused = problem.__cause__
    # Anyone between us and Discord can refuse with a page, which means nothing for long.
    if isinstance(problem, discord.LoginFailure) and isinstance(refused, discord.HTTPException):
        return UNKNOWN_TOKEN if refused.response.headers.get("Content-Type") == JSON else None
    return None


def _wants_other_shards(problem: Exception) -> bool:
    """Whether the bot's servers need another number of connections, for which the next try asks."""
    return isinstance(problem, discord.ConnectionClosed) and problem.code in (4010, 4011)


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


def _status(bot: HeartsBot) -> str | None:
    return status(bot.monitor.read()) if _is_connected(bot) else None


def _is_connected(bot: HeartsBot) -> bool:
    """Whether all gateway connections are up."""
    return bot.is_ready() and not any(shard.is_closed() for shard in bot.shards.values())
