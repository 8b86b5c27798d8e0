"""Clicks and commands are answered in time, whatever Discord, computers or statistics take meanwhile."""

import asyncio
import json
import os
import re
import signal
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import discord
import pytest
from at_once import deals_played
from pages import answer_oddly
from people import HAND, Answer, Player, play_on
from questions import QUESTION
from scraping import counted
from server import OpenServer, Server
from test_standings import played
from weather import Weather

from bot.answering.languages import ServerLanguages
from bot.delivery import reply
from bot.delivery.reply import ACKNOWLEDGE_AFTER
from engine.languages import LANGUAGES
from engine.players import Strength
from engine.players.advice import QUICK
from engine.storage import file
from tests.bench.measure import real_time
from tests.outside import locked

pytestmark = pytest.mark.slow

#: Seconds after which a click is acknowledged here, and those that a slow request takes.
SOON, SLOW = 0.05, 0.3
#: Kinds of answers: the acknowledgements of a command and of a click, and a change of the message.
THINKING, ACKNOWLEDGED, UPDATE = 5, 6, 7
#: Seconds: a process may have to compile first, on a machine that is busy.
LONG = 900.0
#: What reads from tables that grow with every game: looking through them takes long after a year.
READS_MUCH = re.compile(
    r"\s*(SELECT|WITH)\b.*FROM (standings|results|moves|daily_results|achievements|house_rules)\b", re.DOTALL
)


