"""The bot's process while Discord is away, and what `python -m bot health` says of it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from openapi import Description, faults
from pages import HALF, Page
from simcord.backend.errors import BackendError
from wire import Wire, answer_with, start

from bot import heartbeat
from engine import __version__
from tests import operations
from tests.operations import ROOT, TOKEN

pytestmark = pytest.mark.slow

#: Seconds between two looks at how the bot is; a process of `health` for each would take a whole processor.
GLANCE = 0.05


@asynccontextmanager
async def running(wire: Wire, path: Path, **settings: str) -> AsyncIterator[Process]:
    """The bot, for which Discord is or would be there."""
    given = {"HEARTS_DATABASE": str(path), "HEARTS_LOG_LEVEL": "INFO", **settings}
    bot = await start(wire.url, path.parent, **given)
    try:
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.communicate()


async def log_until(bot: Process, words: str = "Trying again in") -> list[str]:
    """The next lines of the log, up to the one with these words."""
    lines = [""]
    while words not in lines[-1]:
        lines.append((await bot.stderr.readline()).decode())
        assert lines[-1], "it has ended"
    return lines[1:]


async def run(command: str, path: Path) -> tuple[int, str]:
    """Exit status and output of `python -m bot health` or another command."""
    done = await asyncio.to_thread(operations.bot, command, database=path)
    return done.returncode, done.stdout + done.stderr


async def wait_for_health(path: Path, status: int) -> str:
    """What it says once it ends with this status."""
    async with asyncio.timeout(60):
        while (heartbeat.health_problem(path) is None) == bool(status):  # noqa: ASYNC110
            await asyncio.sleep(GLANCE)
    found, sentence = await run("health", path)
    assert found == status
    return sentence


async def test_it_waits_for_the_network_with_growing_pauses_and_not_where_its_token_is_unknown(
    wire: Wire, path: Path
) -> None:
    await wire.close()
    async with running(wire, path, DISCORD_TOKEN="MTA5.another.token") as bot:
        lines = [(await log_until(bot))[-1] for _ in range(3)]
        await wire.open()
        _, error = await bot.communicate()
    assert [re.findall(r"Trying again in (\d+) s\.", line) for line in lines] == [["1"], ["2"], ["4"]]
    assert all("WARNING" in line and "Discord can't be reached (" in line for line in lines)
    assert bot.returncode == 2
    assert error.decode().splitlines()[-1] == "Discord doesn't know the token in DISCORD_TOKEN."


@pytest.mark.parametrize("format", ["text", "json"])
async def test_the_token_is_in_no_log_not_even_at_debug(wire: Wire, path: Path, format: str) -> None:
    answer_with("GET", "/users/@me", BackendError(400, 0, f"You sent Bot {TOKEN}"), times=1)(wire)
    async with running(wire, path, HEARTS_LOG_FORMAT=format, HEARTS_LOG_LEVEL="DEBUG") as bot:
        lines = await log_until(bot)
        bot.send_signal(signal.SIGTERM)
        out, rest = await bot.communicate()
    assert (bot.returncode, out) == (0, b"")
    written = "".join([*lines, rest.decode()])
    assert "discord.http" not in written  # it would tell hidden cards as well
    assert "You sent Bot ***" in written
    assert "Traceback" in written
    assert TOKEN not in written
    if format == "json":
        told = [json.loads(line) for line in written.splitlines()]
        assert {"DEBUG", "INFO"} <= {line["level"] for line in told}
        assert all({"time", "level", "logger", "message"} <= set(line) for line in told)
        [refused] = [line for line in told if line["message"] == "the connection to Discord ended"]
        assert refused["error"].startswith("Traceback")


async def test_it_is_well_while_it_is_connected_and_does_not_stand_still(
    wire: Wire, path: Path, description: Description | None
) -> None:
    nobody = f"No bot with the database {str(path)!r} is connected to Discord.\n"
    assert await run("health", path) == (1, nobody)
    await wire.close()
    # It is well, although this is refused.
    answer_with("PUT", r"/applications/\d+/commands", BackendError(400, 30034, "Later"), times=1)(wire)
    async with running(wire, path) as bot:
        await log_until(bot)
        assert (await run("health", path))[0] == 1
        await wire.open()
        assert await wait_for_health(path, 0) == "The bot is connected to Discord.\n"
        await log_until(bot, "the commands have to wait 60 s")
        wire.has_gateway = False
        await wire.disconnect()
        assert (await wait_for_health(path, 1)).startswith("No bot with the database")
        wire.has_gateway = True
        await wait_for_health(path, 0)
        _, told = await run("status", path)
        assert re.match(rf"version +{re.escape(__version__)}\nrunning for +\d+ s\n", told)

        bot.send_signal(signal.SIGSTOP)
        [file] = path.parent.glob("*.heartbeat")
        long_ago = time.time() - heartbeat.STALE - 5
        os.utime(file, (long_ago, long_ago))
        status, sentence = await run("health", path)
        assert status == 1
        assert sentence.startswith("The bot isn't responding: its last heartbeat was 2")
        bot.send_signal(signal.SIGCONT)
        await wait_for_health(path, 0)
        bot.send_signal(signal.SIGTERM)
        await bot.communicate()
    assert bot.returncode == 0
    assert await run("status", path) == await run("health", path) == (1, nobody)
    assert faults(wire.requests, description) == []


@pytest.mark.parametrize(
    ("asked", "odd"),
    [
        pytest.param("/users/@me", Page(200), id="a page"),
        pytest.param("/users/@me", Page(200, HALF), id="half an answer"),
        pytest.param("/users/@me", Page(401), id="401 with a page"),
        pytest.param("/oauth2/applications/@me", BackendError(404, 0, "No"), id="404"),
        pytest.param("/gateway/bot", Page(200), id="a page for the gateway"),
    ],
)
async def test_what_is_no_answer_of_discords_is_no_reason_to_end(
    wire: Wire, path: Path, asked: str, odd: Exception
) -> None:
    answer_with("GET", asked, odd, times=1)(wire)
    async with running(wire, path) as bot:
        line = (await log_until(bot))[-1]
        assert "Discord isn't working (" in line or "Discord can't be reached (" in line
        await wait_for_health(path, 0)


@pytest.mark.parametrize("code", [4004, 4011, 4014])
async def test_a_connection_that_discord_will_never_accept_ends_it(wire: Wire, path: Path, code: int) -> None:
    wire.closes_with = code
    async with running(wire, path) as bot:
        _, error = await bot.communicate()
    assert bot.returncode == 2
    sentence = error.decode().splitlines()[-1]
    assert sentence.endswith(".")
    assert ("token" if code == 4004 else f"({code})") in sentence
    assert b"Traceback" not in error


async def test_a_bot_that_has_outgrown_its_connections_asks_for_their_number(wire: Wire, path: Path) -> None:
    async with running(wire, path) as bot:
        await wait_for_health(path, 0)
        wire.closes_with = 4011
        await wire.say({"op": 9, "d": False})  # this session is over
        await log_until(bot)
        wire.closes_with = None
        await wait_for_health(path, 0)
    assert sum(call.path == "/gateway/bot" for call in wire.calls) == 2


async def test_no_event_ends_it_and_a_connection_that_closes_at_once_is_not_tried_at_once(
    wire: Wire, path: Path
) -> None:
    odd: list[Any] = [
        {"op": 0, "t": "MESSAGE_UPDATE", "s": 2, "d": {"guild_id": None}},
        {"op": 0, "t": "GUILD_CREATE", "s": 3, "d": {}},
        {"op": 0, "t": "RESUMED", "s": 4, "d": None},
        None,
    ]
    async with running(wire, path) as bot:

        async def wait_for_connections(count: int) -> None:
            while len(wire.connected) < count:  # noqa: ASYNC110
                await asyncio.sleep(GLANCE)

        for event in odd:
            await wait_for_health(path, 0)
            connections = len(wire.connected)
            await wire.say(event)
            if odd.index(event) > 1:  # discord.py can't go on with this connection
                await log_until(bot, "Trying again in 1 s.")
                await wait_for_connections(connections + 1)
        await wait_for_health(path, 0)
        lost = len(wire.connected)
        wire.closes_with = 0
        await wire.disconnect()
        await wait_for_connections(lost + 3)
        assert all(after - before > 0.9 for before, after in pairwise(wire.connected[lost:]))
        wire.closes_with = None
        await wait_for_health(path, 0)
        assert bot.returncode is None


def test_health_is_told_without_loading_the_library() -> None:
    code = "import sys, bot.__main__; print({'discord', 'aiohttp', 'aiosqlite'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "set()\n"
