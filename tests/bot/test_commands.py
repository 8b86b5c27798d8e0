"""The commands that ask, at every stage of a table."""

import re
from pathlib import Path
from typing import Any

import pytest
from at_once import deals_played
from pages import answer_oddly
from people import Answer, Player, refusal
from server import Server

from bot.provisioning import SYNCED, sync


async def test_help_names_every_command(server: Server, ann: Player) -> None:
    [help] = (await ann.run("hearts help")).private
    answer = await ann.click("All commands", help)
    assert not answer.public
    named = set(re.findall(r"^- `/([a-z ]+)`", answer.told, re.MULTILINE))
    available = ann.member.available_commands(ann.at)
    assert named == set(available)


async def test_the_page_for_players_names_every_command(server: Server, ann: Player) -> None:
    page = (Path(__file__).parents[2] / ".github" / "PLAYING.md").read_text()
    named = re.findall(r"^\| `/([a-z ]+)`", page, re.MULTILINE)
    assert sorted(named) == sorted(ann.member.available_commands(ann.at))


async def test_help_says_in_three_lines_how_to_begin(server: Server, ann: Player) -> None:
    [help] = (await ann.run("hearts help")).private
    assert help.enabled == ["How to play", "All commands"]
    lines = help.text.split("\n")
    assert [line[:2] for line in lines] == ["##", "1.", "2.", "3.", "- ", "- ", "- ", "- "]
    assert help.says("/hearts new opens a table")
    assert help.says("Was it luck? compares everyone's points with par")
    assert help.says("Each heart counts 1, Q♠ 13. Lowest total wins; over when a total reaches 100.")


async def test_help_tells_of_the_game_at_the_table_of_this_channel(server: Server, ann: Player) -> None:
    await server.seat(ann, game="chinese")
    [help] = (await ann.run("hearts help")).private
    assert help.says("## ♥ Chinese Hearts")
    assert help.says("Q♠ −100, J♦ +100")


async def test_help_works_in_a_dm(server: Server, ann: Player) -> None:
    help = Answer(await ann.member.user.slash("hearts help")).private[0]
    for label in ("How to play", "All commands"):
        assert (await ann.click(label, help)).told
    available = ann.member.user.available_commands()
    assert {"hearts help", "hearts daily", "hearts new"} <= set(available)


async def test_commands_are_offered_everywhere(server: Server) -> None:
    tree = server.env.bot.tree
    for command in tree.get_commands():
        described = command.to_dict(tree)
        assert described["integration_types"] == [0, 1], command.name  # installed in a server, by a person
        assert described["contexts"] == [0, 1, 2], command.name  # in servers, DMs with the bot, other DMs


async def test_commands_offered_elsewhere_are_synced(server: Server) -> None:
    tree, database = server.env.bot.tree, server.databases[-1]
    count = len(synced(server))
    await sync(tree, database)
    assert len(synced(server)) == count
    tree.allowed_contexts.private_channel = False
    await sync(tree, database)
    tree.allowed_installs.user = False
    await sync(tree, database)
    *_, last = synced(server)
    assert len(synced(server)) == count + 2
    assert [(one["contexts"], one["integration_types"]) for one in last] == [([0, 1], [0])] * len(last)


def synced(server: Server) -> list[Any]:
    """The commands of each sync so far."""
    return [one.body for one in server.requests if one.method == "PUT" and one.path.endswith("/commands")]


@pytest.mark.parametrize("has_table", [True, False])
async def test_a_failure_away_from_a_table_does_not_talk_of_one(
    server: Server, ann: Player, has_table: bool
) -> None:
    if has_table:
        await server.deal(ann)
    server.env.inject_error("POST", "/interactions/*/callback", status=503)
    told = (await ann.run("hearts stats")).told
    assert told.startswith("Something went wrong here.")
    assert ("My hand" in told) is has_table


async def test_without_a_table_they_say_how_to_open_one(server: Server, ann: Player) -> None:
    for command in ("hand", "scores", "rules", "leave", "end"):
        assert (await ann.run(f"hearts {command}")).told == refusal("no_table"), command


