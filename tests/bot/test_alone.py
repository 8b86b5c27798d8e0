"""A table alone: one person and computers in one message of a DM, edited through the clicks."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from at_once import deals_played
from nights import give_par
from own_data import exported
from people import Answer, Player, refusal
from seen import Seen
from server import Server

from bot.answering.opening import TableRequest
from bot.delivery.reply import ACKNOWLEDGE_AFTER
from engine.cards import card
from engine.errors import Refusal
from engine.play.moves import Passed
from engine.tables import Moment, Pace, Person, Tables, changes

pytestmark = pytest.mark.slow

#: Of the requests, those that don't count as calls of the bot's token: answers to interactions.
FREE = ("/interactions/", "/webhooks/")
#: A type of answer, and a flag of a message.
DEFERRED, EPHEMERAL = 5, 1 << 6
SEAL = re.compile(r"🔒 Seal \|\|([0-9a-f]{30})\|\|")


@pytest.fixture
async def ann(server: Server) -> Player:
    """Ann, who opens tables in her DM."""
    return server.people[0]


async def run(person: Player, command: str, **options: Any) -> Answer:
    """Use a command in the DM with the bot."""
    return Answer(await person.member.user.slash(command, **options))


async def press(player: Player, label: str, on: Seen | None = None) -> Answer:
    """Press a button in the DM, by default in the newest message that has it enabled."""
    found = on or next(one for one in reversed(player.dms()) if label in one.enabled)
    return Answer(await player.member.user.click(found.handle, custom_id=found.buttons[label]["custom_id"]))


async def deal(player: Player, **options: Any) -> Seen:
    """Open a table and start; returned is the message."""
    await run(player, "hearts new", **options)
    await press(player, "Start")
    return player.dm


def is_over(player: Player) -> bool:
    return "🏆" in player.dm.text


async def play(player: Player, moves: int) -> None:
    """Do what the hand asks for this many times."""
    for _ in range(moves):
        assert await player.act(), "the hand asks for nothing"
        await player.server.settle()


async def play_to_the_end(player: Player) -> None:
    """The same until the game is over, without a click for each move."""
    await deals_played([player], lambda: is_over(player))


def calls(server: Server) -> list[str]:
    """The calls of the bot's token so far."""
    requests = server.env.http_requests
    return [f"{one.method} {one.path}" for one in requests if not one.path.startswith(FREE)]


async def test_a_whole_game_in_one_message_without_a_call_of_the_token(server: Server, ann: Player) -> None:
    before = calls(server)
    await deal(ann, ends_at=1)
    while not is_over(ann):
        await play(ann, 1)
    assert calls(server) == before
    [message] = ann.dms()
    assert not message.is_private  # it stays in the DM
    assert message.says("Points in deal")
    assert {"Play again", "Replay", "How did I play?", "Check the deal"} <= set(message.enabled)
    assert server.posts() == []
    [result] = server.stored()["results"]
    assert (result["guild"], result["people"], result["person"]) == (0, 1, ann.id)


