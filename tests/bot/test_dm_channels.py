"""Discord lets a bot open few DM channels in a short time: what has to wait comes later, and is not lost."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from conftest import OpenServer
from own_data import exported, forget
from people import HAND, Player
from server import Server
from weather import Weather

from bot.delivery import dm_channels, queue

pytestmark = pytest.mark.slow

OPENS = "/users/@me/channels"
#: Longer than the simulation waits by itself: nothing is tried again before a test lets the time pass.
WAIT = 6.0
LONG = 50 * 60.0  # a lobby in which nothing happens is closed after an hour
LATER = "Your hand will come by DM as soon as Discord lets me send you one."
CLOSED = "I can't DM you"
HELD_BACK = "Discord is holding back my DM to you. Until it arrives, press My hand to play."


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", WAIT)
    monkeypatch.setattr(dm_channels, "FIRST_PAUSE", WAIT)
    monkeypatch.setattr(dm_channels, "EVERY", WAIT)


def opened(server: Server, since: int = 0) -> int:
    """How often the bot has asked for somebody's channel."""
    return sum(one.path == OPENS for one in server.requests[since:])


def stored(server: Server) -> dict[int, int]:
    """The channels that are stored, by person."""
    with closing(sqlite3.connect(server.path)) as connection:
        return dict(connection.execute("SELECT person, channel FROM dm_channels").fetchall())


def change(server: Server, statement: str, *values: Any) -> None:
    """In the file itself, without the bot's help."""
    with closing(sqlite3.connect(server.path)) as connection, connection:
        connection.execute(statement, values)


def hands(player: Player) -> int:
    """How many DMs show this player a hand."""
    return sum(HAND in dm.text for dm in player.dms())


# Too fast


async def test_who_joins_hears_that_their_dm_comes_later_and_it_does(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 60, 400)
    told = (await bo.click("Join")).told
    assert LATER in told
    assert "press My hand in this channel" in told.replace("*", "")
    assert bo.dms() == []
    weather.limit_dms(1, 60)
    await server.env.advance_time(WAIT + 1)
    assert [dm.says("You have a seat") for dm in bo.dms()] == [True]
    await ann.click("Start")
    assert bo.hand.asks_to_pass
    assert not server.shows(HELD_BACK)


