"""A click is answered in time, whatever Discord, strong computers or somebody's statistics take meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from at_once import deals_played
from people import Player, play_on
from questions import QUESTION
from scraping import counted
from server import OpenServer, Server
from weather import Weather

from bot.delivery.reply import ACKNOWLEDGE_AFTER
from engine.players import Strength
from engine.players.advice import QUICK
from tests.bench.measure import real_time

pytestmark = pytest.mark.slow

#: Kinds of answers to a click: an acknowledgement, and a change of the message that was clicked.
ACKNOWLEDGED, UPDATE = 6, 7
NOT_YET, NOW = "Not your turn yet", "Your turn"
#: What Discord counts against the bot's token.
COUNTED = re.compile(r"(POST|PATCH|DELETE) /channels/")
#: Seconds: a process may have to compile first, on a machine that is busy.
LONG = 900.0
#: What reads from tables that grow with every game: looking through them takes long after a year.
READS_MUCH = re.compile(
    r"\s*(SELECT|WITH)\b.*FROM (standings|results|moves|daily_results|achievements|house_rules)\b", re.DOTALL
)


async def test_a_click_that_has_to_wait_is_acknowledged_and_shown_when_it_is_done(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord gives three seconds to answer."""
    monkeypatch.setattr("weather.SLOW", 2 * ACKNOWLEDGE_AFTER)
    with real_time():
        server = await open_server()
        ann, bo, *_ = server.people
        await server.deal_and_pass(ann, bo, pace="none")
        await play_on([ann, bo], lambda: bool(ann.playable))
        await server.restart()  # no click is left through which Bo's hand could be changed
        before = len(server.requests)
        Weather(server).slow_down(rf"/channels/{bo.member.user.dm_channel.id}/messages/\d+")
        ann.press(ann.playable[0], ann.hand)
        await asyncio.sleep(ACKNOWLEDGE_AFTER / 2)  # by now Bo's hand is being changed: it is their turn
        waiting, clicked = bo.press(next(iter(bo.hand.buttons)), bo.hand), bo.hand
        await asyncio.sleep(ACKNOWLEDGE_AFTER * 1.25)
        answers = [one.body["type"] for one in server.requests[before:] if one.path.endswith("/callback")]
        assert answers == [UPDATE, ACKNOWLEDGED]
        assert waiting.result.acknowledged
        await asyncio.sleep(ACKNOWLEDGE_AFTER * 1.5)
        assert bo.hand.id == clicked.id
        assert len(bo.hand.buttons) == len(clicked.buttons) - 1  # the card was played, and is gone


# Strong computers think in another process: a click is answered before, and what they play follows


@pytest.fixture
async def server(open_server: OpenServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Where a process thinks, for as long as it takes: the simulated clock stands still meanwhile."""
    monkeypatch.setattr("engine.tables.live.LONGEST_ROUND", LONG)
    monkeypatch.setattr("engine.tables.presence.LOOKS_EVERY", 10 * LONG)  # the simulation would wait for it
    server = await open_server(thinkers=1)
    server.env.settle_timeout = LONG
    return server


async def test_a_card_is_answered_at_once_and_others_follow_for_free(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, pace="none", computers=Strength.STRONG.value)
    said = []
    for _ in range(5):
        await ann.rest()
        before = len(server.requests)
        await ann.play()
        asked = server.requests[before:]
        [answer] = [one.body for one in asked if one.path.endswith("/callback")]
        said.append(NOT_YET in json.dumps(answer))
        calls = [one for one in asked if COUNTED.match(f"{one.method} {one.path}")]
        assert len(calls) <= 1, "the board is edited more than once"
        assert NOW in ann.hand.text
    assert any(said), "nobody had to think"
    scrape = counted(server.env.bot.monitor)
    thoughts = scrape("hearts_thoughts_total", by="strong")
    assert thoughts > 2
    assert scrape("hearts_thoughts_total", by="medium") == 0
    assert scrape("hearts_playouts_total") >= QUICK * thoughts
    assert scrape("hearts_thinking_processes") == 1


async def test_posts_are_shown_while_computers_think(server: Server, ann: Player, bo: Player) -> None:
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
    assert counted(server.env.bot.monitor).by("state", "hearts_tables") == {"computers": 1}
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


# Who looks something up takes no turn at the connection on which moves are stored


async def test_looking_something_up_takes_no_turn_from_who_plays(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, run = sqlite3.connect, list[str]()

    def noted(*given: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*given, **named)
        if "uri" not in named:  # the one on which moves are stored
            connection.set_trace_callback(run.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", noted)
    server = await open_server()
    ann, bo, *_ = server.people
    await server.deal(ann, bo, ends_at=1)
    await ann.save_rules("Fridays")
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    assert any(READS_MUCH.match(one) for one in run)
    run.clear()
    for command in ("leaderboard", "stats", "scores", "rules", "record", "house", "privacy"):
        answer = await ann.run(f"hearts {command}")
        assert answer.private or answer.public
    assert (await ann.run("hearts stats", against=bo.member)).private
    [replay] = (await ann.run("hearts replay")).private
    await ann.click("Trick ›", replay)
    assert not [one for one in run if READS_MUCH.match(one)]