async def test_it_stays_in_the_dm_even_if_discord_had_to_wait_for_it(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = server.env.bot.tables
    open_alone = tables.open_alone

    async def slowly(*given: Any) -> Any:
        await asyncio.sleep(2 * ACKNOWLEDGE_AFTER)
        return await open_alone(*given)

    monkeypatch.setattr(tables, "open_alone", slowly)
    await run(ann, "hearts new")
    sent = [one.body for one in server.requests if one.path.endswith("/callback")]
    [waiting] = [one for one in sent if one["type"] == DEFERRED]
    assert not (waiting.get("data") or {}).get("flags", 0) & EPHEMERAL  # which the answer keeps
    await press(ann, "Start")
    await play(ann, 3)
    [message] = ann.dms()
    assert not message.is_private


# What can be chosen, and what is around a game


async def test_every_option_of_the_command_counts(server: Server, ann: Player) -> None:
    options = {"game": "wikibooks", "players": 5, "computers": "strong", "jack_of_diamonds": True}
    await run(ann, "hearts new", **options, ends_at=30)
    assert ann.dm.says("Press Start to play against 4 strong computers.")
    assert ann.dm.says("when a total reaches 30")
    assert not ann.dm.says("Pace")
    await press(ann, "Start")
    assert [seat["strength"] for seat in server.stored()["seats"]][1:] == ["strong"] * 4
    [table] = server.stored()["tables"]
    assert (table["pace"], table["timer"]) == ("none", None)


async def test_the_commands_of_a_table_work_in_the_dm(server: Server, ann: Player) -> None:
    await deal(ann)
    await press(ann, "Hint", ann.hand)
    assert ann.hand.says("💡")
    await play(ann, 8)
    assert (await press(ann, "Tricks", ann.hand)).told.startswith("### Deal 1")
    assert "No deal is complete yet" in (await run(ann, "hearts scores")).told
    assert "Hearts" in (await run(ann, "hearts help")).told
    assert (await run(ann, "hearts join")).told == refusal("already_seated")
    assert "Each heart counts 1" in (await run(ann, "hearts rules")).told
    await press(ann, "Options", ann.dm)
    await ann.send(await press(ann, "Pace", ann.dm), pace="live")
    assert ann.dm.says("Pace: live (60 seconds a turn).")
    await press(ann, "Back", ann.dm)
    assert ann.dm.says("Your hand · Deal 1")
    for command in ("hearts settings", "hearts house", "hearts leaderboard"):
        assert (await run(ann, command)).told == refusal("needs_server")


async def test_options_that_only_a_server_has_open_nothing_in_the_dm(server: Server, ann: Player) -> None:
    options: list[dict[str, Any]] = [{"thread": True}, {"starts": "in 45 minutes"}, {"house": "ours"}]
    for option in options:
        assert (await run(ann, "hearts new", **option)).told == refusal("needs_server")
    assert server.stored()["tables"] == []


async def test_options_and_rules_take_the_place_of_the_lobby_until_back(server: Server, ann: Player) -> None:
    await run(ann, "hearts new")
    lobby = ann.dm
    await press(ann, "Options", lobby)
    await ann.choose("chinese", ann.dm, "Game")
    await ann.send(await press(ann, "Length and pace", ann.dm), computers="easy")
    await ann.send(await press(ann, "Points", ann.dm), ends_at="abc")
    assert ann.dm.says("must be a whole number")
    await ann.send(await press(ann, "Points", ann.dm), ends_at="700")
    assert ann.dm.says("### Options")
    assert ann.dm.says("Highest total wins; over when a total reaches 700 or −700.")
    await press(ann, "Back", ann.dm)
    assert ann.dm.says("Chinese Hearts")
    assert ann.dm.says("3 easy computers")
    await press(ann, "Rules", ann.dm)
    assert ann.dm.says("when a total reaches 700")
    assert not ann.dm.says("latecomers")
    await press(ann, "Back", ann.dm)
    assert ann.dm.says("3 easy computers")
    await press(ann, "Options", ann.dm)
    await press(ann, "Medium", ann.dm)
    await press(ann, "Start", ann.dm)
    assert [one.id for one in ann.dms()] == [lobby.id]
    assert [seat["strength"] for seat in server.stored()["seats"]][1:] == ["medium"] * 3
    assert ann.dm.says("Your hand · Deal 1")


@pytest.mark.parametrize("game", [("chinese", 3), ("double-deck", 10)])
async def test_games_with_the_most_cards_and_players_fit_into_the_message(
    server: Server, ann: Player, game: tuple[str, int]
) -> None:
    """A deal of it: what Discord does not take fails the test."""
    name, players = game
    await deal(ann, game=name, players=players, ends_at=100_000)
    while not ann.hand.says("Deal 2"):
        await play(ann, 1)
    assert ann.hand.says("After deal 1")
    assert len(ann.dms()) == 1


async def test_the_seal_stands_above_the_hand_from_the_first_card_on(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    [seal] = SEAL.findall(hand.text)
    assert hand.text.index(seal) < hand.text.index("♣")
    while not ann.hand.says("After deal 1"):
        assert SEAL.findall(ann.hand.text) == [seal]
        await play(ann, 1)
    [checked] = (await press(ann, "Check the deal", ann.hand)).private
    assert checked.says(f"🔒 Seal {seal}")
    assert not checked.says("post")
    shown = re.search(r"printf %s '([^']*)'", checked.raw)
    assert shown is not None
    assert hashlib.sha256(shown[1].encode()).hexdigest().startswith(seal)


# One table at a time


async def test_another_one_asks_first_and_goes_on(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    await play(ann, 2)
    answer = await run(ann, "hearts new", game="chinese")
    question = ann.dm
    assert answer.public
    assert question.says("You already have a table")
    assert question.says("Hearts, deal 1")
    await press(ann, "Go on", question)
    [message] = ann.dms()  # the question's: the one before is deleted
    assert hand.id != message.id == question.id
    assert message.says("Your hand · Deal 1")
    await play(ann, 2)
    assert len(server.stored()["tables"]) == 1


async def test_another_one_gives_up_the_first(server: Server, ann: Player) -> None:
    await deal(ann)
    await run(ann, "hearts new", game="chinese", players=3, computers="easy", ends_at=900)
    question = ann.dm
    await press(ann, "Give it up, open a new one", question)
    old, new = ann.dms()
    assert old.says("The game was stopped")
    assert new.id == question.id
    assert new.says("Chinese Hearts")
    assert new.says("reaches 900")
    assert new.says("against 2 easy computers")
    again = ann.press("Give it up, open a new one", question)  # another click on what it was
    await server.settle()
    assert again.result.acknowledged
    assert [row["state"] for row in server.stored()["tables"]] == ["stopped", "lobby"]


async def test_a_game_that_is_given_up_for_another_counts_as_it_stands(server: Server, ann: Player) -> None:
    """Otherwise a player alone could give up every game that goes badly."""
    await deal(ann)
    await deals_played([ann], lambda: bool(server.env.bot.tables.live[0].game.points))
    await run(ann, "hearts new", game="chinese")
    await press(ann, "Give it up, open a new one", ann.dm)
    assert [row["state"] for row in server.stored()["tables"]] == ["over", "lobby"]
    assert [(row["name"], row["deals"]) for row in server.stored()["results"]] == [("Ann", 1)]


async def test_two_commands_at_once_open_one_table(server: Server, ann: Player) -> None:
    services = server.env.bot.services
    person = Person(ann.id, "Ann")
    rules = TableRequest().rules
    opened = await asyncio.gather(
        *[services[Tables].open_alone(person, rules) for _ in range(2)], return_exceptions=True
    )
    assert sum(isinstance(one, Refusal) for one in opened) == 1
    await run(ann, "hearts new")
    assert ann.dm.says("You already have a table")


async def test_it_stands_beside_a_table_in_a_server_and_the_daily_deal(
    server: Server, ann: Player, bo: Player
) -> None:
    await deal(ann)
    await server.deal(ann, bo)
    ann.has_dms = False
    await ann.run("hearts daily")
    assert [table.is_private for table in server.env.bot.tables.live] == [True, False, True]
    assert len({table.channel for table in server.env.bot.tables.live}) == 3
    assert (await ann.run("hearts scores")).told == (await bo.run("hearts scores")).told
    [hand] = (await bo.run("hearts hand")).private
    assert f"<#{server.channel.id}>" in hand.raw


# Afterwards


async def test_play_again_opens_the_same_and_the_result_stays(server: Server, ann: Player) -> None:
    await deal(ann, players=4, ends_at=20, computers="easy")
    await play_to_the_end(ann)
    over = ann.dm
    await press(ann, "Play again", over)
    result, lobby = ann.dms()
    assert result.text == over.text
    assert lobby.says("when a total reaches 20")
    assert lobby.says("Seats (4 of 4)")
    assert lobby.says("All seats are taken: press Start to deal.")
    await press(ann, "Play again", over)  # once more: the same lobby
    assert [row["state"] for row in server.stored()["tables"]] == ["over", "lobby"]
    await press(ann, "Start")
    assert ann.dm.says("Your hand · Deal 1")


async def test_statistics_in_the_dm_count_what_was_played_alone(
    server: Server, ann: Player, bo: Player
) -> None:
    assert "not finished a game here yet" in (await run(ann, "hearts stats")).told
    await deal(ann, ends_at=20)
    await play_to_the_end(ann)
    [stats] = (await run(ann, "hearts stats")).private
    assert stats.says("Alone with computers")
    assert (await run(ann, "hearts stats", player=bo.member.user)).told == refusal("needs_server")
    assert "not finished a game here yet" in (await ann.run("hearts stats")).told  # in the server
    assert (await bo.run("hearts leaderboard")).public[0].says("/hearts new")  # nothing counts there
    forged = bo.forge(
        f"hearts:career:0:{ann.id}:0", (await run(bo, "hearts help")).private[0], ["classic.lowest"]
    )
    await server.settle()
    assert forged.told == refusal("needs_server")


async def test_its_player_replays_it_and_nobody_else(server: Server, ann: Player, bo: Player) -> None:
    await deal(ann, ends_at=20)
    await play_to_the_end(ann)
    [replay] = (await press(ann, "Replay", ann.dm)).private
    assert replay.says("Deal 1")
    [replay] = (await run(ann, "hearts replay")).private
    assert replay.says("Deal 1")
    assert (await run(ann, "hearts record")).file
    [review] = (await press(ann, "How did I play?", ann.dms()[0])).private
    await server.settle()
    assert review.says("deal")
    assert (await run(bo, "hearts replay")).told == refusal("no_game_here")
    assert (await bo.run("hearts replay")).told == refusal("no_game_here")
    [page] = (await run(bo, "hearts help")).private
    for forged in (
        "replay:1",
        "step:1:0:1:3",
        "check:1:1",
        "review:1:1",
        "tricks:1:1",
        "rematch:1",
        "watch:1",
    ):
        answer = bo.forge(f"hearts:{forged}", page)
        await server.settle()
        assert answer.told == refusal("stale"), forged


# Nobody else


async def test_nobody_else_sees_or_plays_its_cards(server: Server, ann: Player, bo: Player) -> None:
    hand = await deal(ann)
    await server.deal(bo)
    [page] = (await run(bo, "hearts help")).private
    stored = list(map(tuple, server.stored()["moves"]))
    known = [":".join(one.split(":")[1:]) for one in hand.pressable]
    extra = [
        "hand:1",
        "on:1",
        "alone:1:classic:4:medium:none:usual:0",
        "start:1",
        "rules:1",
        "stop:1",
        "back:1",
    ]
    for place in (page, server.posts()[-1]):
        for custom_id in (*known, *extra):
            answer = bo.forge(f"hearts:{custom_id}", place)
            await server.settle()
            assert answer.told == refusal("stale"), custom_id
    for verb in (
        "join:1",
        "leave:1",
        "seat:1",
        "take:1",
        "out:1",
        "latecomers:1:open",
        "vote:1:1:yes",
        "stop:1",
    ):
        answer = ann.forge(f"hearts:{verb}", hand)
        await server.settle()
        assert answer.told == refusal("stale"), verb
    assert list(map(tuple, server.stored()["moves"])) == stored


# Time


async def test_a_message_whose_token_is_over_is_brought_up_to_date_by_a_click(
    server: Server, ann: Player
) -> None:
    hand = await deal(ann)
    before = calls(server)
    await server.env.advance_time(20 * 60)
    await press(ann, hand.enabled[0], hand)
    assert ann.hand.id == hand.id
    assert "Choose 2 more" in ann.hand.buttons
    await ann.pass_cards()
    stale = ann.hand
    await play(ann, 3)
    await server.env.advance_time(20 * 60)
    old = ann.press(stale.enabled[0], stale)  # a client that still shows how it was
    await server.settle()
    assert old.told == ""  # no reproach: the message shows the game as it is
    assert calls(server) == before


async def test_with_a_pace_computers_stand_in_and_one_comes_back(server: Server, ann: Player) -> None:
    before = calls(server)
    await deal(ann, pace="live")
    for _ in range(3):
        await server.env.advance_time(61)
        await server.settle()
    assert ann.dm.says("You've left. The game waits for you here for a day.")
    await press(ann, "I'm back")
    assert ann.hand.enabled
    assert calls(server) == before


async def test_a_lobby_closes_after_an_hour_and_opens_again(server: Server, ann: Player) -> None:
    await run(ann, "hearts new")
    lobby = ann.dm
    await server.env.advance_time(61 * 60)
    await server.settle()
    assert server.env.bot.tables.live == []
    await press(ann, "Start", lobby)
    [closed] = ann.dms()
    assert closed.says("This table is closed.")
    await press(ann, "Play again", closed)
    assert ann.dm.says("Press Start to play")


async def test_leaving_and_stopping(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    await run(ann, "hearts leave")
    [message] = ann.dms()  # shown below, as with My hand
    assert message.says("You've left.")
    await press(ann, "I'm back")
    assert ann.hand.offered
    [question] = (await run(ann, "hearts end")).private
    await press(ann, "End", question)
    assert Seen.now(server.env, message.message).says("The game was stopped")
    assert hand.id != message.id
    assert (await run(ann, "hearts hand")).told == refusal("no_table")


# Restarts


async def test_a_kill_at_each_step(server: Server, ann: Player) -> None:
    """In the lobby, with a card picked, after a pass, in play, once it is over, and before that was shown."""
    await run(ann, "hearts new", ends_at=1)
    await server.restart()
    await press(ann, "Start", ann.dms()[0])
    hand = ann.hand
    await server.restart()
    await press(ann, hand.enabled[0], hand)
    await server.restart()
    await ann.pass_cards()
    await server.restart()
    while not is_over(ann):
        for _ in range(6):
            if not is_over(ann):
                await play(ann, 1)
        await server.restart()
    [message] = ann.dms()
    assert message.id == hand.id
    await server.restart()
    await press(ann, "Play again", message)
    assert "Start" in ann.dm.enabled
    assert server.posts() == []


async def test_an_end_that_was_never_shown_shows_with_the_next_click(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    await server.do_unseen(lambda tables, table: tables.change(table, changes.stop, ann.id, may_manage=True))
    await server.restart()
    await press(ann, hand.enabled[0], hand)
    [message] = ann.dms()
    assert message.says("The game was stopped")
    assert "Play again" in message.enabled


async def test_a_move_that_was_never_shown_shows_with_the_next_click(server: Server, ann: Player) -> None:
    hand = await deal(ann)
    cards = tuple(card(code) for code, _ in hand.offered[:3])
    await server.do_unseen(
        lambda tables, table: tables.change(
            table, changes.act, ann.id, lambda seat: Passed(seat, cards), Moment(1)
        )
    )
    await server.restart()
    await press(ann, hand.enabled[0], hand)
    assert ann.hand.id == hand.id
    assert ann.hand.says("You passed")


# Par


async def pars_arrive(server: Server) -> None:
    """As if strong computers had just played every deal of the first table often enough."""
    deals = len((await server.env.bot.tables.games.whole(1)).game.points)
    for number in range(1, deals + 1):
        await give_par(server, 1, number, 4)
    await server.settle()


@pytest.mark.parametrize("is_followed", [False, True])
async def test_pars_that_arrive_after_the_end_are_shown_in_it_and_leave_the_next_table_alone(
    server: Server, ann: Player, is_followed: bool
) -> None:
    await deal(ann, ends_at=20)
    await play_to_the_end(ann)
    if is_followed:
        await press(ann, "Play again")
    before, [end, *lobby] = calls(server), ann.dms()
    assert "⛳" not in end.text
    await pars_arrive(server)
    [message, *still] = ann.dms()
    assert (message.id, message.enabled) == (end.id, end.enabled)
    assert re.search("⛳ (By the cards|The cards) .+", message.text)
    assert [(one.text, one.enabled) for one in still] == [(one.text, one.enabled) for one in lobby]
    assert calls(server) == before


async def test_late_pars_leave_a_message_alone_that_shows_the_next_table(server: Server, ann: Player) -> None:
    """A question that was answered twice, as on a telephone that shows an old state."""
    await deal(ann, ends_at=20)
    await run(ann, "hearts new")
    question = ann.dm
    await press(ann, "Go on", question)
    await play_to_the_end(ann)
    ann.press("Give it up, open a new one", question)
    await server.settle()
    lobby = ann.dm
    assert lobby.id == question.id
    assert "Start" in lobby.enabled
    await pars_arrive(server)
    assert (ann.dm.text, ann.dm.enabled) == (lobby.text, lobby.enabled)


# Privacy


async def test_what_is_stored_is_exported_and_deleted(server: Server, ann: Player) -> None:
    await deal(ann, ends_at=20)
    await play_to_the_end(ann)
    await press(ann, "Play again")
    stored = await exported(await ann.goes_to(ann.member.user.dm_channel).export_data())
    assert [(one["server"], one["channel"]) for one in stored["tables"]] == [(None, None)] * 2
    assert [one["server"] for one in stored["results"]] == [None]
    assert str(ann.id) not in json.dumps(stored["tables"])
    question = await ann.goes_to(ann.member.user.dm_channel).ask_to_delete()
    await press(ann, "Delete it all", question)
    await server.settle()
    with closing(sqlite3.connect(server.path)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        rows = [row for name in names for row in connection.execute(f"SELECT * FROM {name}")]
    numbers = {ann.id, -ann.id, -ann.id - (1 << 62)}
    assert not [row for row in rows if numbers & {one for one in row if isinstance(one, int)}]
    assert (await run(ann, "hearts replay")).told == refusal("no_game_here")
    assert "not finished a game here yet" in (await run(ann, "hearts stats")).told


async def test_its_start_is_not_planned_as_nobody_else_comes(server: Server, ann: Player) -> None:
    await run(ann, "hearts new")
    assert "Options" in ann.dm.enabled
    assert "Plan" not in ann.dm.buttons
    [table] = server.env.bot.tables.live
    with pytest.raises(Refusal, match="stale"):
        await server.env.bot.tables.plan_start(table.id, ann.id, server.env.bot.tables.now + 3600)


async def test_a_refused_table_can_be_had_another_way_in_the_dm_too(server: Server, ann: Player) -> None:
    [told] = (await run(ann, "hearts new", game="classic", players=10)).private
    await ann.click("Double-deck Hearts", told)
    [table] = server.env.bot.tables.live
    assert table.is_alone
    assert table.rules.players == 10
    assert table.pace is Pace.NONE
