"""Nobody waits for ever: paces, reminders, computers that stand in, and tables that close by themselves."""

import re

import pytest
from at_once import all_pass
from games import change_pace, change_rules
from people import Player, refusal
from questions import after_a_deal
from server import PEOPLE, Server

from bot.table.calls import LATE

pytestmark = pytest.mark.slow

DEADLINE = re.compile(r"(?:until <t:(\d+):f>|deadline <t:(\d+):R>)", re.IGNORECASE)
WAITS = "the table is waiting for you"
PLAYED = "Time's up: a computer played for"
KEPT = "Time's up again: a computer plays for"
CLOSED = "The table was closed: nothing happened in its lobby for an hour."


def now(server: Server) -> int:
    return int(server.env.now().timestamp())


def deadline(text: str) -> int:
    """The moment that a message names, in seconds since 1970."""
    found = DEADLINE.search(text)
    assert found is not None, text
    return int(found[1] or found[2])


def name_of(server: Server, player: Player) -> str:
    return PEOPLE[server.people.index(player)]


def count(server: Server, words: str) -> int:
    return sum(post.says(words) for post in server.posts())


async def until_turn_of(server: Server, player: Player) -> None:
    while server.to_play is not player:
        await server.to_play.play()


# The pace


@pytest.mark.parametrize(
    ("pace", "seconds", "says"),
    [("live", 60, r"Deadline <t:\d+:R>"), ("daily", 86_400, r"Until <t:\d+:f>")],
)
async def test_a_near_deadline_counts_down(server: Server, pace: str, seconds: int, says: str) -> None:
    await server.deal(pace=pace)
    assert not DEADLINE.search(server.post("Everyone passes").text)  # nothing edits it when it is past
    for player in server.people:
        assert deadline(player.hand.text) == now(server) + seconds
        await player.pass_cards()
    await server.env.advance_time(7)
    assert deadline(server.post("Trick 1").text) == now(server) + seconds - 7
    for _ in server.people:
        await server.to_play.play()
    time, first = rf"\n-# {says}", server.to_play
    assert re.search(rf"\*\*{name_of(server, first)}\*\* leads\.{time}", server.post("Trick 1").text)
    assert re.search(rf"\*\*Your turn\*\*: you lead\..*{time}", first.hand.text)
    await first.play()
    second, board = server.to_play.hand.text, server.post("Trick 1").text
    assert re.search(rf"Waiting for \*\*\w+\*\*\.{time}", board)
    assert re.search(rf"\*\*Your turn\*\*: .+{time}\n`", second)
    assert deadline(board) == deadline(second) == now(server) + seconds


async def test_the_host_changes_the_pace_from_this_turn_on(server: Server, ann: Player, bo: Player) -> None:
    await server.seat()
    assert server.post("Seats").says("Pace: relaxed (10 minutes a turn).")
    await change_rules(ann, pace="none")
    assert server.post("Seats").says("Pace: no limit.")
    assert count(server, "has changed the pace") == 0
    await ann.click("Start")
    await all_pass(server)
    assert (await bo.click("Options", server.post("Seats"))).told == refusal("host_only", host="Ann")
    await change_pace(ann, server, "daily")
    assert server.shows("Ann has changed the pace to daily (24 hours a turn), from this turn on.")
    end = deadline(server.post("Trick 1").text)
    await server.env.advance_time(20)
    await change_pace(ann, server, "daily")  # which gives nobody more time
    assert deadline(server.post("Trick 1").text) == end
    assert count(server, "has changed the pace") == 1
    await change_pace(ann, server, "live")
    assert deadline(server.post("Trick 1").text) == now(server) + 60
    await server.env.advance_time(61)
    assert server.shows(PLAYED)
    await change_pace(ann, server, "none")
    assert server.shows("Ann has changed the pace to no limit, from this turn on.")
    assert count(server, "has changed the pace") == 3
    assert not DEADLINE.search(server.post("Trick 1").text)
    await server.env.advance_time(LATE + 1)  # whoever is to play has been called
    before = server.stored(), [post.everything for post in server.posts()]
    await server.env.advance_time(86_400 + LATE)
    assert (server.stored(), [post.everything for post in server.posts()]) == before


# Reminders and stand-ins


async def test_a_late_player_is_reminded_once_and_then_a_computer_plays_that_turn(server: Server) -> None:
    await server.deal_and_pass(pace="live")
    for _ in range(8):
        await server.env.advance_time(25)
        await server.to_play.play()
    assert count(server, WAITS) == 0
    late, end = server.to_play, deadline(server.post("Deal 1 · Trick").text)
    moves = len(server.stored()["moves"])
    await server.env.advance_time(29)
    assert count(server, WAITS) == 0
    await server.env.advance_time(2)
    reminder = server.post(WAITS)
    assert f"<@{late.id}>" in reminder.text
    assert deadline(reminder.text) == end
    await server.env.advance_time(28)
    assert count(server, WAITS) == 1
    assert not server.shows(PLAYED)
    await server.env.advance_time(2)
    assert server.post(PLAYED).says(f"{PLAYED} {name_of(server, late)}.")
    assert len(server.stored()["moves"]) == moves + 1
    assert server.to_play is not late


