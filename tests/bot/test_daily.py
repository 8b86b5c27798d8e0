"""The daily deal in Discord: played in private, told of in public without a word about its cards."""

import hashlib
import re
from typing import Any

import pytest
from at_once import deals_played
from own_data import exported, forget
from people import DMS_CLOSED, Player, refusal
from seen import Seen
from server import OpenServer, Server, Sketches, forbid
from weather import SLOW, Weather

from bot.daily.handlers import TOLD
from bot.vocabulary.messages import ByDm
from bot.vocabulary.scenes import FanScene, TableScene

pytestmark = pytest.mark.slow

A_DAY = 24 * 60 * 60.0
FIRST, SECOND = "2026-01-01", "2026-01-02"
SEAL = re.compile(r"🔒 Seal \d · \|\|([0-9a-f]{30})\|\|")
CARD = re.compile(r"(?:10|[2-9JQKA])\ufe0e?[♣♦♠♥]|\b(?:points?|moon|pass)")


@pytest.fixture
async def ann(server: Server) -> Player:
    """Ann, who plays under My hand."""
    server.people[0].has_dms = False
    return server.people[0]


def elsewhere(server: Server, user: Any) -> Player:
    """This user in another server, under My hand."""
    guild = server.env.create_guild("Elsewhere")
    player = Player(server, guild.add_member(user))
    player.at, player.has_dms = guild.create_text_channel("cards"), False
    return player


def place(player: Player) -> int:
    """The channel where this player sees their hand."""
    return player.member.user.dm_channel.id if player.has_dms else player.at.id


def page(player: Player) -> Seen:
    """The newest page of a day that this player sees."""
    found = player.server.newest(place(player), lambda one: "### Daily deal" in one.text, player.id)
    assert found is not None, "there is no result"
    return found


async def play(player: Player, moves: int) -> None:
    """Do what the hand asks for, so many times."""
    for _ in range(moves):
        assert await player.act(), "the hand asks for nothing"


async def finish(player: Player) -> Seen:
    """Play the game that has begun to its end; returned is its result, which takes the hand's place."""

    def is_done() -> bool:
        seen = player.server.messages(place(player), player.id)
        return bool(seen) and "### Daily deal" in seen[-1].text

    await deals_played([player], is_done)
    return page(player)


async def play_all(player: Player) -> Seen:
    """A whole game; returned is its result."""
    await player.run("hearts daily")
    return await finish(player)


async def new_day(server: Server) -> None:
    await server.env.advance_time(A_DAY)


def states(server: Server) -> list[str]:
    return [row["state"] for row in server.stored()["tables"]]


# Playing


async def test_a_game_goes_on_after_a_kill_and_past_midnight(server: Server, ann: Player) -> None:
    dot = elsewhere(server, server.env.create_user("dot", global_name="Dot"))
    await dot.run("hearts daily")
    await play(dot, 9)
    assert (await play_all(ann)).says("🥇 Ann (you)")
    await server.restart(after=A_DAY)
    [question] = (await dot.run("hearts daily")).private
    assert question.says("Your daily deal of January 1 isn't finished")
    await dot.click("Finish it", question)
    assert (await finish(dot)).says("not ranked: the day was over")
    assert server.rows("SELECT name FROM daily_results WHERE is_ranked") == [("Ann",)]


async def test_nothing_of_an_open_deal_is_told_in_public(server: Server, ann: Player, bo: Player) -> None:
    result = await play_all(ann)
    assert server.posts() == []  # while it was played
    for control in ("check:1:1", "review:1:1", f"dealt:0:{FIRST}:1"):
        assert await ann.try_control(f"hearts:{control}", result) == refusal("day_not_over")
    assert not [label for label in result.buttons if label.startswith("Deal")]
    await ann.click("Share", result)
    [post] = server.posts()
    assert post.says("Ann · daily deal of January 1")
    [squares] = re.findall("^# (.+)$", post.text, re.MULTILINE)
    assert re.fullmatch("[🟩🟨🟥]( [🟩🟨🟥]){2}", squares)
    total = re.compile(r"^\*\*−?\d+ points\*\*$", re.MULTILINE)  # of all deals together
    assert len(total.findall(post.text)) == 1
    assert not CARD.search(total.sub("", post.text))
    assert not SEAL.search(post.text)
    assert "Next" in (await ann.click("How to play", post)).private[0].enabled
    assert await ann.try_control("hearts:learn:0:chess", post) == refusal("stale")
    assert "Share" not in page(ann).buttons
    assert await ann.try_press("Share", result) == refusal("already_shared")
    bo.has_dms = False
    await bo.click("Play", post)
    assert bo.my_hand.says("Your hand · Deal 1 of 3")
    assert states(server) == ["over", "playing"]
    assert len(server.posts()) == 1


