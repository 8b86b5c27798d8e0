"""Strong computers think in another process: a click is answered before, and what they play follows."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import OpenServer
from people import Player
from questions import QUESTION
from server import Server

from engine.players import Strength

pytestmark = pytest.mark.slow

NOT_YET, NOW = "Not your turn yet", "Your turn"
#: What Discord counts against the bot's token.
COUNTED = re.compile(r"(POST|PATCH|DELETE) /channels/")


#: Seconds: a process may have to compile first, on a machine that is busy.
LONG = 900.0


@pytest.fixture
async def server(open_server: OpenServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Where a process thinks, for as long as it takes: the simulated clock stands still meanwhile."""
    monkeypatch.setattr("engine.tables.live.LONGEST_ROUND", LONG)
    monkeypatch.setattr("engine.tables.presence.LOOKS_EVERY", 10 * LONG)  # the simulation would wait for it
    server = await open_server(thinkers=1)
    server.env.settle_timeout = LONG
    return server


async def deal(ann: Player) -> None:
    """Ann alone with strong computers, and everybody has passed."""
    await ann.run("hearts new", pace="none", computers=Strength.STRONG.value)
    await ann.click("Start")
    await ann.pass_cards()


async def test_a_card_is_answered_at_once_and_the_others_cards_follow_without_a_call(
    server: Server, ann: Player
) -> None:
    await deal(ann)
    said = []
    for _ in range(5):
        await ann.rest()
        before = len(server.requests)
        await ann.play()
        asked = server.requests[before:]
        [answer] = [one.body for one in asked if one.path.endswith("/callback")]
        said.append(NOT_YET in json.dumps(answer))
        counted = [one for one in asked if COUNTED.match(f"{one.method} {one.path}")]
        assert len(counted) <= 1, "the board is edited more than once"
        assert NOW in ann.hand.text
    assert any(said), "nobody had to think"


async def test_a_bot_restarted_while_computers_think_leaves_no_process_and_goes_on(
    server: Server, ann: Player
) -> None:
    await deal(ann)
    bot, laid = server.env.bot, cards_of(server)
    [pid] = bot.thinking.pool.pids
    os.kill(pid, signal.SIGSTOP)
    ann.press(ann.playable[0], ann.hand)
    while not bot.tables.live[0].waits_for_computers:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    server.thinkers = 0  # the simulation does not wait until one is ready
    await server.restart()
    assert not Path(f"/proc/{pid}").exists()  # noqa: ASYNC240
    await server.settle()
    assert NOW in ann.hand.text
    assert len(cards_of(server)) > len(laid) + 1


async def test_questions_and_notices_to_everyone_are_shown_while_computers_think(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="none", computers=Strength.STRONG.value)
    await bo.run("hearts leave")
    left = server.post("Bo has left")
    await shown_while_thinking(server, lambda: bo.press("I'm back", left), "Bo is back.")
    await server.settle()
    [asking] = (await ann.run("hearts end")).private
    await shown_while_thinking(server, lambda: ann.press("End", asking), QUESTION)


async def shown_while_thinking(server: Server, press: Callable[[], object], words: str) -> None:
    """Play until computers have to think, which they don't finish; then these words follow the press."""
    tables, pids = server.env.bot.tables, server.env.bot.thinking.pool.pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    async with asyncio.timeout(60):
        while not tables.live[0].waits_for_computers:
            if player := next((one for one in server.people if one.playable), None):
                player.press(player.playable[0], player.hand)
            await asyncio.sleep(0.01)
        press()
        while not server.shows(words):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert tables.live[0].waits_for_computers
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


def cards_of(server: Server) -> list[str]:
    """The cards played so far, as they are stored."""
    return [row["move"] for row in server.stored()["moves"] if "played" in row["move"]]
