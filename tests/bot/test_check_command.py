"""`python -m bot check` as whoever runs a bot starts it, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from test_check import asked, is_tidy
from tricks import MESSAGES
from wire import TOKEN, Wire

from engine.storage.database import Database
from engine.thinking.answers import warm_up

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
#: The command, with Discord at another address.
COMMAND = (
    "import sys, discord.http as h; h.Route.BASE = sys.argv.pop(1); from bot.__main__ import main; main()"
)
#: Where nobody answers.
NOWHERE = "http://127.0.0.1:9/api/v10"


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    """A Discord that does as simcord does."""
    wire = await Wire().open()
    yield wire
    await wire.close()


async def start(
    folder: Path, discord: str, *arguments: str, token: str = TOKEN, out: Any = PIPE, **settings: str
) -> Process:
    """Start it in this folder, with these settings and no others of its own."""
    ours = ("DISCORD_", "HEARTS_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    settings = {"DISCORD_TOKEN": token, "PYTHONPATH": str(PROJECT), **settings}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, discord, "check", *arguments),
        cwd=folder,
        env={**environment, **settings},
        stdout=out,
        stderr=PIPE,
    )


async def check(
    folder: Path, discord: str, *arguments: str, token: str = TOKEN, **settings: str
) -> tuple[int | None, str, str]:
    """Its exit status, and all that it says on each output."""
    process = await start(folder, discord, *arguments, token=token, **settings)
    out, error = await process.communicate()
    assert token not in out.decode() + error.decode() or not token
    assert "Traceback" not in error.decode()
    return process.returncode, out.decode(), error.decode()


def read(report: Path) -> Any:
    """A report for machines."""
    return json.loads(report.read_text())


def row(text: str, outcome: str, title: str) -> str:
    """What the report says in the line of this title, which has to end so."""
    lines = text.replace("\n" + " " * 11, " ").splitlines()
    return next(line for line in lines if line.startswith(f"{outcome:9}  {title}:"))


async def test_a_bot_that_is_ready_ends_with_status_0(wire: Wire, tmp_path: Path) -> None:
    status, out, error = await check(tmp_path, wire.base)
    assert (status, error) == (0, "")
    assert out.splitlines()[-1].startswith("Ready.")  # a busy machine draws slowly, which is noted
    assert os.listdir(tmp_path) == []


async def test_what_it_tries_in_a_channel_is_written_to_a_file(wire: Wire, tmp_path: Path) -> None:
    tried = ("--channel", str(wire.channel), "--wait", "0", "--json", "report.json")
    status, out, error = await check(tmp_path, wire.base, *tried)
    assert (status, error) == (0, "")
    outcomes = {one["title"]: one["outcome"] for one in read(tmp_path / "report.json")["results"]}
    assert (outcomes["Messages"], outcomes["Click"]) == ("ok", "not tried")
    row(out, "ok", "Messages")
    assert is_tidy(wire)


async def test_control_c_tidies_up(wire: Wire, tmp_path: Path) -> None:
    process = await start(tmp_path, wire.base, "--channel", str(wire.channel))
    await asked(wire)
    process.send_signal(signal.SIGINT)
    out, error = await process.communicate()
    assert process.returncode == 1
    assert error == b""
    assert out.decode().splitlines()[-1] == "The check was interrupted."
    row(out.decode(), "ok", "Cleaned up")
    assert is_tidy(wire)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
async def test_an_output_that_is_full_does_not_keep_it_from_tidying_up(wire: Wire, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:  # noqa: ASYNC230
        process = await start(tmp_path, wire.base, "--channel", str(wire.channel), "--wait", "0", out=full)
    _, error = await process.communicate()
    assert process.returncode == 1
    assert error.decode() == "Cannot write: No space left on device.\n"
    assert any(call.matches("POST", MESSAGES) for call in wire.calls)
    assert is_tidy(wire)


async def test_machines_read_json_alone(wire: Wire, tmp_path: Path) -> None:
    status, out, error = await check(tmp_path, wire.base, "--json")
    assert status == 0
    assert json.loads(out)["ready"] is True
    assert "Ready." in error


async def test_without_a_token_it_checks_the_rest(wire: Wire, tmp_path: Path) -> None:
    status, out, _ = await check(tmp_path, wire.base, token="")
    assert status == 1
    assert ".env" in out
    row(out, "FAILED", "Token")
    row(out, "ok", "Way to Discord")
    row(out, "ok", "Database")
    assert out.splitlines()[-1] == "Not ready: Token."


async def test_whether_strong_computers_start_at_once_is_told(tmp_path: Path) -> None:
    _, out, _ = await check(tmp_path, NOWHERE, NUMBA_CACHE_DIR=str(tmp_path))
    assert "not there yet" in row(out, "ok", "Compiled code")
    warm_up()
    _, out, _ = await check(tmp_path, NOWHERE)
    assert "it's in" in row(out, "ok", "Compiled code")


async def test_a_token_that_discord_does_not_know(wire: Wire, tmp_path: Path) -> None:
    status, out, _ = await check(tmp_path, wire.base, token="some.other.token")
    assert status == 1
    assert "Reset Token" in out
    assert out.splitlines()[-1] == "Not ready: Token."


async def test_without_a_network(tmp_path: Path) -> None:
    status, out, _ = await check(tmp_path, NOWHERE, "--channel", "1234567890123456789")
    assert status == 1
    row(out, "FAILED", "Way to Discord")
    assert out.splitlines()[-1] == "Not ready: Way to Discord."


def spoil(path: Path) -> None:
    """Put something else there."""
    path.write_text("a shopping list, and no database at all\n" * 100)


async def test_a_database_that_is_none(path: Path) -> None:
    spoil(path)
    status, out, _ = await check(path.parent, NOWHERE)
    assert status == 1
    row(out, "FAILED", "Database")
    assert "it is no database" in " ".join(out.split())


async def test_a_database_that_a_bot_uses_is_left_to_it(database: Database, path: Path) -> None:
    _, out, _ = await check(path.parent, NOWHERE)
    row(out, "ok", "Database")
    assert "in use by a running bot" in " ".join(out.split())
    await database.execute("PRAGMA user_version")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--channel", "general"), "'general' isn't an ID of Discord"),
        (("--channel", "7"), "'7' isn't an ID of Discord"),
        (("--wait", "long"), "invalid"),
    ],
)
async def test_what_cannot_be_asked_for_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    status, out, error = await check(tmp_path, NOWHERE, *arguments)
    assert (status, out) == (2, "")
    assert words in error


async def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    status, out, error = await check(tmp_path, NOWHERE, HEARTS_LOG_LEVEL="shouting")
    assert (status, out) == (2, "")
    assert "HEARTS_LOG_LEVEL is 'SHOUTING'" in error


async def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    status, _, error = await check(tmp_path, NOWHERE, "--json", str(tmp_path / "none" / "report.json"))
    assert status == 1
    assert error.startswith("Cannot write")
