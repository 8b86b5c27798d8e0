"""The bot while Discord is away, and what `python -m bot health` says of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot import heartbeat
from engine import __version__
from tests import operations
from tests.operations import ROOT, TOKEN
from tests.scraping import free_port
from tests.small_discord import as_json, half, page, small_discord, start_bot

pytestmark = pytest.mark.slow

LONG = 60.0  # seconds
#: Seconds between two looks at how the bot is; a process of `health` for each would take a whole processor.
GLANCE = 0.05


@pytest.fixture
def port() -> int:
    """A port on which nobody listens yet."""
    return free_port()


@contextmanager
def running(port: int, path: Path, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """The bot while Discord would be on this port."""
    bot = start_bot(port, path, **settings)
    try:
        yield bot
    finally:
        bot.kill()
        bot.communicate()


def log_until(bot: subprocess.Popen[str], words: str = "Trying again in") -> list[str]:
    """The next lines of the log, up to the one with these words."""
    assert bot.stderr is not None
    lines = [""]
    while words not in lines[-1]:
        lines.append(bot.stderr.readline())
        assert lines[-1], "it has ended"
    return lines[1:]


def health(path: Path) -> tuple[int, str]:
    """Exit status and sentence of `python -m bot health`."""
    done = operations.bot("health", database=path)
    return done.returncode, done.stdout + done.stderr


def wait_for_health(path: Path, status: int) -> str:
    """What it says once it ends with this status."""
    deadline = time.monotonic() + LONG
    while (heartbeat.health_problem(path) is None) == bool(status):
        assert time.monotonic() < deadline, health(path)
        time.sleep(GLANCE)
    found, sentence = health(path)
    assert found == status
    return sentence


def test_it_waits_for_the_network_with_growing_pauses_and_not_where_its_token_is_unknown(
    port: int, path: Path
) -> None:
    with running(port, path, DISCORD_TOKEN="MTA5.another.token") as bot:
        lines = [log_until(bot)[-1] for _ in range(3)]
        with small_discord(port):
            _, error = bot.communicate(timeout=LONG)
    assert [re.findall(r"Trying again in (\d+) s\.", line) for line in lines] == [["1"], ["2"], ["4"]]
    assert all("WARNING" in line and "Discord can't be reached (" in line for line in lines)
    assert bot.returncode == 2
    assert error.splitlines()[-1] == "Discord doesn't know the token in DISCORD_TOKEN."


@pytest.mark.parametrize("format", ["text", "json"])
def test_the_token_is_in_no_log_not_even_at_debug(port: int, path: Path, format: str) -> None:
    with small_discord(port) as discord:
        discord.instead["/users/@me"] = [as_json({"code": 0, "message": f"You sent Bot {TOKEN}"}, 400)]
        with running(port, path, HEARTS_LOG_FORMAT=format, HEARTS_LOG_LEVEL="DEBUG") as bot:
            lines = log_until(bot)
            bot.send_signal(signal.SIGTERM)
            out, rest = bot.communicate(timeout=LONG)
    assert (bot.returncode, out) == (0, "")
    written = "".join([*lines, rest])
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


def test_it_is_well_while_it_is_connected_and_does_not_stand_still(port: int, path: Path) -> None:
    assert health(path) == (1, f"No bot with the database {str(path)!r} is connected to Discord.\n")
    with running(port, path) as bot:
        log_until(bot)
        assert health(path)[0] == 1
        with small_discord(port) as discord:
            # It is well, although this is refused.
            discord.instead["/applications/42/commands"] = [as_json({"code": 30034}, 400)]
            assert wait_for_health(path, 0) == "The bot is connected to Discord.\n"
            log_until(bot, "the commands have to wait 60 s")
            discord.close_gateway()
            assert wait_for_health(path, 1).startswith("No bot with the database")
            discord.is_open = True
            wait_for_health(path, 0)
            told = operations.bot("status", database=path).stdout
            assert re.match(rf"version +{re.escape(__version__)}\nrunning for +\d+ s\n", told)

            bot.send_signal(signal.SIGSTOP)
            [file] = path.parent.glob("*.heartbeat")
            long_ago = time.time() - heartbeat.STALE - 5
            os.utime(file, (long_ago, long_ago))
            status, sentence = health(path)
            assert status == 1
            assert sentence.startswith("The bot isn't responding: its last heartbeat was 2")
            bot.send_signal(signal.SIGCONT)
            wait_for_health(path, 0)

            bot.send_signal(signal.SIGTERM)
            bot.communicate(timeout=LONG)
        assert bot.returncode == 0
    stopped = operations.bot("status", database=path)
    assert (stopped.returncode, stopped.stdout + stopped.stderr) == health(path)
    assert stopped.returncode == 1


@pytest.mark.parametrize(
    ("path_asked", "odd"),
    [
        pytest.param("/users/@me", lambda: page(200), id="a page"),
        pytest.param("/users/@me", half, id="half an answer"),
        pytest.param("/users/@me", lambda: page(401), id="401 with a page"),
        pytest.param("/oauth2/applications/@me", lambda: as_json({"code": 0}, 404), id="404"),
        pytest.param("/gateway/bot", lambda: page(200), id="a page for the gateway"),
    ],
)
def test_what_is_no_answer_of_discords_is_no_reason_to_end(
    port: int, path: Path, path_asked: str, odd: Callable[[], web.Response]
) -> None:
    with small_discord(port) as discord, running(port, path) as bot:
        discord.instead[path_asked] = [odd()]
        line = log_until(bot)[-1]
        assert "Discord isn't working (" in line or "Discord can't be reached (" in line
        wait_for_health(path, 0)


@pytest.mark.parametrize("code", [4004, 4011, 4014])
def test_a_connection_that_discord_will_never_accept_ends_it(port: int, path: Path, code: int) -> None:
    with small_discord(port) as discord:
        discord.closes_with = code
        with running(port, path) as bot:
            _, error = bot.communicate(timeout=LONG)
    assert bot.returncode == 2
    sentence = error.splitlines()[-1]
    assert sentence.endswith(".")
    assert ("token" if code == 4004 else f"({code})") in sentence
    assert "Traceback" not in error


def test_a_bot_that_has_outgrown_its_connections_asks_for_their_number(port: int, path: Path) -> None:
    with small_discord(port) as discord, running(port, path) as bot:
        wait_for_health(path, 0)
        discord.closes_with = 4011
        discord.say(json.dumps({"op": 9, "d": False}))  # this session is over
        log_until(bot)
        discord.closes_with = None
        wait_for_health(path, 0)
    assert discord.asked.count("GET /gateway/bot") == 2


def test_no_event_ends_it_and_a_connection_that_closes_at_once_is_not_tried_at_once(
    port: int, path: Path
) -> None:
    odd: list[Any] = [
        {"op": 0, "t": "MESSAGE_UPDATE", "s": 2, "d": {"guild_id": None}},
        {"op": 0, "t": "GUILD_CREATE", "s": 3, "d": {}},
        {"op": 0, "t": "RESUMED", "s": 4, "d": None},
        None,
    ]
    with small_discord(port) as discord, running(port, path) as bot:
        for event in odd:
            wait_for_health(path, 0)
            connections = len(discord.connected)
            discord.say(json.dumps(event))
            if odd.index(event) > 1:  # discord.py can't go on with this connection
                log_until(bot, "Trying again in 1 s.")
                while len(discord.connected) == connections:
                    time.sleep(GLANCE)
        wait_for_health(path, 0)
        lost = len(discord.connected)
        discord.closes_with = 0
        discord.end_connections()
        while len(discord.connected) < lost + 3:
            time.sleep(GLANCE)
        assert all(after - before > 0.9 for before, after in pairwise(discord.connected[lost:]))
        discord.closes_with = None
        wait_for_health(path, 0)
        assert bot.poll() is None


def test_health_is_told_without_loading_the_library() -> None:
    code = "import sys, bot.__main__; print({'discord', 'aiohttp', 'aiosqlite'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "set()\n"