async def test_in_the_lobby(server: Server, ann: Player) -> None:
    await server.seat(ann, ends_at=42)
    assert (await ann.run("hearts hand")).told.startswith(refusal("not_started"))
    assert "No deal is complete yet: everyone has 0." in (await ann.run("hearts scores")).told
    assert "over when a total reaches 42" in (await ann.run("hearts rules")).told


async def test_rules_are_those_of_the_table(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=42, jack_of_diamonds=True)
    [rules] = (await ann.run("hearts rules")).private
    assert rules.says("J♦ gets −10")
    assert rules.says("over when a total reaches 42")
    [pressed] = (await ann.click("Rules")).private
    assert pressed.text == rules.text


@pytest.mark.slow
async def test_the_scores_add_up(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=60)
    await deals_played([ann], lambda: server.shows("After deal 3") or server.shows("🏆"))
    [sheet] = (await ann.run("hearts scores")).private
    lines = re.findall(r"^\*\*\w+\*\* \*\*(−?\d+)\*\*: (.+)$", sheet.text, re.MULTILINE)
    assert len(lines) == 4
    for total, deals in lines:
        points = [int(one.replace("−", "-")) for one in deals.split(", ")]
        assert sum(points) == int(total.replace("−", "-"))
        assert sheet.says(f"the points of deals 1 to {len(points)}.")


async def test_hearts_hand_shows_the_hand_to_its_player_alone(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann)
    [hand] = (await ann.run("hearts hand")).private
    assert hand.says("Your hand · Deal 1")
    assert hand.id not in [one.id for one in bo.sees()]
    assert hand.id not in [one.id for one in server.posts()]


async def test_a_hand_asked_for_twice_changes_in_the_newer_message(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    await ann.run("hearts hand")
    await ann.run("hearts hand")
    await ann.play()
    assert ann.my_hand.text == ann.hand.text


async def test_every_answer_but_the_table_and_the_leaderboard_is_private(server: Server, ann: Player) -> None:
    await server.deal(ann)
    before = len(server.posts())
    for command in ("hearts hand", "hearts scores", "hearts rules", "hearts stats", "hearts help"):
        answer = await ann.run(command)
        assert not answer.public
        assert answer.private
    assert len(server.posts()) == before
    assert (await ann.run("hearts leaderboard")).public


async def test_a_command_in_a_sentence_can_be_tapped(server: Server, ann: Player) -> None:
    ids = {command.name: command.id for command in await server.env.bot.tree.fetch_commands()}
    [shown] = (await ann.run("hearts leaderboard")).public
    assert f"</hearts new:{ids['hearts']}> opens a table" in shown.raw
    [help] = (await ann.run("hearts help")).private
    listed = (await ann.click("All commands", help)).private[0].raw
    assert f"</hearts daily:{ids['hearts']}>" in listed
    assert f"</hearts stats:{ids['hearts']}>" in listed
    assert "`channel`" in listed

    await server.restart()  # after which nothing is sent to Discord that it knows
    assert f"</hearts new:{ids['hearts']}>" in (await ann.run("hearts leaderboard")).public[0].raw


async def test_what_is_stored_of_the_commands_may_be_damaged(server: Server, ann: Player) -> None:
    for stored in ("others", "[]", '{"hash": "x", "ids": {"hearts": "1"}}', "{"):
        await server.put_setting(SYNCED, stored)
        await server.restart()
        assert "</hearts new:" in (await ann.run("hearts leaderboard")).public[0].raw, stored


@pytest.mark.parametrize("status", [404, 200])
async def test_suggestions_that_come_too_late_are_no_error(server: Server, ann: Player, status: int) -> None:
    path = "/interactions/*/*/callback"
    if status == 200:
        answer_oddly(server.env, "POST", path, status)
    else:
        server.env.inject_error("POST", path, status=status, code=10062)
    await ann.member.autocomplete(ann.at, "hearts new", "house", "20:00")
    assert sum(one.path.endswith("/callback") for one in server.requests) == 1
