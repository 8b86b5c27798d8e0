"""Discord refuses, fails, is silent, or answers with a page: the table waits, says so, and goes on."""

import logging
from random import Random
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from at_once import all_pass, deals_played
from pages import HALF, PAGE, Page, answer_oddly, clear_up
from people import DMS_CLOSED, HAND, Player, play_on, refusal
from seen import Seen
from server import OpenServer, Server
from settling import let_time_stand_still
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from weather import SLOW, Weather
from wire import MESSAGES, Wire, answer_with

from bot.answering.answering import SORRY
from bot.delivery import queue
from bot.discord.faults import Fault, Garbled, fault_of
from bot.discord.traffic import Traffic
from engine.tables import flow
from tests.operations import TOKEN

pytestmark = pytest.mark.slow

#: Longer than the simulation waits by itself: Discord is tried again when a test lets the time pass.
WAIT = 6.0
DAY = 24 * 60 * 60
CONTINUES = "The game continues where it left off."
#: A status with a code, or with the text that comes instead of an answer.
ODD = [(503, 0), (403, PAGE), (200, HALF)]


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


def tries(server: Server, method: str, path: str) -> int:
    """How often the bot has asked Discord for this."""
    return sum((one.method, one.path) == (method, path) for one in server.requests)


def posts_of(server: Server) -> str:
    return f"/channels/{server.channel.id}/messages"


def dms_to(player: Player) -> str:
    return f"/channels/{player.member.user.dm_channel.id}/messages"


def boards(server: Server) -> list[str]:
    """The headings of the posts that show a deal."""
    return [heading for heading in server.headings() if "Trick" in heading]


def shows_cards(player: Player) -> bool:
    """Whether a hand of theirs, by DM or in the channel, shows a card."""
    seen = [*player.dms(), *(one for one in player.sees() if one.is_private)]
    return any(one.asks_to_pass or one.playable for one in seen if HAND in one.text)


def told_of_the_pause(player: Player) -> list[Seen]:
    """The DMs that say so; the hand of a deal that could not be opened may come after one."""
    return [dm for dm in player.dms() if dm.says("The game is paused")]


async def play(server: Server, cards: int) -> None:
    """Play this many cards, each by the player whose turn it is."""
    for _ in range(cards):
        await server.to_play.play()


def complete(server: Server, cards: int) -> bool:
    """Whether the deal's post shows as many cards of the trick as were played."""
    return sum(line.startswith("`") for line in server.post("Trick").text.splitlines()) == cards


# Discord is out of order for a while


def test_what_discord_does_not_document_as_final_is_tried_again() -> None:
    response: Any = SimpleNamespace(status=404, reason="No")
    codes = (0, 40004, 40333, 130000)
    answers = [discord.HTTPException(response, {"code": code, "message": "No"}) for code in codes]
    for error in (TimeoutError(), ConnectionResetError(), aiohttp.ServerDisconnectedError(), *answers):
        assert fault_of(error) is Fault.LATER


