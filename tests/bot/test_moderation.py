"""What an operator does to the database while the bot is stopped: `remove`, `block` and `unblock`."""

import subprocess
from pathlib import Path

import pytest
from games import play_a_game
from own_data import forget
from people import Player, refusal
from server import Server

from tests.operations import bot

pytestmark = pytest.mark.slow


async def done(server: Server, *arguments: object) -> str:
    """Stop the bot, run this command on its database, and start it again; returns what the command said."""
    runs: list[subprocess.CompletedProcess[str]] = []
    await server.stop_and_start(
        meanwhile=lambda: runs.append(bot(*map(str, arguments), database=server.path))
    )
    return runs[0].stdout + runs[0].stderr


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
    for _ in range(2):
        assert (await bo.click("Join")).told == (await bo.run("hearts help")).told == told
        assert '"is_blocked": true' in (await bo.export_data()).file.decode()
        await forget(bo)
    assert f"{bo.id} isn't blocked." in await done(server, "unblock", bo.id)
    await bo.click("Join")
    assert server.post("Seats").says("2. Bo")


async def test_nothing_is_changed_while_the_bot_runs(server: Server, tmp_path: Path) -> None:
    for command in ("remove", "block"):
        said = bot(command, str(10**17), database=server.path)
        assert said.returncode == 2
        assert "another bot is running with it. Stop the bot first." in said.stderr
    elsewhere = tmp_path / "elsewhere.sqlite3"
    assert "There is no HEARTS_DATABASE" in bot("block", str(10**17), database=elsewhere).stderr
    assert not elsewhere.exists()
