"""The app on a person's account: played in a group DM and in servers without the bot, in private."""

from typing import Any

import pytest
from at_once import deals_played
from games import play_a_game
from own_data import forget
from people import Player, refusal
from places import add_bot
from server import Server
from test_daily import finish, page, play, play_all

from bot.daily.handlers import TOLD
from bot.discord.permissions import invitation
from bot.local import contexts
from bot.local.contexts import allow_external_apps, remove_bot
from bot.vocabulary.messages import ByDm

pytestmark = pytest.mark.slow

NO_MUTUAL_SERVERS = 50278
#: How many others are in a private channel of Ann's; to the bot, a DM with one is a group DM.
IN_A_SERVER, IN_A_DM, IN_A_GROUP = 0, 1, 2
EVERYWHERE = pytest.mark.parametrize("others", [IN_A_SERVER, IN_A_GROUP])


def abroad(server: Server, others: int) -> Player:
    """Ann, with the app on her account, where the bot isn't: in a group DM with this many, or in a server."""
    ann = server.people[0]
    ann.installs()
    private = server.add_private_channel(*server.people[: others + 1]) if others else None
    there = ann.goes_to(private or server.add_channel_elsewhere())
    there.has_dms = False
    return there


def with_token(server: Server) -> list[str]:
    """The bot's requests with its token that are about a channel or a person."""
    return [str(one) for one in server.requests if one.path.startswith(("/channels/", "/guilds/", "/users/"))]


# The daily deal


@EVERYWHERE
async def test_a_whole_daily_game_across_a_restart_is_shared_right_there(server: Server, others: int) -> None:
    ann = abroad(server, others)
    [hand] = (await ann.run("hearts daily")).private
    assert hand.says("Your hand · Deal 1 of 3")
    await play(ann, 6)
    await server.restart()
    await play(ann, 6)
    await server.restart(after=16 * 60)  # so that no token is left that could edit the hand
    await play_all(ann)
    assert not page(ann).says("This server")
    assert all(one.is_private for one in ann.sees())
    [stored] = server.stored()["tables"]
    assert (stored["guild"], stored["state"]) == (0, "over")
    await ann.click("Share", page(ann))
    post = server.post("Ann · daily deal of January 1", ann.at)
    assert not post.says("here")
    assert "Share" not in page(ann).buttons
    bo = server.people[1].goes_to(ann.at)  # who doesn't have the app
    bo.has_dms = False
    assert (await bo.click("Seals", post)).private
    [hand] = (await bo.click("Play", post)).private
    assert hand.says("Deal 1 of 3")
    await finish(bo)
    assert page(bo).says("of 2 everywhere")
    assert not page(bo).says("Ann")  # both play for themselves
    await bo.click("Share", page(bo))
    assert server.post("Bo · daily deal of January 1", ann.at)
    assert "**1 day** finished" in (await ann.run("hearts stats")).told
    assert with_token(server) == []


async def test_a_server_can_forbid_the_posts_of_peoples_apps_but_no_private_table(server: Server) -> None:
    ann = abroad(server, IN_A_SERVER)
    allow_external_apps(server.env, ann.at.guild, False)
    await play_all(ann)
    before = len(ann.sees())
    [told] = (await ann.click("Share", page(ann))).private
    assert told.says(refusal("shown_to_you_alone"))
    assert len(ann.sees()) == before + 1  # the hidden post is gone
    group = abroad(server, IN_A_GROUP)
    await group.run("hearts daily")
    await group.click("Share", page(group))
    assert server.post("Ann · daily deal of January 1", group.at)
    await ann.run("hearts new", ends_at=1)
    await ann.click("Start")
    await play(ann, 5)


async def test_in_the_bots_dm_it_stays_in_one_message_to_share_elsewhere(server: Server, ann: Player) -> None:
    there = ann.in_dm
    [hand] = (await there.run("hearts daily")).public
    assert (await there.click("Play by DM", hand)).told == refusal("already_by_dm")
    await play(there, 6)
    await server.restart(after=16 * 60)
    await play(there, 3)
    await deals_played([there], lambda: any("### Daily deal" in one.text for one in there.sees()))
    [shown] = [one for one in there.sees() if not one.is_private]
    assert shown.says("Daily deal · Thursday, January 1")
    assert (await there.click("Share", shown)).told == refusal("nobody_reads_here")
    assert with_token(server) == []
    await ann.run("hearts daily")
    await ann.click("Share", ann.sees()[-1])
    assert server.post("Ann · daily deal of January 1")


async def test_a_result_shows_a_servers_players_only_there(server: Server, ann: Player, bo: Player) -> None:
    for player in (ann, bo):
        player.has_dms = False
        await player.run("hearts daily")
    await finish(bo)
    await play(ann, 5)
    group = abroad(server, IN_A_GROUP)
    await play_all(group)
    for shown in (page(group), (await group.run("hearts daily")).private[0]):
        assert shown.says("2 players everywhere")
        assert not shown.says("This server")
        assert not shown.says("Bo")
    assert (await ann.run("hearts daily")).private[0].says("This server")
    assert (await ann.in_dm.run("hearts daily")).public[0].says("Bo")


