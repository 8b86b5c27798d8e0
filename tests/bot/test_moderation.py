"""What an operator does to the database while the bot is stopped: `remove`, `block` and `unblock`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from games import play_a_game
from own_data import forget
from people import Player, refusal
from server import Server

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]


def operate(server: Server, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run this command of the bot on the server's database."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "HEARTS_DATABASE": str(server.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def done(server: Server, *arguments: object) -> str:
    """Stop the bot, run this command, and start it again; returns what the command said."""
    said: list[subprocess.CompletedProcess[str]] = []
    await server.stop_and_start(meanwhile=lambda: said.append(operate(server, *arguments)))
    return said[0].stdout + said[0].stderr


async def test_a_game_that_is_removed_has_never_counted(server: Server, ann: Player, bo: Player) -> None:
    await play_a_game(server, ann, bo)
    before = (await ann.run("hearts stats")).told
    await play_a_game(server, ann, bo)
    assert (await ann.run("hearts stats")).told != before
    assert "The results of table 2 have been removed." in await done(server, "remove", 2)
    assert (await ann.run("hearts stats")).told == before
    assert {row["table_id"] for row in server.stored()["results"]} == {1}
    assert "Table 2 has no results." in await done(server, "remove", 2)


async def test_who_is_blocked_may_only_see_and_delete_data(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    assert f"{bo.id} is blocked." in await done(server, "block", bo.id)
    told = refusal("blocked")
    assert (await bo.click("Join")).told == told
    for command in ("new", "join", "leaderboard", "stats", "preferences", "help"):
        assert (await bo.run(f"hearts {command}")).told == told
    assert '"is_blocked": true' in (await bo.export_data()).file.decode()
    await forget(bo)
    assert (await bo.click("Join")).told == told
    assert f"{bo.id} isn't blocked." in await done(server, "unblock", bo.id)
    assert (await bo.click("Join")).told != told
    assert server.post("Seats").says("2. Bo")


async def test_nothing_is_changed_while_the_bot_runs(server: Server, ann: Player, tmp_path: Path) -> None:
    for arguments in (("remove", 1), ("block", ann.id)):
        said = operate(server, *arguments)
        assert said.returncode == 2
        assert "another bot is running with it. Stop the bot first." in said.stderr
    server.path = tmp_path / "elsewhere.sqlite3"
    assert "There is no HEARTS_DATABASE" in operate(server, "block", 10**17).stderr
    assert not server.path.exists()