@pytest.mark.parametrize(("status", "what"), ODD, ids=lambda one: str(one)[:8] or "nothing")
async def test_the_seal_the_hand_the_cards_and_the_end_come_later_each_once(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch, status: int, what: int | str
) -> None:
    let_time_stand_still(monkeypatch)  # while the table waits to be forgotten until all is shown
    server = await open_server(rng=Random(10))  # whose first deal is played to its last card
    ann = server.people[0]
    await server.seat(ann, ends_at=1)
    for path in (posts_of(server), dms_to(ann), "/webhooks/*"):
        fail(server, status, what, "POST", path)
    await ann.click("Start")
    assert not shows_cards(ann)
    assert HAND in (await ann.run("hearts hand")).told
    assert not shows_cards(ann), "before the seal"
    await server.env.advance_time(4 * WAIT)
    assert server.opening(1)
    assert shows_cards(ann)
    assert sum(HAND in dm.text for dm in ann.dms()) == 1

    await ann.pass_cards()
    shown = server.post("Trick")
    before = tries(server, "PATCH", f"{posts_of(server)}/{shown.id}")
    fail(server, status, what, "PATCH", f"{posts_of(server)}/*")
    for _ in range(2):
        await ann.play()
    assert server.post("Trick").text == shown.text
    assert tries(server, "PATCH", f"{posts_of(server)}/{shown.id}") == before + 1
    await server.env.advance_time(WAIT + 1)
    assert server.post("Trick").text != shown.text

    while len(ann.hand.buttons) > 1:
        await ann.play()
    for method in ("POST", "PATCH"):
        fail(server, status, what, method, f"{posts_of(server)}*", None)
    await ann.play()
    assert not server.shows("🏆")
    clear_up(server.env)
    await server.env.advance_time(WAIT + 1)
    assert server.shows("🏆")
    assert server.post("Seats").says("The game is over.")
    assert len(server.headings()) == len(set(server.headings()))
    sent = len(server.posts())
    await server.env.advance_time(120)
    await server.restart()
    assert len(server.posts()) == sent


@pytest.mark.parametrize("is_page", [False, True])
async def test_what_was_sent_although_no_answer_came_is_not_sent_again(
    server: Server, ann: Player, bo: Player, is_page: bool
) -> None:
    await server.seat()
    weather = Weather(server)

    def lose_answer(path: str) -> None:
        if is_page:
            fail(server, 200, PAGE, "POST", path, is_done=True)
        else:
            weather.lose_answer("POST", path)

    lose_answer(posts_of(server))
    lose_answer(dms_to(bo))
    await ann.click("Start")
    await server.env.advance_time(WAIT + 1)
    seal = server.opening(1)  # the only one
    assert sum(HAND in dm.text for dm in bo.dms()) == 1

    lose_answer(posts_of(server))
    await all_pass(server)
    await play(server, 2)
    assert complete(server, 0)
    await server.env.advance_time(WAIT + 1)
    assert boards(server) == ["### Deal 1 · Trick 1"]
    assert complete(server, 2)

    await deals_played(server.people, lambda: server.shows("After deal 1"))
    assert tries(server, "PATCH", f"{posts_of(server)}/{seal.id}") == 0
    [opened] = (await ann.click("Check the deal")).private
    assert opened.links["The sealed post"] == f"{server.address()}/{seal.id}"