async def test_the_second_time_in_a_row_the_computer_keeps_the_seat_until_i_am_back(server: Server) -> None:
    await server.deal_and_pass(pace="live")
    late = server.to_play
    name = name_of(server, late)

    async def miss_a_turn() -> None:
        await until_turn_of(server, late)
        await server.env.advance_time(61)

    await miss_a_turn()
    await until_turn_of(server, late)
    await late.play()  # in time, which makes up for the turn before
    await miss_a_turn()
    assert (count(server, PLAYED), count(server, KEPT)) == (2, 0)
    await miss_a_turn()
    assert server.post(KEPT).says(f"{KEPT} {name} from now on.")
    assert server.post("Seats").says(f"{name} (🤖 plays)")
    others, moves = [player for player in server.people if player is not late], server.stored()["moves"]
    for _ in range(8):
        await next(player for player in others if player.playable).play()
    assert len(server.stored()["moves"]) > len(moves) + 8  # nobody waited for the computer
    await late.click("I'm back")
    assert server.shows(f"{name} is back.")
    await miss_a_turn()
    assert (count(server, PLAYED), count(server, KEPT)) == (3, 1)  # it counts anew


async def test_all_who_have_not_passed_are_reminded_and_stood_in_for(server: Server) -> None:
    ann, bo, cy, di = server.people
    await server.deal(pace="live")
    await ann.pass_cards()
    await server.env.advance_time(31)
    for player in (bo, cy, di):
        assert f"<@{player.id}>" in server.post(WAITS).text
    assert f"<@{ann.id}>" not in server.post(WAITS).text
    await cy.pass_cards()
    await server.env.advance_time(30)
    assert server.post(PLAYED).says(f"{PLAYED} Bo and Di.")
    assert server.shows("Trick 1")
    assert server.to_play


# Tables that close by themselves


async def test_a_lobby_closes_an_hour_after_the_last_change(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    await server.env.advance_time(50 * 60)
    await bo.click("Join")
    await server.env.advance_time(50 * 60)
    assert server.stored()["tables"][0]["state"] == "lobby"
    await server.env.advance_time(11 * 60)
    assert server.shows(CLOSED)
    assert not server.post("Seats").enabled
    assert count(server, WAITS) == 0
    await server.seat(bo)
    await server.restart(after=2 * 3600)
    assert count(server, CLOSED) == 2
    assert server.post("Seats").says("This table is closed.")
    assert count(server, "Seats") == 2


async def test_a_game_that_all_have_left_closes_after_a_day(server: Server, ann: Player, bo: Player) -> None:
    await after_a_deal(server, ann, bo, pace="live")
    hour, time_for_all = 60 * 60, 30 * 61
    await server.env.advance_time(time_for_all)
    assert server.shows("Nobody is left at the table, so the game waits for a day.")
    await server.env.advance_time(23 * hour)
    await ann.click("I'm back")
    await server.env.advance_time(2 * hour)
    await server.env.advance_time(22 * hour)
    assert server.stored()["tables"][0]["state"] == "playing"
    await server.env.advance_time(hour)
    assert server.shows("The table was closed: everyone had left it.")
    results = [(row["name"], row["won"], row["deals"]) for row in server.stored()["results"]]
    assert results == [("Ann", 0, 1), ("Bo", 0, 1)]
    assert (await ann.run("hearts new")).public


# The time goes on while the bot is away


async def test_what_was_left_of_the_time_counts_on_and_after_the_deadline_the_time_of_a_reminder(
    server: Server,
) -> None:
    await server.deal_and_pass(pace="live")
    late, posts = server.to_play, len(server.posts())
    end = deadline(server.post("Trick 1").text)
    await server.env.advance_time(10)
    await server.restart(after=9)
    assert deadline(server.post("Trick 1").text) == end
    await server.env.advance_time(5)
    assert count(server, WAITS) == 0
    await server.restart(after=7)  # it fell due meanwhile
    assert f"<@{late.id}>" in server.post(WAITS).text
    assert deadline(server.post(WAITS).text) == end
    await server.restart(after=10)
    assert len(server.posts()) == posts + 1
    await server.env.advance_time(20)
    assert server.shows(PLAYED)

    late, posts = server.to_play, len(server.posts())
    await server.restart(after=3600)
    assert f"<@{late.id}>" in server.post(WAITS).text
    assert deadline(server.post(WAITS).text) == deadline(server.post("Trick 1").text) == now(server) + 30
    assert len(server.posts()) == posts + 1
    await server.env.advance_time(25)
    assert count(server, PLAYED) == 1
    await late.play()
    await server.env.advance_time(10)
    await server.restart(after=3600)
    assert count(server, PLAYED) == 1
    await server.env.advance_time(31)
    assert count(server, PLAYED) == 2