async def test_it_is_asked_for_again_less_and_less_often(
    server: Server, ann: Player, bo: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await bo.click("Join")
    await server.env.advance_time(LONG / 2)
    waits = [then - now for now, then in pairwise(weather.dms_refused)]
    assert waits[0] >= WAIT
    assert all(2 * first <= second + 1 or second >= 900 for first, second in pairwise(waits))
    assert 5 < len(weather.dms_refused) < 15
    said = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert len(said) == len(weather.dms_refused)
    weather.limit_dms(1, 1)
    await server.env.advance_time(LONG / 2)
    assert len(bo.dms()) == 1


async def test_once_one_was_opened_the_next_refusal_is_followed_by_a_short_wait_again(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await bo.click("Join")
    await server.env.advance_time(LONG / 10)
    weather.limit_dms(1, LONG)
    await server.env.advance_time(LONG / 5)
    assert len(bo.dms()) == 1
    before = len(weather.dms_refused)
    await cy.click("Join")
    await server.env.advance_time(3 * WAIT)
    assert len(weather.dms_refused) - before > 1


async def test_who_has_left_meanwhile_gets_no_dm(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await bo.click("Join")
    await bo.click("Leave")
    weather.limit_dms(1, 1)
    await server.env.advance_time(LONG)
    assert bo.dms() == []
    assert (await bo.click("Join")).told == ""
    assert len(bo.dms()) == 1


async def test_who_has_a_hand_by_now_is_not_told_that_they_have_a_seat(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await bo.click("Join")
    await ann.click("Start")
    weather.limit_dms(1, 1)
    await server.env.advance_time(WAIT + 1)
    assert [HAND in dm.text for dm in bo.dms()] == [True]
    assert bo.hand.asks_to_pass
    assert not server.shows(HELD_BACK)  # they know since they joined


async def test_a_hand_that_is_sent_too_fast_comes_later(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    path = f"/channels/{bo.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=40003)
    await ann.click("Start")
    assert hands(bo) == 0
    await server.env.advance_time(WAIT + 1)
    assert hands(bo) == 1
    assert bo.hand.asks_to_pass
    assert not server.shows(HELD_BACK)
    await bo.pass_cards()
    await ann.pass_cards()


async def test_who_waits_long_for_a_hand_is_told_once_where_it_is(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo, pace="none")
    path = f"/channels/{bo.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=40003, times=None)
    await ann.click("Start")
    await server.env.advance_time(LONG / 2)
    told = [post for post in server.posts() if post.says(HELD_BACK)]
    assert [post.text.startswith("**Bo**") for post in told] == [True]
    await bo.open_hand()
    assert "My hand" in told[0].enabled
    assert bo.my_hand.asks_to_pass
    server.env.backend.faults.clear()
    await server.env.advance_time(LONG)
    assert hands(bo) == 1


async def test_a_hand_that_waits_does_not_come_to_who_has_left(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    path = f"/channels/{bo.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=40003, times=None)
    await ann.click("Start")
    await bo.run("hearts leave")
    server.env.backend.faults.clear()
    await server.env.advance_time(LONG)
    assert hands(bo) == 0


async def test_the_daily_deal_by_dm_comes_later(server: Server, ann: Player) -> None:
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await ann.run("hearts daily")
    hand = ann.my_hand
    told = (await ann.click("Play by DM", hand)).told
    assert "as soon as Discord lets me send you one" in told
    await ann.pass_cards(on=hand)
    weather.limit_dms(1, 1)
    await server.env.advance_time(WAIT + 1)
    assert hands(ann) == 1
    assert not ann.dm.asks_to_pass


async def test_many_who_join_at_once_are_written_to_one_after_the_other(open_server: OpenServer) -> None:
    server = await open_server()
    weather = Weather(server)
    weather.limit_dms(dm_channels.AT_ONCE + 1, dm_channels.EVERY)
    people = [server.add(f"Player {number}") for number in range(30)]
    told = []
    for number, player in enumerate(people):
        if number % 4 == 0:
            player.at = host = server.add_channel(f"table-{number}")
            told.append((await player.run("hearts new")).told)
        else:
            player.at = host
            told.append((await player.click("Join")).told)
    at_once = told.count("")
    assert at_once == sum(bool(player.dms()) for player in people)
    assert dm_channels.AT_ONCE <= at_once < 20
    assert all(LATER in one for one in told if one)
    await server.env.advance_time(len(people) * dm_channels.EVERY)
    assert [len(player.dms()) for player in people] == [1] * len(people)
    assert weather.dms_refused == []


async def test_several_that_are_refused_at_once_make_one_pause(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    lobby = server.post("Seats")
    for player in (bo, cy, di):
        player.press("Join", lobby)
    await server.settle()
    assert len({round(at) for at in weather.dms_refused}) == 1
    said = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    assert said == [f"Discord refuses more DMs for now (40003): none is opened for {WAIT:.0f} s"]
    weather.limit_dms(1, dm_channels.EVERY - 1)
    await server.env.advance_time(WAIT + 3 * dm_channels.EVERY)
    assert [len(player.dms()) for player in (bo, cy, di)] == [1, 1, 1]
    assert len(weather.dms_refused) <= 3


# Restarts


async def test_a_restart_opens_no_channel_that_is_known(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    since = opened(server)
    assert stored(server) == {one.id: one.member.user.dm_channel.id for one in (ann, bo)}
    server.env.backend.delete_message(ann.hand.channel, ann.hand.id)
    await server.restart()
    assert hands(ann) == 1
    bo.at = server.add_channel("another table")
    await bo.run("hearts new")
    assert bo.dm.says("You have a seat")
    assert opened(server) == since


@pytest.mark.parametrize(("status", "code"), [(404, 10003), (403, 50001)])
async def test_a_channel_that_is_gone_is_opened_anew(
    server: Server, ann: Player, bo: Player, status: int, code: int
) -> None:
    await server.seat(ann, bo)
    change(server, "UPDATE dm_channels SET channel = 77 WHERE person = ?", bo.id)
    await server.restart()
    server.env.inject_error("POST", "/channels/77/messages", status=status, code=code, times=None)
    since = len(server.requests)
    await ann.click("Start")
    assert bo.hand.asks_to_pass
    assert opened(server, since) == 1
    assert stored(server)[bo.id] == bo.member.user.dm_channel.id
    assert not server.shows("I can't DM you")


async def test_a_hand_whose_channel_is_gone_is_shown_in_another(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo)
    change(server, "UPDATE messages SET channel = 77 WHERE key = ?", f"hand1:{bo.id}")
    change(server, "UPDATE dm_channels SET channel = 77 WHERE person = ?", bo.id)
    await server.restart()
    assert hands(bo) == 2  # the first one is where nobody can find it any more
    await bo.pass_cards()
    assert bo.hand.says("You pass")


async def test_closed_dms_are_not_taken_for_a_channel_that_is_gone(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    await server.restart()
    bo.close_dms()
    since = len(server.requests)
    await ann.click("Start")
    assert opened(server, since) == 0
    assert server.shows("I can't DM you")


# Privacy


async def test_privacy_hands_the_channel_out_and_deletes_it(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    told = await exported(await bo.export_data())
    assert told["direct_message_channel"] == [{"channel": str(bo.member.user.dm_channel.id)}]
    await forget(bo)
    assert bo.id not in stored(server)
    assert (await exported(await bo.export_data()))["direct_message_channel"] == []
    bo.at = server.add_channel("another table")
    count = len(bo.dms())
    assert (await bo.run("hearts new")).told == ""
    assert [dm.says("You have a seat") for dm in bo.dms()[count:]] == [True]
    assert stored(server)[bo.id] == bo.member.user.dm_channel.id
