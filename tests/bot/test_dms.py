"""Hands by DM, and what becomes of them where DMs are closed, or Discord opens no more channels for now."""

import logging
from itertools import pairwise

import pytest
from at_once import deals_played
from own_data import exported, forget
from people import DMS_CLOSED, HAND, Player
from server import OpenServer, Server
from weather import Weather

from bot.delivery import dm_channels, queue

pytestmark = pytest.mark.slow

OPENS = "/users/@me/channels"
#: Longer than the simulation waits by itself: nothing is tried again before a test lets the time pass.
WAIT = 6.0
LONG = 50 * 60.0  # a lobby in which nothing happens is closed after an hour
LATER = "Your hand will come by DM as soon as Discord lets me send you one."
HELD_BACK = "Discord is holding back my DM to you. Until it arrives, press My hand to play."


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", WAIT)
    monkeypatch.setattr(dm_channels, "FIRST_PAUSE", WAIT)
    monkeypatch.setattr(dm_channels, "EVERY", WAIT)


@pytest.fixture
async def weather(server: Server, ann: Player) -> Weather:
    """Ann has opened a table, and from now on Discord opens no DM channel."""
    await server.seat(ann)
    weather = Weather(server)
    weather.limit_dms(0, 1)
    return weather


def opened(server: Server, since: int = 0) -> int:
    """How often the bot has asked for somebody's channel."""
    return sum(one.path == OPENS for one in server.requests[since:])


def stored(server: Server) -> dict[int, int]:
    """The channels that are stored, by person."""
    return dict(server.rows("SELECT person, channel FROM dm_channels"))


def hands(player: Player) -> int:
    """How many DMs show this player a hand."""
    return sum(HAND in dm.text for dm in player.dms())


