"""Answers that aren't Discord's word: pages, half of an answer, and codes that mean nothing."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from types import SimpleNamespace

import discord
import pytest
import tricks
from conftest import OpenServer
from pages import HALF, PAGE, Page, answer_oddly, clear_up
from people import HAND, Player, refusal
from server import Server
from settling import let_time_stand_still
from weather import Weather
from wire import TOKEN, Wire

from bot.delivery import queue
from bot.discord.faults import Fault, Garbled, fault_of
from bot.discord.traffic import Traffic

pytestmark = pytest.mark.slow
#: Longer than the simulation waits by itself: what failed stays so until a test lets the time pass.
WAIT = 6.0
#: A status with a code, or with the text that comes instead of an answer.
ODD = [(403, 40333), (401, 0), (403, PAGE), (200, HALF)]
odd = pytest.mark.parametrize(("status", "what"), ODD, ids=lambda one: str(one)[:8] or "nothing")


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", WAIT)


def fail(
    server: Server, status: int, what: int | str, method: str, path: str, times: int | None = 1, **odd: bool
) -> None:
    """Have something answer in Discord's place."""
    if isinstance(what, int):
        server.env.inject_error(method, path, status=status, code=what, message="No", times=times)
    else:
        answer_oddly(server.env, method, path, status, what, times=times, **odd)


def posts_of(server: Server) -> str:
    """Where the table's posts are sent."""
    return f"/channels/{server.channel.id}/messages"


def shows_cards(player: Player) -> bool:
    """Whether a hand of theirs, by DM or in the channel, shows a card."""
    seen = [*player.dms(), *(one for one in player.sees() if one.is_private)]
    return any(one.asks_to_pass or one.playable for one in seen if HAND in one.text)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
@pytest.mark.parametrize("code", [0, 40004, 40333, 130000])
def test_what_discord_does_not_document_as_final_is_tried_again(status: int, code: int) -> None:
    response = SimpleNamespace(status=status, reason="No")
    assert fault_of(discord.HTTPException(response, {"code": code, "message": "No"})) is Fault.LATER


@odd
async def test_the_seal_comes_later_and_no_hand_before_it(
    server: Server, ann: Player, status: int, what: int | str
) -> None:
    await server.seat(ann)
    fail(server, status, what, "POST", posts_of(server))
    await ann.click("Start")
    assert not shows_cards(ann)
    assert "### Your hand" in (await ann.run("hearts hand")).told
    assert not shows_cards(ann)
    await server.env.advance_time(WAIT + 1)
    assert server.opening(1)
    assert shows_cards(ann)


@odd
async def test_the_end_comes_later(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch, status: int, what: int | str
) -> None:
    let_time_stand_still(monkeypatch)  # while the table waits to be forgotten until all is shown
    server = await open_server(rng=Random(10))  # whose first deal is played to its last card
    ann = server.people[0]
    await server.deal_and_pass(ann, ends_at=1)
    while len(ann.hand.buttons) > 1:
        await ann.play()
    fail(server, status, what, "POST", posts_of(server))
    await ann.play()
    await server.env.advance_time(WAIT + 1)
    assert server.shows("🏆")


@odd
async def test_a_card_is_shown_later(server: Server, status: int, what: int | str) -> None:
    await server.deal_and_pass()
    fail(server, status, what, "PATCH", f"{posts_of(server)}/*")
    await server.to_play.play()
    assert not any(line.startswith("`") for line in server.post("Trick").text.splitlines())
    await server.env.advance_time(WAIT + 1)
    assert any(line.startswith("`") for line in server.post("Trick").text.splitlines())


@odd
async def test_a_hand_comes_by_dm_later(server: Server, ann: Player, status: int, what: int | str) -> None:
    await server.seat(ann)
    fail(server, status, what, "POST", f"/channels/{ann.member.user.dm_channel.id}/messages")
    fail(server, status, what, "POST", "/webhooks/*")
    await ann.click("Start")
    await server.env.advance_time(4 * WAIT)
    assert shows_cards(ann)
    assert sum(HAND in dm.text for dm in ann.dms()) == 1


@odd
async def test_all_hands_come_after_ten_bad_seconds(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch, status: int, what: int | str
) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", 2.0)
    await server.seat()
    for method in ("POST", "PATCH"):
        fail(server, status, what, method, "/channels/*", None)
    await ann.click("Start")
    await server.env.advance_time(10)
    clear_up(server.env)
    await server.env.advance_time(20)
    assert all(map(shows_cards, server.people))


async def test_a_post_that_was_sent_though_a_page_came_is_not_sent_again(server: Server, ann: Player) -> None:
    await server.deal(ann)
    Weather(server)
    fail(server, 200, PAGE, "POST", posts_of(server), is_done=True)
    await ann.pass_cards()
    await ann.play()
    await server.env.advance_time(WAIT + 1)
    assert sum(post.says("Deal 1 · Trick") for post in server.posts()) == 1