async def test_a_day_is_played_once_found_again_counted_and_deleted(server: Server, ann: Player) -> None:
    async def stats(player: Player = ann) -> Seen:
        return (await player.run("hearts stats")).private[0]

    [hand] = (await ann.run("hearts daily")).private
    await play(ann, 3)
    abroad = elsewhere(server, ann.member.user)
    [again] = (await abroad.run("hearts daily")).private
    assert again.says("Deal 1 of 3")
    assert not again.asks_to_pass
    result = await play_all(ann)
    pick = next(one for one in hand.pressable if ":pick:" in one)
    assert await abroad.try_control(pick, again) == refusal("daily_over")
    [again] = (await ann.run("hearts daily")).private
    assert again.text == result.text
    assert (await stats()).text.startswith("## Ann\n")
    assert (await stats()).says("Daily deal 📅 1 day finished")
    assert not (await stats()).says("🔥")
    assert (await stats(abroad)).text.startswith("You have not finished a game here yet.")
    await new_day(server)
    assert (await play_all(ann)).says("January 2")
    assert (await stats()).says("📅 2 days finished 🔥 2 days in a row, the most so far")
    await new_day(server)  # it can still be played
    assert (await stats()).says("2 days in a row, the most so far")
    await new_day(server)
    assert (await stats()).says("🔥 2 days in a row at best")
    stored = await exported(await ann.export_data())
    assert [(one["day"], one["name"]) for one in stored["daily_deals"]] == [(FIRST, "Ann"), (SECOND, "Ann")]
    assert all(
        type(day[deal]) is int for day in stored["daily_deals"] for deal in ("first", "second", "third")
    )
    assert [(table["channel"], table["state"]) for table in stored["tables"]] == [(None, "over")] * 2
    await forget(ann)
    assert server.rows("SELECT name FROM daily_results") == []
    assert str(ann.id) not in str(server.stored()["tables"])


async def test_its_hand_shows_the_table_once_cards_lie_there_and_lists_tricks(
    open_server: OpenServer,
) -> None:
    server = await open_server(sketches=Sketches())
    ann = server.people[0]
    ann.has_dms = False
    await ann.run("hearts daily")
    assert [type(scene) for scene in server.scenes(ann.my_hand)] == [FanScene]
    await play(ann, 1 + 4)
    assert [type(scene) for scene in server.scenes(ann.my_hand)] == [TableScene]
    assert not ann.my_hand.tricks
    [listed] = (await ann.click("Tricks", ann.my_hand)).private
    assert [trick.number for trick in listed.tricks] == [1, 2, 3, 4]


async def test_only_the_game_that_was_asked_about_gives_way(server: Server, ann: Player) -> None:
    await ann.run("hearts daily")
    await new_day(server)
    [old] = (await ann.run("hearts daily")).private
    answers = [ann.press("Play today's", old) for _ in range(2)]
    await server.settle()
    assert [refusal("table_gone") in answer.told for answer in answers] == [False, False]
    assert ann.my_hand.says("January 2")
    await new_day(server)
    [question] = (await ann.click("Play today's", old)).private
    assert question.says("Your daily deal of January 2 isn't finished")
    assert states(server) == ["stopped", "playing"]
    await ann.click("Play today's", question)
    assert ann.my_hand.says("January 3")


# By DM


async def play_by_dm(player: Player) -> Seen:
    """Begin in the channel and move the game to the DMs; returned is the hand in the channel."""
    [hand] = (await player.run("hearts daily")).private
    assert (await player.click("Play by DM", hand)).told == TOLD[ByDm.YES]
    return hand


async def test_it_can_be_played_by_dm_and_shared_where_it_was_begun(server: Server, bo: Player) -> None:
    await play_by_dm(bo)
    assert bo.hand.says("Deal 1 of 3")
    assert bo.hand.channel == bo.member.user.dm_channel.id
    await play(bo, 1 + 7)
    await server.restart()
    await play(bo, 3)
    result = await finish(bo)
    assert bo.dms() == [result]
    assert result.says("Daily deal · Thursday, January 1")
    server.deny(bo, "send_messages")
    assert (await bo.click("Share", result)).told == refusal("you_may_not_post")
    server.deny(bo)
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=50013, times=1)
    assert (await bo.click("Share", result)).told == refusal("bot_may_not_post_there")
    assert server.posts() == []
    await bo.click("Share", result)
    assert server.post("Bo · daily deal of January 1")


async def test_a_dm_that_was_slow_to_come_shows_the_hand_as_it_is_then(server: Server, bo: Player) -> None:
    [hand] = (await bo.run("hearts daily")).private
    weather = Weather(server)
    weather.slow_down(rf"/channels/{bo.member.user.dm_channel.id}/messages")
    bo.press("Play by DM", hand)
    await server.settle()
    await bo.pass_cards(on=bo.my_hand)
    weather.clear_up()
    await server.env.advance_time(SLOW)
    assert bo.hand.channel == bo.member.user.dm_channel.id
    assert bo.playable


async def test_who_deletes_everything_is_shown_no_hand_that_was_on_its_way(
    server: Server, bo: Player
) -> None:
    await play_by_dm(bo)
    question = await bo.ask_to_delete()
    await server.restart()  # no click is left through which the DM could be changed
    [hand] = (await bo.run("hearts daily")).private
    Weather(server).slow_down(rf"/channels/{bo.member.user.dm_channel.id}/messages/\d+")
    await bo.pass_cards(on=hand)
    bo.press("Delete it all", question)
    await server.settle()
    await server.env.advance_time(2 * SLOW)
    assert server.rows("SELECT state, end_seen FROM tables") == [("stopped", 1)]
    assert server.rows("SELECT * FROM messages") == []
    assert str(bo.id) not in str(tuple(server.stored()["tables"][0]))
    assert (await bo.run("hearts daily")).told == refusal("seen_today")