@pytest.fixture
async def server(open_server: OpenServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server where time passes."""
    monkeypatch.setattr(reply, "ACKNOWLEDGE_AFTER", SOON)
    monkeypatch.setattr(file, "LOCK_WAIT", 60.0)
    with real_time():
        yield await open_server()


def slow_down(owner: type, request: str, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """These requests take their time from now on; set is whether one has begun."""
    at_once, begun = getattr(owner, request), asyncio.Event()

    async def slowly(*arguments: Any, **options: Any) -> Any:
        begun.set()
        await asyncio.sleep(SLOW)
        return await at_once(*arguments, **options)

    monkeypatch.setattr(owner, request, slowly)
    return begun


async def while_locked(server: Server, doing: Awaitable[Answer], until: Callable[[], bool]) -> Answer:
    """Do this while another process keeps the file locked for so long."""
    with locked(server.path):
        work = asyncio.ensure_future(doing)
        while not until():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return await work


def answers(server: Server) -> list[int]:
    """The kinds of all first answers so far."""
    return [one.body["type"] for one in server.requests if one.path.endswith("/callback")]


@pytest.mark.parametrize("acknowledged", [ACKNOWLEDGED, THINKING])
async def test_a_hand_that_had_to_wait_for_its_turn_stays_private(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, acknowledged: int
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await play_on([ann, bo], lambda: bool(ann.playable))
    await bo.open_hand()
    with monkeypatch.context() as patch:
        slow_down(discord.Webhook, "edit_message", patch)
        ann.press(ann.playable[0], ann.hand)
        await asyncio.sleep(SLOW / 2)  # by now Bo's hand is being changed: it is their turn
        ways = {ACKNOWLEDGED: lambda: bo.click("My hand"), THINKING: lambda: bo.run("hearts hand")}
        answer = await ways[acknowledged]()
    assert answers(server)[-1] == acknowledged
    assert answer.private[0].says("Your turn")
    await bo.play()
    assert not server.shows(HAND)
    assert bo.my_hand.id == answer.private[0].id
    assert len(bo.my_hand.buttons) == 12


async def test_the_hand_of_who_is_back_stays_private(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await ann.run("hearts leave")
    notice = server.post("Ann has left")
    before = len(answers(server))
    answer = await while_locked(server, ann.click("I'm back", notice), lambda: len(answers(server)) > before)
    assert answers(server)[-1] == ACKNOWLEDGED
    await play_on([ann, bo], lambda: server.shows("Trick 3"))
    assert not server.shows(HAND)
    assert server.post("Ann has left").id == notice.id
    assert HAND in answer.private[0].text


async def test_a_table_whose_opening_crosses_its_acknowledgement_is_seen_by_everybody(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledging = slow_down(discord.InteractionResponse, "defer", monkeypatch)
    answer = await while_locked(server, ann.run("hearts new"), acknowledging.is_set)
    assert answers(server) == [THINKING]
    assert "You have a seat" in answer.told
    assert server.post("Seats").enabled
    await bo.click("Join", server.post("Seats"))
    assert len([post for post in server.posts() if post.says("Seats")]) == 1
    assert server.post("Seats").says("2. Bo")


async def test_an_acknowledgement_that_arrived_although_discord_does_not_say_so(
    server: Server, ann: Player
) -> None:
    answer_oddly(server.env, "POST", "/interactions/*/callback", 200, is_done=True)
    answer = await while_locked(server, ann.run("hearts new"), lambda: bool(answers(server)))
    assert answers(server) == [THINKING]
    assert "You have a seat" in answer.told
    assert [post.says("Seats") for post in server.posts()] == [True]


async def test_a_leaderboard_that_took_a_while_is_the_askers_alone_and_in_their_language(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.speaks("zh-CN")
    ann.speaks("de")
    say = LANGUAGES["de"].say
    await played(server, (ann, 1), (bo, 2))
    slow_down(ServerLanguages, "of", monkeypatch)
    [board] = (await ann.run("hearts leaderboard")).private
    assert answers(server) == [THINKING]
    assert board.says(say("Games between people, all time"))
    await ann.click(say("This month"), board)
    assert board.current.says(say("Games between people, this month"))


async def test_a_form_that_crosses_its_acknowledgement(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    slow_down(discord.InteractionResponse, "send_modal", monkeypatch)
    asked = await ann.click("Points", page)
    assert answers(server).count(ACKNOWLEDGED) == 0
    assert asked.result.modal is not None


async def test_who_joins_again_while_the_first_dm_is_on_its_way_is_greeted_once(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weather.SLOW", SLOW)
    await server.seat(ann)
    lobby, joined = server.post("Seats"), []
    Weather(server).slow_down(rf"/channels/{bo.member.user.dm_channel.id}/messages")
    for label in ("Join", "Leave", "Join"):
        joined.append(bo.press(label, lobby))
        await asyncio.sleep(SLOW / 5)
    await asyncio.sleep(3 * SLOW)
    assert len(bo.dms()) == 1
    assert joined[2].told == ""
    assert server.post("Seats").says("2. Bo")


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
async def thinking(open_server: OpenServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Where a process thinks, for as long as it takes: the simulated clock stands still meanwhile."""
    monkeypatch.setattr("engine.tables.live.LONGEST_ROUND", LONG)
    monkeypatch.setattr("engine.tables.presence.LOOKS_EVERY", 10 * LONG)  # the simulation would wait for it
    server = await open_server(thinkers=1)
    server.env.settle_timeout = LONG
    return server


async def test_a_card_is_answered_at_once_and_others_follow_for_free(thinking: Server) -> None:
    [ann, *_] = thinking.people
    await thinking.deal_and_pass(ann, pace="none", computers=Strength.STRONG.value)
    said, calls = [], Weather(thinking).calls
    for _ in range(5):
        await ann.rest()
        before = len(thinking.requests)
        calls.clear()
        await ann.play()
        [answer] = [one.body for one in thinking.requests[before:] if one.path.endswith("/callback")]
        said.append("Not your turn yet" in json.dumps(answer))
        assert len(calls) <= 1, "the board is edited more than once"
        assert "Your turn" in ann.hand.text
    assert any(said), "nobody had to think"
    scrape = counted(thinking.env.bot.monitor)
    thoughts = scrape("hearts_thoughts_total", by="strong")
    assert thoughts > 2
    assert scrape("hearts_thoughts_total", by="medium") == 0
    assert scrape("hearts_playouts_total") >= QUICK * thoughts
    assert scrape("hearts_thinking_processes") == 1


async def test_posts_are_shown_while_computers_think(thinking: Server) -> None:
    ann, bo, *_ = thinking.people
    await thinking.deal_and_pass(ann, bo, pace="none", computers=Strength.STRONG.value)
    await bo.run("hearts leave")
    left = thinking.post("Bo has left")
    await shown_while_thinking(thinking, lambda: bo.press("I'm back", left), "Bo is back.")
    await thinking.settle()
    [asking] = (await ann.run("hearts end")).private
    await shown_while_thinking(thinking, lambda: ann.press("End", asking), QUESTION)


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