async def test_the_bot_joins_a_server_in_the_middle_of_a_game(server: Server) -> None:
    ann = abroad(server, IN_A_SERVER)
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=NO_MUTUAL_SERVERS, times=None)
    [hand] = (await ann.run("hearts daily")).private
    assert (await ann.click("Play by DM", hand)).told == TOLD[ByDm.NO]
    await play(ann, 3)
    add_bot(server.env, ann.at.guild)
    await server.settle()
    await play(ann, 5)  # on a message that her account's app has sent
    await play_all(ann)
    assert page(ann).says("Nobody here has finished it")


# A table alone


@EVERYWHERE
async def test_a_whole_table_alone_through_places_and_restarts(server: Server, others: int) -> None:
    ann = abroad(server, others)
    await ann.run("hearts new", ends_at=20)
    await server.restart()
    await ann.click("Start")
    await ann.pass_cards()
    await ann.click("Hint", ann.hand)
    await play(ann, 6)
    await server.restart()
    await play(ann, 7)
    there = abroad(server, IN_A_GROUP - others)
    await there.run("hearts hand")
    await play(there, 3)
    assert ann.sees() == []  # there is one message, and it has moved
    await server.restart(after=16 * 60)  # so that no token is left that could edit the message
    assert len((await ann.run("hearts hand")).private) == 1
    await play(ann, 3)
    assert (await ann.goes_to(server.channel).run("hearts hand")).told == refusal("no_table")
    await deals_played([ann], lambda: any("🏆" in one.text for one in ann.sees()))
    for command in ("replay", "record", "scores", "rules"):
        assert (await ann.run(f"hearts {command}")).private, command
    end = next(one for one in reversed(ann.sees()) if "🏆" in one.text)
    for label in ("How did I play?", "Check the deal", "Replay"):
        assert (await ann.click(label, end)).private, label
    await ann.click("Play again", end)
    assert "Start" in ann.sees()[-1].enabled
    assert all(one.is_private for one in ann.sees())
    assert server.posts() == []
    assert with_token(server) == []
    [stored] = server.stored()["results"]
    assert (stored["guild"], stored["people"], stored["person"]) == (0, 1, ann.id)
    [told] = (await ann.run("hearts stats")).private
    assert told.says("Alone with computers")


# What needs no table, and what needs the bot


@pytest.mark.parametrize("others", [IN_A_SERVER, IN_A_DM, IN_A_GROUP])
async def test_what_works_anywhere_and_what_offers_to_add_the_bot(server: Server, others: int) -> None:
    ann, other = abroad(server, others), server.people[1].member.user
    [help] = (await ann.run("hearts help")).private
    assert help.says("/hearts new opens a table here for you alone")
    assert help.links == {"Add me to a server": invitation(server.env.backend.application_id)}
    for label in ("How to play", "All commands"):
        assert (await ann.click(label, help)).private
    assert (await ann.prefer(calls="never")).says("You are never mentioned")
    assert b"preferences" in (await ann.export_data()).file
    await forget(ann)
    assert "You have not finished a game here yet" in (await ann.run("hearts stats")).told
    assert with_token(server) == []

    label, guild = "Add me to a server", None
    commands: list[tuple[str, dict[str, Any]]] = [
        *((f"hearts {name}", {}) for name in ("join", "settings", "house", "leaderboard")),
        *(("hearts stats", {option: other}) for option in ("player", "against")),
    ]
    if ann.at.guild:
        label, guild = "Add me to this server", ann.at.guild.id
        ann.at.guild.add_member(other)
        commands.append(("hearts daily", {"channel": ann.at}))
    for command, options in commands:
        [told] = (await ann.run(command, **options)).private
        assert told.text == refusal("bot_not_here" if guild else "needs_server"), command
        assert told.links == {label: invitation(server.env.backend.application_id, guild=guild)}


async def test_where_a_server_has_turned_its_commands_off_the_bot_counts_as_away(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is still a member there, but Discord names only the person as the one who let it answer."""
    monkeypatch.setattr(contexts, "_available", lambda backend, channel, user: {"1": str(user)})
    [told] = (await ann.run("hearts leaderboard")).private
    assert told.text == refusal("bot_not_here")


async def test_a_server_that_the_bot_left_tells_nothing(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    await ann.save_rules("Friday")
    await ann.click("Leave")
    await play_a_game(server, ann, bo)
    [board] = (await ann.run("hearts leaderboard")).public
    [own] = (await ann.run("hearts stats")).private
    ann.installs()
    remove_bot(server.env, server.guild)
    await server.settle()
    turned = next(one for one in board.pressable if ":board:" in one)
    assert await ann.try_control(turned, board) == refusal("bot_not_here")
    others = await ann.try_control(f"hearts:career:0:{bo.id}:0", own, "classic.lowest")
    assert others == refusal("bot_not_here")
    suggested = ann.forge_command("hearts new", typing="house")
    await server.settle()
    assert suggested.result.autocomplete_choices == []