@pytest.mark.parametrize("code", [DMS_CLOSED, 40003])
async def test_a_dm_that_is_refused_in_mid_game_is_no_news(server: Server, bo: Player, code: int) -> None:
    await play_by_dm(bo)
    server.env.inject_error("POST", "/channels/*/messages", status=403, code=code, times=None)
    [table] = server.env.bot.tables.live
    await deals_played([bo], lambda: server.env.bot.tables.get(table.id).game.begun == 2)
    await server.env.advance_time(60)
    assert server.env.bot.tables.get(table.id).notice is None
    assert not [one for one in server.requests if "/members/" in one.path]


async def test_who_leaves_the_server_plays_on_by_dm(server: Server, bo: Player) -> None:
    await play_by_dm(bo)
    server.guild.remove_member(bo.member)
    await server.env.advance_time(A_DAY / 12)
    server.env.backend.remove_guild(server.guild.id)
    await server.settle()
    await play(bo, 20)  # into the second deal
    assert (await finish(bo)).says("points in all")


# The mornings


async def test_a_server_hears_each_morning_of_seals_that_fit_the_deals_a_day_later(
    server: Server, ann: Player, bo: Player
) -> None:
    bo.has_dms, news = False, server.add_channel("news")
    answer = await server.add_manager().run("hearts daily", channel=news)
    assert answer.private[0].says("now and every day at")
    [first] = server.posts(news)
    assert first.says("Thursday, January 1 Daily deal: three deals of Hearts")
    assert first.says("Dealt today: I was offline yesterday.")
    seals = SEAL.findall(first.text)
    assert len(seals) == 3
    for player in (ann, bo):
        await player.click("Share", await play_all(player))
    assert server.posts()[-1].says("1st of 2 here")  # level with the other
    [shown] = (await bo.click("Seals", server.posts()[-1])).private
    assert shown.says("Seals of January 1")
    assert not CARD.search(shown.text)
    assert SEAL.findall(shown.text) == seals
    await server.restart()
    await new_day(server)
    _, second = server.posts(news)
    assert second.says("Friday, January 2")
    assert second.says("Sealed before the day began.")
    assert second.says("🥇 Ann")
    ann.at = news
    await ann.click("Yesterday's deals", second)
    for number, beginning in enumerate(seals, 1):
        await ann.click(f"Deal {number}", page(ann))
        [line] = re.findall(r"printf %s '(.+)' \| sha256sum", ann.sees()[-1].text)
        assert hashlib.sha256(line.encode()).hexdigest()[:30] == beginning
        assert ann.sees()[-1].links["The sealed post"].endswith(str(first.id))
        await ann.click("Back", ann.sees()[-1])
    for number in (0, 4):
        assert await ann.try_control(f"hearts:dealt:0:{FIRST}:{number}", page(ann)) == refusal("stale")
    [replay] = (await ann.click("Replay", page(ann))).private
    assert replay.says("Deal 1 · As dealt")
    await ann.click("Deal 2", page(ann))
    [review] = (await ann.click("How did I play?")).private
    assert review.says("deal 2")
    assert len(server.posts(news)) == 2


async def test_a_manager_names_a_channel_where_the_bot_may_post_and_ends_it(
    server: Server, bo: Player
) -> None:
    manager = server.add_manager()
    quiet = server.add_channel("quiet", overwrites={server.guild.default_role: forbid("send_messages")})
    assert (await bo.run("hearts daily", channel=server.channel)).told == refusal("server_manager_only")
    refused = await manager.run("hearts daily", channel=quiet)
    assert refused.told == refusal("bot_may_not_post_there")
    await new_day(server)
    assert server.posts() == server.posts(quiet) == []
    answer = await manager.run("hearts daily", channel=server.channel)
    await server.restart(after=A_DAY + 7 * 60 * 60)  # in which it misses a morning
    assert len(server.posts()) == 2
    await server.restart()
    await server.env.advance_time(A_DAY / 4)
    assert len(server.posts()) == 2
    await manager.click("Stop posting", answer.private[0])
    await new_day(server)
    assert len(server.posts()) == 2


async def test_a_failed_post_comes_later_or_never(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    await server.add_manager().run("hearts daily", channel=server.channel)
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=500, code=0, times=6)
    await new_day(server)
    assert len(server.posts()) == 1
    await server.env.advance_time(60 * 60)
    assert len(server.posts()) == 2
    server.env.inject_error("POST", path, status=403, code=50013, times=None)
    await new_day(server)
    assert len(server.posts()) == 2
    assert server.rows("SELECT * FROM daily_channels") == []
    [line] = [one for one in caplog.messages if "refuses the daily deal" in one]
    assert str(server.channel.id) in line
