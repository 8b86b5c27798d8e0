"""An orderly stop: new clicks are refused, what is under way has its time, and the rest is cut off.

Neither by that nor by a kill is anything lost that was acknowledged.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from bot_life import live
from lives import LONGEST_LIFE, Diary, check, life, outlive_kills, wait_for_moves
from people import Player, refusal
from server import OpenServer, Server
from weather import Weather

from engine.errors import Refusal
from tests.bench.measure import real_time

pytestmark = pytest.mark.slow

#: Seconds within which the bot has stopped: Docker kills after ten.
BOUND = 5.0
#: Seconds that Discord takes to answer, or a task to end.
FOR_EVER = 1000.0
KILLS, STOPS = 25, 4


@pytest.fixture
async def server(open_server: OpenServer) -> AsyncIterator[Server]:
    """A server where time passes."""
    with real_time():
        yield await open_server()


async def test_whoever_clicks_while_the_bot_stops_is_told_to_try_again(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weather.SLOW", FOR_EVER)
    await server.deal_and_pass(ann, pace="none")
    Weather(server).slow_down(rf"/channels/{server.channel.id}/messages.*")
    board = server.post("Trick 1")
    await ann.play()  # the board shows it for ever, so the stop has something to wait for
    [before] = server.env.bot.tables.live
    stopping = asyncio.create_task(server.env.bot.close())
    await asyncio.sleep(0.5)
    answers = [ann.press(ann.playable[0], ann.hand), ann.press("My hand", board)]
    await asyncio.sleep(0.5)
    assert not stopping.done()
    assert [answer.told for answer in answers] == [refusal("restarting")] * 2
    await stopping
    assert server.env.bot.tables.live[0] is before


async def test_a_stop_waits_neither_for_discord_nor_for_work_that_does_not_end(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weather.SLOW", FOR_EVER)
    await server.deal_and_pass(ann, bo, pace="none")
    bot, began = server.env.bot, asyncio.get_running_loop().time()
    Weather(server).slow_down(".*")
    ann.press("My hand", server.post("Trick 1"))
    for work in (bot.forgetting._work, bot.tournament_posts.service._work, bot.tables._live._work):
        work.start(asyncio.sleep(FOR_EVER))
    await bot.close()
    assert asyncio.get_running_loop().time() < began + BOUND
    with pytest.raises(Refusal, match="cannot_save"):  # the database is closed
        await server.databases[-1].execute("DELETE FROM settings")


# In processes of their own, while people click


def test_a_bot_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    outlive_kills(live, tmp_path, Random(6), kills=KILLS, most=12)


def test_a_bot_that_is_told_to_stop_finishes_what_is_in_hand(tmp_path: Path) -> None:
    rng = Random(7)
    for number in range(STOPS):
        folder = tmp_path / str(number)
        folder.mkdir()
        diary = Diary(folder)
        with life(live, folder, number) as process:
            wait_for_moves(process, diary, 0, rng.randrange(3, 30))
            for _ in range(2):  # and an impatient second time
                time.sleep(rng.uniform(0, 0.01))
                os.kill(process.pid, signal.SIGTERM)
            process.join(LONGEST_LIFE)
            assert process.exitcode == 0
        left = check(folder / "hearts.sqlite3", diary)
        assert diary.read("closed").total() == 1
        # What was taken in hand was finished and answered, too.
        assert left.moves() == diary.read("acked")
