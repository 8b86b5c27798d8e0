"""Connects the bot to Discord, until it is stopped or Discord can't be reached."""

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
from bot.operator.figures import Collect
from bot.operator.messages import status
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: The content type that discord.py reads as JSON.
JSON = "application/json"
UNKNOWN_TOKEN = "Discord doesn't know the token in DISCORD_TOKEN."
#: The gateway's close codes that are final, with a sentence about each.
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
#: Seconds between two checks whether the process was suspended.
LOOKS_EVERY = 2.0
#: Seconds that a thread may run while another one waits (Python's switch interval).
TURN = 0.0001


class Unreachable(Exception):
    """Discord can't be reached or isn't working; `was_ready` says whether the bot had been connected."""

    def __init__(self, sentence: str, *, was_ready: bool) -> None:
        super().__init__(sentence)
        self.was_ready = was_ready


async def play(settings: Settings, database: Database, show: Callable[[Collect], None]) -> None:
    """Play on Discord until cancelled; `show` is given the bot's `Monitor.collect`."""
    assert settings.token is not None
    async with HeartsBot(database, calls=settings.calls_per_second) as bot:
        show(bot.monitor.collect)
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
                raise  # the error is ours, not Discord's
            log.debug("the connection to Discord ended", exc_info=problem)
            away = isinstance(problem, (*NETWORK, discord.GatewayNotFound))
            what = "can't be reached" if away else "isn't working"
            sentence = f"Discord {what} ({in_short(problem)})."
            raise Unreachable(sentence, was_ready=bot.is_ready()) from None


def _refusal(problem: Exception) -> str | None:
    """Why Discord refuses this bot for good, in a sentence; None if it may let it in later."""
    if isinstance(problem, discord.PrivilegedIntentsRequired):
        return CLOSED[4014]
    if isinstance(problem, discord.ConnectionClosed):
        return CLOSED.get(problem.code)
    cause = problem.__cause__
    # A proxy can also refuse, with a page; only an answer in JSON comes from Discord itself.
    if isinstance(problem, discord.LoginFailure) and isinstance(cause, discord.HTTPException):
        return UNKNOWN_TOKEN if cause.response.headers.get("Content-Type") == JSON else None
    return None


def _wants_other_shards(problem: Exception) -> bool:
    """Whether Discord wants another number of connections, which the next try asks it for."""
    return isinstance(problem, discord.ConnectionClosed) and problem.code in (4010, 4011)


@contextmanager
def freeze_heap_after() -> Iterator[None]:
    """Collect no garbage within the context; then freeze what exists, and collect the rest rarely.

    If the body raises, nothing is frozen, so that everything can still be collected.

    The tables of a full server are some hundred thousand objects without cycles. Searching them took up to
    300 ms, every other second under load (measured with `python -m tests.bench.tables`).

    The switch interval is shortened too, as the database's thread waits for the interpreter after each
    statement: with Python's interval, fifty times ours, a busy loop kept 200 tables waiting for the disk for
    most of a second.
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
    return status(bot.monitor.read(), bot.monitor.running) if _is_connected(bot) else None


def _is_connected(bot: HeartsBot) -> bool:
    """Whether all gateway connections are up."""
    return bot.is_ready() and not any(shard.is_closed() for shard in bot.shards.values())
