"""`python -m bot`: the bot on Discord, or with `--local` in a browser; `backup` copies the database."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import aiohttp
import discord

from bot import pauses
from bot.client import HeartsBot
from bot.config import ConfigError, Settings
from bot.logs import set_up
from engine.errors import Refusal, StorageError
from engine.storage.backup import back_up
from engine.storage.database import Database

log = logging.getLogger(__name__)

NO_TOKEN = (
    "DISCORD_TOKEN is not set. Put your bot's token into .env (see README.md), "
    "or play without one in your browser: python -m bot --local"
)
#: Seconds between two edits of a post in local mode, where nobody counts calls.
LOCAL_SPACING = 0.2


class Unreachable(Exception):
    """Discord gives no answer: a sentence."""


def main() -> None:
    """Run until stopped; exit status 2 with one sentence where settings, database or backup are wrong."""
    _prepare_outputs()
    arguments = _parser().parse_args()
    try:
        settings = Settings.read()
        if arguments.command == "backup":
            _back_up(settings.database, arguments.file)
        else:
            _run(settings, local=arguments.local)
    except ConfigError as problem:
        _end(str(problem), 2)


def _prepare_outputs() -> None:
    """What is said to a closed output is said to nobody, and a name that is no text can be said."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _say(text: str) -> None:
    try:
        print(text, flush=True)  # noqa: T201
    except OSError as problem:  # a full disk, or a reader that went away
        # Python flushes standard output at its end, and must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _end(f"Cannot write: {problem.strerror}.", 1)


def _end(sentence: str, status: int) -> NoReturn:
    with suppress(OSError):
        print(sentence, file=sys.stderr)  # noqa: T201
    sys.exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Hearts in Discord.")
    parser.add_argument("--local", action="store_true", help="play in a browser, without Discord or a token")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    backup = commands.add_parser("backup", help="copy the database safely, even while the bot runs")
    backup.add_argument("file", metavar="FILE", type=Path, help="where to; it must not exist yet")
    return parser


def _run(settings: Settings, *, local: bool) -> None:
    level = max(settings.log_level, logging.WARNING) if local else settings.log_level
    set_up(level, settings.log_format, settings.token)
    try:
        asyncio.run(_until_stopped(_play_locally(settings) if local else _serve(settings)))
    except ConfigError:
        raise
    except (Unreachable, Refusal) as problem:
        log.critical("The bot cannot start: %s", problem)
        sys.exit(1)
    except Exception:
        # Not left to Python, whose traceback nothing would mask.
        log.critical("The bot has stopped because of an error.", exc_info=True)
        sys.exit(1)


def _back_up(database: Path, copy: Path) -> None:
    try:
        back_up(database, copy)
    except StorageError as problem:
        raise ConfigError(f"No backup was made of HEARTS_DATABASE, {str(database)!r}: {problem}.") from None
    _say(f"{copy} is a copy of {database}: {copy.stat().st_size} bytes.")


async def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
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


async def _serve(settings: Settings) -> None:
    if settings.token is None:
        raise ConfigError(NO_TOKEN)
    async with HeartsBot(await _open(settings.database), calls=settings.calls_per_second) as bot:
        try:
            with pauses.short_after():
                await bot.login(settings.token)  # and all tables are taken up
        except discord.LoginFailure:
            raise ConfigError("DISCORD_TOKEN is not a token that Discord knows.") from None
        except (aiohttp.ClientError, TimeoutError) as problem:
            raise Unreachable(f"Discord cannot be reached ({problem}).") from None
        await bot.connect()


async def _play_locally(settings: Settings) -> None:
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
        bot = HeartsBot(await _open(Path(folder) / "hearts.sqlite3"), shard_count=1)
        bot.delivery.posts.spacing = LOCAL_SPACING
        bot.thinking.prepare()  # a newcomer should not wait for the first hint until all is compiled
        try:
            await local.serve(bot, port=settings.local_port, ready=lambda url: _say(local.greeting(url)))
        except local.PortTaken as taken:
            raise ConfigError(str(taken)) from None


async def _open(path: Path) -> Database:
    try:
        return await Database.open(path)
    except StorageError as problem:
        raise ConfigError(f"HEARTS_DATABASE is {str(path)!r}, which cannot be used: {problem}.") from None


if __name__ == "__main__":
    main()