async def test_the_first_dm_names_and_links_its_table_and_comes_once(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    for player in (ann, bo):
        assert player.dm.says(f"You have a seat Hearts in {server.channel.mention}. Your hand will come here")
        assert player.dm.links == {"Go to the table": server.address()}
        assert not player.dm.says("total")  # nor any other rule, as the host may still change it
    for _ in range(2):
        await bo.click("Leave")
        assert (await bo.click("Join")).told == ""
    await server.restart()
    await bo.click("Leave")
    await bo.click("Join")
    assert server.post("Seats").says("2. Bo")
    assert len(bo.dms()) == 1


async def test_one_dm_shows_all_hands_long_after_its_last_click(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=30, pace="none")
    assert (await ann.open_hand()).links == {"Open the DM": ann.dm.address}
    await ann.pass_cards()
    await server.env.advance_time(16 * 60)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    [hand] = ann.dms()
    assert hand.says(f"Your hand · Deal 2 -# Hearts in {server.channel.mention}")
    assert hand.links == {"Go to the table": server.address()}
    assert (await ann.open_hand()).links == {"Open the DM": hand.address}
    await server.stop_the_game()
    [hand] = ann.dms()
    assert not hand.pressable


async def test_closed_dms_are_told_at_once_what_to_press_and_not_tried_again_before_joining_anew(
    server: Server, ann: Player, bo: Player
) -> None:
    for player in (ann, bo):
        player.close_dms()
    opened = await ann.run("hearts new")
    assert opened.public[0].says("Seats")
    for told in (opened.told, (await bo.click("Join")).told):
        assert "I can't DM you" in told
        assert "press **My hand** in this channel" in told
    await ann.click("Start")
    assert (await ann.open_hand()).links == {}
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    assert sum(request.path == path for request in server.requests) == 1
    await server.stop_the_game()
    server.env.backend.faults.clear()
    ann.has_dms = True
    assert (await ann.run("hearts new")).told == ""
    assert ann.dm.says("You have a seat")
    await ann.click("Start")
    assert ann.hand.asks_to_pass


async def test_who_has_no_account_left_is_written_to_once(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=60)
    await server.restart()
    dms = [f"/channels/{player.member.user.dm_channel.id}/messages" for player in (ann, bo)]
    for path in dms:
        server.env.inject_error("POST", path, status=404, code=10013, times=None)
    before = len(server.requests)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    for player in (ann, bo):
        player.has_dms = False
        await player.open_hand()
    await deals_played([ann, bo], lambda: server.shows("After deal 2"))
    assert sorted(one.path for one in server.requests[before:] if one.path in dms) == sorted(dms)


async def test_where_dms_are_closed_my_hand_is_left_and_comes_back(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="none")
    ann.close_dms()
    await ann.click("Start")
    dismissed = await ann.open_hand()
    server.env.backend.delete_message(ann.at.id, dismissed.id)
    await ann.open_hand()
    await ann.pass_cards()
    await server.env.advance_time(16 * 60)
    old = ann.my_hand
    assert (await ann.open_hand()).id != old.id
    await ann.play()
    cards = [one for one in ann.my_hand.buttons.values() if ":play:" in one["custom_id"]]
    assert len(cards) == 12


# Too fast: what has to wait comes later, and is not lost


async def test_who_joins_hears_that_their_dm_comes_later_and_it_does_unless_they_leave(
    server: Server, ann: Player, bo: Player, cy: Player, weather: Weather
) -> None:
    weather.limit_dms(0, 60, 400)
    for player in (bo, cy):
        told = (await player.click("Join")).told
        assert LATER in told
        assert "press My hand in this channel" in told.replace("*", "")
    await cy.click("Leave")
    await ann.click("Start")
    assert bo.dms() == []
    weather.limit_dms(1, 1)
    await server.env.advance_time(WAIT + 1)
    assert [HAND in dm.text for dm in bo.dms()] == [True]  # by now they know that they have a seat
    assert bo.hand.asks_to_pass
    await server.env.advance_time(LONG)
    assert cy.dms() == []
    assert not server.shows(HELD_BACK)  # which they know since they joined


async def test_it_is_asked_for_again_less_and_less_often_until_one_was_opened(
    server: Server, bo: Player, cy: Player, weather: Weather, caplog: pytest.LogCaptureFixture
) -> None:
    await bo.click("Join")
    await server.env.advance_time(LONG / 2)
    waits = [then - now for now, then in pairwise(weather.dms_refused)]
    assert waits[0] >= WAIT
    assert all(2 * first <= second + 1 or second >= 900 for first, second in pairwise(waits))
    assert 5 < len(weather.dms_refused) < 15
    said = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert len(said) == len(weather.dms_refused)
    weather.limit_dms(1, LONG)
    while not bo.dms():
        await server.env.advance_time(60)
    before = len(weather.dms_refused)
    await cy.click("Join")
    await server.env.advance_time(3 * WAIT)
    assert len(weather.dms_refused) - before > 1


def hold_back(server: Server, player: Player, times: int | None = None) -> None:
    """Say of this many DMs to them, or of all, that they are sent too fast."""
    path = f"/channels/{player.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=40003, times=times)


async def test_a_hand_that_is_sent_too_fast_comes_later(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    hold_back(server, bo, 1)
    await ann.click("Start")
    assert hands(bo) == 0
    await server.env.advance_time(WAIT + 1)
    assert bo.hand.asks_to_pass
    assert not server.shows(HELD_BACK)


async def test_a_long_wait_is_told_once(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.seat(ann, bo, cy, pace="none")
    for player in (bo, cy):
        hold_back(server, player)
    await ann.click("Start")
    await cy.run("hearts leave")
    await server.env.advance_time(LONG / 2)
    [told] = [post for post in server.posts() if post.says(HELD_BACK) and post.text.startswith("**Bo**")]
    assert "My hand" in told.enabled
    assert (await bo.open_hand()).asks_to_pass
    server.env.backend.faults.clear()
    await server.env.advance_time(LONG)
    assert [hands(player) for player in (bo, cy)] == [1, 0]


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
    server: Server, bo: Player, cy: Player, di: Player, weather: Weather, caplog: pytest.LogCaptureFixture
) -> None:
    lobby = server.post("Seats")
    for player in (bo, cy, di):
        player.press("Join", lobby)
    await server.settle()
    assert len({round(at) for at in weather.dms_refused}) == 1
    said = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    assert said == [f"Discord refuses more DMs for now (40003): none is opened for {WAIT:.0f} s"]
    weather.limit_dms(1, dm_channels.EVERY - 1)
    await server.env.advance_time(WAIT + 3 * dm_channels.EVERY)
    assert [[dm.says("You have a seat") for dm in player.dms()] for player in (bo, cy, di)] == [[True]] * 3
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


@pytest.mark.parametrize(
    ("status", "code", "is_gone"), [(404, 10003, True), (403, 50001, True), (403, DMS_CLOSED, False)]
)
async def test_a_channel_that_is_gone_is_opened_anew_unless_dms_are_closed(
    server: Server, ann: Player, bo: Player, status: int, code: int, is_gone: bool
) -> None:
    await server.seat(ann, bo)
    server.change_file(f"UPDATE dm_channels SET channel = 77 WHERE person = {bo.id}")
    await server.restart()
    server.env.inject_error("POST", "/channels/77/messages", status=status, code=code, times=None)
    since = len(server.requests)
    await ann.click("Start")
    assert hands(bo) == opened(server, since) == is_gone
    assert stored(server)[bo.id] == (bo.member.user.dm_channel.id if is_gone else 77)
    assert server.shows("I can't DM you") is not is_gone


async def test_a_hand_whose_channel_is_gone_gets_another(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    server.change_file(f"UPDATE messages SET channel = 77 WHERE key = 'hand1:{bo.id}'")
    server.change_file(f"UPDATE dm_channels SET channel = 77 WHERE person = {bo.id}")
    await server.restart()
    assert hands(bo) == 2  # the first one is where nobody can find it any more
    await bo.pass_cards()
    assert bo.hand.says("You pass")


# Privacy


async def test_privacy_hands_the_channel_out_and_deletes_it(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    told = await exported(await bo.export_data())
    assert told["direct_message_channel"] == [{"channel": str(bo.member.user.dm_channel.id)}]
    await forget(bo)
    assert bo.id not in stored(server)
    bo.at, count = server.add_channel("another table"), len(bo.dms())
    assert (await bo.run("hearts new")).told == ""
    assert [dm.says("You have a seat") for dm in bo.dms()[count:]] == [True]
    assert stored(server)[bo.id] == bo.member.user.dm_channel.id