async def test_a_post_that_was_deleted_before_its_lost_answer_was_asked_for_is_sent_anew(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    Weather(server).lose_answer("POST", posts_of(server))
    await ann.click("Start")
    old = server.opening(1)
    server.env.backend.delete_message(server.channel.id, old.id)
    await server.env.advance_time(WAIT + 1)
    assert server.opening(1).id != old.id


async def test_no_table_waits_behind_the_slow_channel_of_another(
    server: Server, ann: Player, bo: Player
) -> None:
    bo.at = server.add_thread("another table")
    await server.deal(ann, pace="none")
    await server.deal(bo, pace="none")
    Weather(server).slow_down(f"{posts_of(server)}.*")
    await ann.pass_cards()
    await ann.play()
    assert not server.shows("Trick 1")  # and yet the hand answers
    await bo.pass_cards()
    await deals_played([bo], lambda: any(post.says("After deal 1") for post in server.posts(bo.at)))
    await server.env.advance_time(10 * SLOW)
    assert server.shows("Trick 1")


# A deal whose first post can't be sent


async def test_a_table_pauses_while_its_deal_cannot_be_opened_and_each_try_is_one_line_of_the_log(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", 2.0)
    await server.seat(ann, bo, pace="live")
    fail(server, 401, PAGE, "POST", posts_of(server), None)
    before = tries(server, "POST", posts_of(server))
    await ann.click("Start")
    await server.env.advance_time(4 * WAIT)
    [told] = told_of_the_pause(ann)
    assert told.says("Discord isn't taking my messages there")
    assert (await bo.run("hearts hand")).told == refusal("paused")
    moves = server.stored()["moves"]
    await server.env.advance_time(600)  # nobody's time is up, and nobody is told again
    assert server.stored()["moves"] == moves
    assert len(told_of_the_pause(ann)) == 1
    assert not shows_cards(ann)
    assert not shows_cards(bo)
    tried = tries(server, "POST", posts_of(server)) - before
    assert tried in range(12, 17)
    warnings = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert not any(one.exc_info or "<" in one.getMessage() or "\n" in one.getMessage() for one in warnings)
    assert sum("deal1 has to wait" in one.getMessage() for one in warnings) == tried
    assert "deal1 has to wait 60 s: 401" in caplog.text
    clear_up(server.env)
    while not server.shows(CONTINUES):
        await server.env.advance_time(5)
    assert server.opening(1)
    assert shows_cards(ann)
    assert shows_cards(bo)
    await server.env.advance_time(50)
    assert not server.shows("Time's up")  # they have all their time


async def test_a_deal_waits_for_the_button_where_nothing_tells_when_its_opening_can_be_sent(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.seat(ann, pace="none")
    fail(server, 400, 50035, "POST", posts_of(server))  # as it is built wrong
    await ann.click("Start")
    assert "could not show deal1" in caplog.text
    caplog.clear()
    assert told_of_the_pause(ann)
    assert not shows_cards(ann)
    fail(server, 403, 50013, "*", f"{posts_of(server)}*", None)
    before = tries(server, "POST", posts_of(server))
    await ann.click("Try again", ann.dm)
    assert ann.dm.says("The game is paused")  # still: and so it says again
    assert tries(server, "POST", posts_of(server)) == before + 1
    clear_up(server.env)
    await ann.click("Try again", ann.dm)
    assert server.shows(CONTINUES)
    assert server.opening(1)
    assert shows_cards(ann)
    await server.env.advance_time(30)
    assert not told_of_the_pause(ann)


# Clicks and commands that cannot be answered


@pytest.mark.parametrize(
    ("status", "what"), [(404, 10062), (503, 0), (200, PAGE)], ids=["late", "503", "page"]
)
async def test_a_click_or_command_that_cannot_be_answered_counts_and_shows(
    server: Server, ann: Player, bo: Player, caplog: pytest.LogCaptureFixture, status: int, what: int | str
) -> None:
    callback = "/interactions/*/callback"
    ann.close_dms()
    bo.close_dms()  # so that of three, one plays by DM and one in the channel
    fail(server, status, what, "POST", callback)
    await ann.run("hearts new")
    fail(server, status, what, "POST", callback)
    await bo.click("Join")
    assert server.post("Seats").says("1. Ann · host 2. Bo")
    assert sum("Seats" in post.text for post in server.posts()) == 1
    for player in server.people[2:]:
        await player.click("Join")
    fail(server, status, what, "POST", callback)
    await ann.click("Start")
    assert server.shows("Everyone passes 3 cards")
    await all_pass(server)
    for player in (ann, bo):
        await player.open_hand()
    before = len(server.stored()["moves"])
    for number in (1, 2, 3):
        player = server.to_play
        card = player.playable[0]
        fail(server, status, what, "POST", callback, is_done=True)
        await player.play()
        assert len(server.stored()["moves"]) == before + number
        assert complete(server, number)
        assert card not in player.hand.buttons
    assert "refused to show it" not in caplog.text


@pytest.mark.parametrize("status", [200, 503])
async def test_an_answer_that_arrived_although_discord_does_not_say_so_is_not_sent_again(
    server: Server, ann: Player, bo: Player, status: int
) -> None:
    callback = "/interactions/*/callback"
    fail(server, status, PAGE, "POST", callback, is_done=True)
    await ann.run("hearts new")
    fail(server, status, PAGE, "POST", callback, is_done=True)
    [rules] = (await ann.run("hearts rules")).private
    assert rules.says("Each heart counts 1")
    await bo.click("Join")
    [lobby] = server.posts()
    assert lobby.says("1. Ann · host 2. Bo")


async def test_a_click_on_what_is_deleted_meanwhile_is_answered_and_no_fault_of_ours(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    form = await ann.click("Length and pace", page)
    server.env.inject_error("POST", "/interactions/*/callback", status=404, code=10008)
    assert (await ann.send(form, pace="live")).told == SORRY
    assert server.stored()["tables"][0]["pace"] == "live"


# DMs that are refused


async def test_dms_that_close_in_mid_game_are_told_in_the_channel_once(server: Server, bo: Player) -> None:
    """Even where nobody can say whether the player is there."""
    await server.deal_and_pass(bo, ends_at=40)
    bo.close_dms()
    Weather(server).lose_request("GET", r"/guilds/\d+/members/\d+")
    # Nor may the new hand follow the last click.
    server.env.inject_error("POST", "/webhooks/*", status=403, code=DMS_CLOSED)
    bo.has_dms = True  # the DM of this deal is still there
    await deals_played([bo], lambda: server.shows("After deal 1"))
    told = "Bo: I can't DM you. Press My hand to see and play your cards."
    assert sum(post.says(told) for post in server.posts()) == 1
    assert "My hand" in server.post(told).enabled
    bo.has_dms = False
    await bo.open_hand()
    await deals_played([bo], lambda: server.shows("🏆"))
    assert sum(post.says(told) for post in server.posts()) == 1


async def test_who_takes_no_dms_as_they_have_left_the_server_is_replaced(
    open_server: OpenServer,
) -> None:
    server = await open_server(rng=Random(4))  # whose first deal is played to its last card
    ann, bo = server.people[:2]
    await server.deal_and_pass(ann, bo, ends_at=40)
    await play_on([ann, bo], lambda: bo.hand.says("You've played all your cards."))
    await server.restart()  # no click is left that the new hand could follow
    server.guild.remove_member(bo.member)
    fail(server, 403, DMS_CLOSED, "POST", dms_to(bo), None)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    assert server.shows("Bo has left the server: a computer plays on")
    assert not server.shows("I can't DM you")
    await deals_played([ann], lambda: server.shows("🏆"))


# The channel is closed to the bot


def deny_everyone(server: Server, denied: discord.Permissions) -> None:
    """Nobody may do this in the channel from now on, nor may the bot."""
    overwrite = Overwrite(server.guild.id, OverwriteType.ROLE, 0, denied.value)
    server.env.backend.set_overwrite(server.channel.id, overwrite)


async def reconnect(server: Server) -> None:
    """The gateway is there again, with a new session."""
    with server.env._bot_scope():  # as the work of the bot, for which settling waits
        await server.env.bot.get_shard(0).reconnect()
    await server.settle()


async def test_a_table_waits_while_the_bot_may_not_write_or_is_not_in_the_server_and_goes_on_when_it_is(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(pace="live")
    await play(server, 5)
    deny_everyone(server, discord.Permissions(view_channel=True))
    await play(server, 1)
    [told] = told_of_the_pause(ann)
    assert told.says(f"{server.channel.mention}: I can no longer write there.")
    assert not told_of_the_pause(bo)
    stored = server.stored()["moves"]
    await server.env.advance_time(DAY / 12)
    assert server.stored()["moves"] == stored
    await server.restart()
    assert (await server.to_play.play()).told == refusal("paused")
    await server.env.bot.get_shard(0).disconnect()
    deny_everyone(server, discord.Permissions.none())
    await reconnect(server)
    # simcord leaves out that each server, once it is there again, is told as available.
    backend = server.env.backend
    guild, channel = backend.guilds[server.guild.id], backend.channels[server.channel.id]
    payload = dict(serializers.guild_create_payload(backend, guild))
    backend.emit("GUILD_CREATE", payload)
    await server.settle()
    assert server.shows(CONTINUES)
    assert complete(server, 2)  # one card could not be shown in its trick

    messages, stored = backend.messages[channel.id], server.stored()["moves"]
    backend.remove_guild(guild.id)
    await server.settle()
    await server.env.advance_time(600)
    assert (await server.to_play.play()).told == refusal("paused")
    assert server.stored()["moves"] == stored
    backend.guilds[guild.id], backend.channels[channel.id] = guild, channel
    backend.messages[channel.id] = messages
    del payload["unavailable"]  # as in a server that the bot joins
    backend.emit("GUILD_CREATE", payload)
    await server.settle()
    assert sum(post.says(CONTINUES) for post in server.posts()) == 2
    await deals_played(server.people, lambda: server.shows("After deal 1"))
    [board] = [post for post in server.posts() if "· Trick" in post.heading]
    assert [trick.number for trick in board.tricks] == list(range(1, 14))


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed meanwhile", "still forbidden"])
async def test_a_game_that_nobody_lets_go_on_for_a_week_is_closed_and_its_record_kept(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    assert flow.PAUSED_CLOSES == 7 * DAY
    monkeypatch.setattr(flow, "PAUSED_CLOSES", DAY / 12)  # as a week has so many timers
    await server.deal_and_pass(ann, bo)
    fail(server, 403, 50013, "*", f"{posts_of(server)}*", None)
    await play(server, 1)
    assert ann.dm.says("The game is paused")
    hand = await server.to_play.open_hand()
    assert hand.says("Your turn")
    assert "until" not in hand.text  # the week is nobody's turn
    moves = server.stored()["moves"]
    await server.env.advance_time(DAY / 12 - 60)
    assert server.stored()["tables"][0]["state"] == "playing"
    asked = len(server.requests)
    if allowed:
        server.env.backend.faults.clear()
    await server.env.advance_time(120)
    assert server.stored()["tables"][0]["state"] == "stopped"
    assert server.stored()["moves"] == moves
    assert server.shows("The table was closed: I couldn't write here for a week.") is allowed
    assert server.shows("The game was stopped") is allowed
    for player in (ann, bo):
        assert player.hand.says("The game was stopped.")
    assert (await ann.run("hearts record")).file
    await server.env.advance_time(DAY / 12)
    await server.restart()
    tried = sum(one.path.startswith(posts_of(server)) for one in server.requests[asked:])
    assert allowed or tried == 1  # who refuses one post would refuse the rest
    server.env.backend.faults.clear()
    assert (await ann.run("hearts new")).public


async def test_a_game_goes_on_when_a_role_lets_the_bot_write_again(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, pace="none")
    backend, me = server.env.backend, server.env.bot.user
    silent, tables = (backend.create_role(server.guild.id, name) for name in ("Silent", "Card tables"))
    writing = discord.Permissions(send_messages=True)
    backend.set_overwrite(server.channel.id, Overwrite(silent.id, OverwriteType.ROLE, 0, writing.value))
    backend.add_member_role(server.guild.id, me.id, silent.id)
    # It may still edit, so they play on until the deal is done.
    await deals_played([ann], lambda: bool(told_of_the_pause(ann)))
    assert not server.shows("After deal 1")
    backend.delete_role(server.guild.id, silent.id)
    await server.env.advance_time(30)
    assert server.shows(CONTINUES)
    assert server.shows("After deal 1")
    assert not told_of_the_pause(ann)

    deny_everyone(server, writing)
    await ann.pass_cards()
    backend.set_overwrite(server.channel.id, Overwrite(tables.id, OverwriteType.ROLE, writing.value, 0))
    await server.settle()
    assert told_of_the_pause(ann)
    backend.add_member_role(server.guild.id, me.id, tables.id)
    # Discord tells a bot of its own member without the members intent; simcord does not.
    member = serializers.member_payload(
        backend, backend.get_guild(server.guild.id), backend.get_member(server.guild.id, me.id)
    )
    with server.env._bot_scope():
        hears = server.env.bot._connection.parsers["GUILD_MEMBER_UPDATE"]
        hears(dict(member) | {"guild_id": str(server.guild.id)})
    await server.env.advance_time(30)
    assert not told_of_the_pause(ann)


async def test_a_paused_game_in_a_thread_that_sleeps_meanwhile_goes_on(server: Server, ann: Player) -> None:
    thread = ann.at = server.add_thread("hearts")
    await server.deal_and_pass(ann, pace="none")
    backend = server.env.backend
    fail(server, 403, 50013, "*", f"/channels/{thread.id}/messages*", None)
    while not told_of_the_pause(ann):
        await server.to_play.play()
    backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    await server.settle()
    backend.faults.clear()
    backend.edit_channel(server.channel.id, {"topic": "cards"})
    await server.settle()
    assert any(post.says(CONTINUES) for post in server.posts(thread))


# Messages, channels and servers that vanish


@pytest.mark.parametrize("code", [10008, 30046])
async def test_a_post_that_cannot_be_edited_any_more_is_posted_anew(server: Server, code: int) -> None:
    await server.deal_and_pass()
    old = server.post("Trick 1")
    if code == 10008:
        server.env.backend.delete_message(server.channel.id, old.id)
    else:
        fail(server, 429, code, "PATCH", f"{posts_of(server)}/{old.id}", None)
    await play(server, 2)
    new = server.post("Trick 1")
    assert new.id != old.id
    assert complete(server, 2)
    await play(server, 1)
    assert server.post("Trick 1").id == new.id


async def test_a_post_that_is_deleted_before_it_is_certain_to_be_the_newest_is_posted_anew(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", SLOW)
    await server.seat(ann)
    path, weather = posts_of(server), Weather(server)
    await ann.click("Start")
    await ann.pass_cards()
    weather.lose_answer("POST", path)
    weather.slow_down(rf"{path}/\d+")
    await ann.run("hearts leave")  # which a post tells, whose answer is lost
    await server.env.advance_time(2.5 * SLOW)  # it has been asked for again, and is being edited
    server.env.backend.delete_message(server.channel.id, server.post("Ann has left").id)
    weather.clear_up()
    await server.env.advance_time(4 * SLOW)
    assert server.shows("Ann has left")


async def test_a_hand_that_is_sent_anew_waits_for_no_post_but_its_deals_seal(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await play_on([ann], lambda: bool(bo.playable))
    await server.restart()  # no click is left through which a hand could be shown
    old = ann.hand
    server.env.backend.delete_message(old.channel, old.id)
    server.env.backend.delete_message(server.channel.id, server.posts()[-1].id)
    Weather(server).lose_request("POST", posts_of(server))
    await bo.play()
    assert not boards(server)
    assert ann.hand.id != old.id
    await server.env.advance_time(WAIT + 1)
    assert boards(server)


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_game_whose_channel_is_deleted_ends_and_its_record_is_kept(
    server: Server, ann: Player, bo: Player, is_away: bool
) -> None:
    await server.deal_and_pass(ann, bo)
    await play(server, 3)
    moves = server.stored()["moves"]
    hand = ann.hand
    if is_away:
        await server.env.bot.get_shard(0).disconnect()
    server.env.backend.delete_channel(server.channel.id)
    await (server.restart() if is_away else server.settle())
    assert server.stored()["tables"][0]["state"] == "stopped"
    assert server.stored()["moves"] == moves
    assert not server.stored()["results"]
    for player in (ann, bo):
        assert player.hand.says("The game was stopped.")
    assert await ann.try_press(next(iter(hand.buttons)), hand) == refusal("table_gone")


async def test_a_reminder_asks_once_whether_the_player_is_still_there_and_a_computer_takes_over_if_not(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal(ann, bo, cy, pace="live")
    await server.env.advance_time(31)
    asked = f"/guilds/{server.guild.id}/members/{bo.id}"
    assert tries(server, "GET", asked) == 1
    await ann.pass_cards()
    await cy.run("hearts leave")
    assert tries(server, "GET", asked) == 1
    await bo.pass_cards()
    await play_on([ann], lambda: bool(bo.playable))
    server.guild.remove_member(bo.member)
    await server.env.advance_time(31)
    assert server.shows("Bo has left the server: a computer plays on")
    await deals_played([ann], lambda: server.shows("After deal 1"))


async def test_who_has_left_the_server_keeps_no_seat_in_a_lobby_and_its_host_is_replaced_at_the_start(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.seat(ann, bo, cy)
    asked = [f"/guilds/{server.guild.id}/members/{player.id}" for player in (ann, bo, cy)]
    for _ in range(5):
        assert (await bo.click("Start")).told == refusal("host_only", host="Ann")
    assert tries(server, "GET", asked[0]) == 1
    await server.env.advance_time(11 * 60)
    server.guild.remove_member(cy.member)
    weather = Weather(server)
    weather.slow_down(r"/guilds/\d+/members/\d+")
    for seconds, count in ((9 * 60 + SLOW + 1, 2), (SLOW, 3), (SLOW, 4)):  # one after another
        await server.env.advance_time(seconds)
        assert sum(tries(server, "GET", path) for path in asked) == count
    weather.clear_up()
    assert server.post("Seats").says("1. Ann · host 2. Bo 3. free")
    server.guild.remove_member(ann.member)
    await bo.click("Start")
    assert server.stored()["tables"][0]["state"] == "playing"
    assert server.post("Seats").says("1. Bo · host 2.")


async def test_who_has_left_the_server_does_not_play_on_by_dm(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="relaxed")
    await server.env.advance_time(1)
    server.guild.remove_member(bo.member)
    for _ in range(6):  # somebody plays within every ten minutes, so that nobody is ever reminded
        await play_on([ann, bo], lambda: bool(ann.playable))
        await server.env.advance_time(4 * 60)
        await ann.play()
    assert server.shows("Bo has left the server: a computer plays on")
    assert not server.shows("the table is waiting for you")
    assert bo.hand.says("A computer plays your cards until you come back.")
    assert not bo.playable


# The gateway


async def test_a_gateway_that_is_there_again_has_nothing_synced_or_sent_again(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    asked = len(server.requests)
    server.env.bot.dispatch("disconnect")
    server.env.bot._connection.parsers["RESUMED"]({"__shard_id__": 0})
    await server.settle()
    await server.env.bot.get_shard(0).disconnect()
    await reconnect(server)
    assert len(server.requests) == asked


# Over real sockets


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, PAGE), (200, HALF), (200, ""), (200, "{}"), (400, PAGE), (401, PAGE), (403, PAGE), (404, PAGE)],
    ids=lambda one: str(one)[:8] or "nothing",
)
async def test_what_something_else_answers_says_nothing_about_the_request(
    wire: Wire, status: int, body: str
) -> None:
    answer_with("POST", MESSAGES, Page(status, body), times=1)(wire)
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(TOKEN)
        Traffic().listen(client.http)  # as the bot does
        channel = client.get_partial_messageable(wire.channel)
        with pytest.raises((Garbled, discord.HTTPException)) as raised:
            await channel.send("Hello")
        assert fault_of(raised.value) is Fault.LATER
        assert isinstance(raised.value, Garbled) is (status == 200)
        if status != 200:
            assert str(raised.value) == f"{status} without a code, and with a page"
        assert (await channel.send("Hello")).content == "Hello"