# A deal whose first post can't be sent


async def test_a_table_pauses_and_says_why_while_its_deal_cannot_be_opened(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo, pace="live")
    fail(server, 403, PAGE, "POST", posts_of(server), None)
    await ann.click("Start")
    await server.env.advance_time(4 * WAIT)
    [told] = [dm for dm in ann.dms() if dm.says("The game is paused")]
    assert told.says("Discord isn't taking my messages there")
    assert (await bo.run("hearts hand")).told == refusal("paused")
    moves = server.stored()["moves"]
    await server.env.advance_time(600)  # nobody's time is up, and nobody is told again
    assert server.stored()["moves"] == moves
    assert sum(dm.says("The game is paused") for dm in ann.dms()) == 1
    assert not shows_cards(ann)
    assert not shows_cards(bo)
    clear_up(server.env)
    while not server.shows("The game continues where it left off."):
        await server.env.advance_time(5)
    assert server.opening(1)
    assert shows_cards(ann)
    assert shows_cards(bo)
    await server.env.advance_time(50)
    assert not server.shows("Time's up")  # they have all their time


async def test_a_deal_that_a_restart_finds_unopened_is_opened(server: Server, ann: Player) -> None:
    await server.seat(ann)
    fail(server, 401, PAGE, "POST", posts_of(server), None)
    await ann.click("Start")
    clear_up(server.env)
    await server.restart()
    assert server.opening(1)
    assert shows_cards(ann)


async def test_a_deal_whose_opening_is_built_wrong_waits_for_the_button(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.seat(ann, pace="none")
    fail(server, 400, 50035, "POST", posts_of(server))
    await ann.click("Start")
    assert "could not show deal1" in caplog.text
    caplog.clear()
    assert not shows_cards(ann)
    [told] = [dm for dm in ann.dms() if dm.says("The game is paused")]
    await ann.click("Try again", told)
    assert server.opening(1)
    assert shows_cards(ann)


# How often it is tried, and what the log says of that


async def test_each_try_is_one_line_of_the_log_without_the_page(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", 2.0)
    await server.seat(ann, pace="none")
    fail(server, 401, PAGE, "*", "/channels/*", None)
    caplog.clear()
    before = len(server.requests)
    await ann.click("Start")
    await server.env.advance_time(600)
    tries = [one for one in server.requests[before:] if one.path.startswith("/channels/")]
    assert len([one for one in tries if one.path == posts_of(server)]) in range(12, 17)
    assert len(tries) < 40  # with the DMs: the hand, and that the game is paused
    told = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert not any(one.exc_info for one in told)
    assert "deal1 has to wait 60 s: 401" in caplog.text
    assert not any("<" in one.getMessage() or "\n" in one.getMessage() for one in told)
    assert sum("deal1 has to wait" in one.getMessage() for one in told) == sum(
        one.path == posts_of(server) for one in tries
    )


# Answers to clicks


async def test_a_play_whose_answer_was_lost_is_not_called_undone(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    await server.deal_and_pass()
    before = len(server.stored()["moves"])
    fail(server, 200, PAGE, "POST", "/interactions/*/*/callback", is_done=True)
    await server.to_play.play()
    assert len(server.stored()["moves"]) == before + 1
    assert "did not do it" not in caplog.text


# Over real sockets


@pytest.mark.parametrize("body", [PAGE, HALF, "", "{}"], ids=["page", "half", "nothing", "empty"])
async def test_what_is_no_answer_counts_as_a_broken_connection(
    monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    async with a_client(monkeypatch) as (wire, client):
        tricks.answer_oddly("POST", tricks.MESSAGES, Page(200, body), times=1)(wire)
        channel = client.get_partial_messageable(wire.channel)
        with pytest.raises(Garbled):
            await channel.send("Hello")
        assert (await channel.send("Hello")).content == "Hello"


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_page_says_nothing_about_the_request(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    async with a_client(monkeypatch) as (wire, client):
        tricks.answer_oddly("POST", tricks.MESSAGES, Page(status))(wire)
        with pytest.raises(discord.HTTPException) as raised:
            await client.get_partial_messageable(wire.channel).send("Hello")
        assert fault_of(raised.value) is Fault.LATER
        assert str(raised.value) == f"{status} without a code, and with a page"


@asynccontextmanager
async def a_client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Wire, discord.Client]]:
    """discord.py's own client, whose traffic is watched as the bot's is."""
    wire = await Wire().open()
    monkeypatch.setattr(discord.http.Route, "BASE", wire.base)
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(TOKEN)
            Traffic().listen(client.http)
            yield wire, client
    finally:
        await wire.close()
