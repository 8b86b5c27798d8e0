"""A host plans the start: it is shown in everyone's own time, with one reminder, and comes by itself."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from people import Answer, Player, play_on, refusal
from seen import Seen
from server import Server

from bot.words.typed_times import tomorrow
from engine.languages import ENGLISH
from engine.tables import Calls, Preference, Tables

MINUTE, HOUR = 60, 3600
REMINDED = "the game starts <t:"
MOMENT = re.compile(r"<t:(\d+):")


def now(server: Server) -> float:
    return server.env.now().timestamp()


def starts_at(seen: Seen) -> int:
    """The moment of the planned start that a message shows."""
    found = MOMENT.search(seen.text)
    assert found is not None, seen.text
    return int(found[1])


def lobby(server: Server) -> Seen:
    return server.post("Seats")


def reminders(server: Server) -> list[list[int]]:
    """Who was mentioned by each reminder that was sent, in order."""
    sent = [one.body for one in server.requests if one.method == "POST" and REMINDED in str(one.body)]
    return [body["allowed_mentions"]["users"] for body in sent]


def state(server: Server) -> str:
    return str(server.stored()["tables"][-1]["state"])


def away(server: Server) -> set[int]:
    return {row["person"] for row in server.stored()["seats"] if row["away"]}


async def plan(server: Server, *players: Player, minutes: float = 60) -> int:
    """Open a table with a planned start, where these players sit; returns when it is."""
    await server.seat(*players, starts=f"in {minutes} minutes")
    return starts_at(lobby(server))


async def until(server: Server, moment: float) -> None:
    """Let time go by until then."""
    await server.env.advance_time(max(0.0, moment - now(server)))


# What everyone sees, and what happens then


async def test_the_lobby_shows_the_start_in_everyones_own_time(server: Server, ann: Player) -> None:
    at = await plan(server, ann)
    assert 0 <= at - now(server) - HOUR < MINUTE
    assert lobby(server).says(f"Starts <t:{at}:t> (<t:{at}:R>)")
    await ann.run("hearts end")
    await ann.click("Close", ann.sees()[-1])
    at = await plan(server, ann, minutes=2 * 24 * 60)
    assert lobby(server).says(f"Starts <t:{at}:f> (<t:{at}:R>)")  # with its day


async def test_the_players_seated_are_reminded_once_ten_minutes_before(
    server: Server, ann: Player, bo: Player
) -> None:
    at = await plan(server, ann, bo)
    await until(server, at - 10 * MINUTE - 2)
    assert reminders(server) == []
    assert "I'm here" not in lobby(server).buttons
    await until(server, at - 10 * MINUTE + 2)
    assert reminders(server) == [[ann.id, bo.id]]
    assert server.post(REMINDED).says(f"<t:{at}:R>")
    await until(server, at - MINUTE)
    assert len(reminders(server)) == 1


async def test_those_who_are_there_play_and_computers_play_for_the_others_until_they_come(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    at = await plan(server, ann, bo, cy)
    await until(server, at - 9 * MINUTE)
    told = (await bo.click("I'm here", server.post(REMINDED))).told
    assert f"The game starts <t:{at}:R>" in told
    await cy.click("I'm here", lobby(server))
    assert lobby(server).text.count("here ✅") == 2
    await until(server, at + 1)
    assert away(server) == {ann.id}
    assert server.shows("A computer plays for Ann until they come")
    assert not server.shows(REMINDED)  # it has done its work
    assert bo.hand.asks_to_pass
    assert cy.hand.asks_to_pass
    assert ann.dm.says("The game started as planned.")
    await ann.click("I'm back", server.post("until they come"))
    assert away(server) == set()
    await play_on([ann, bo, cy], lambda: server.shows("Trick 2"))


async def test_whoever_does_anything_at_the_table_shortly_before_is_there(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    at = await plan(server, ann, bo)
    await until(server, at - 5 * MINUTE)
    await ann.click("Rules", lobby(server))
    await cy.click("Join")
    await until(server, at + 1)
    assert away(server) == {bo.id}


async def test_if_nobody_comes_nothing_is_dealt(server: Server, ann: Player, bo: Player) -> None:
    at = await plan(server, ann, bo)
    await until(server, at + 1)
    assert state(server) == "lobby"
    assert server.shows("Nobody was here for the planned start")
    assert not server.shows(REMINDED)
    assert "Starts" not in lobby(server).text


async def test_players_who_never_want_to_be_mentioned_are_not(
    server: Server, ann: Player, bo: Player
) -> None:
    at = await plan(server, ann, bo)
    with server.env._bot_scope():
        await server.env.bot.tables.prefer(bo.id, Preference(Calls.NEVER))
    await until(server, at - MINUTE)
    assert reminders(server) == [[ann.id]]


# How the host says when


async def come(server: Server, *when: int) -> None:
    """Set the clock to this moment, by UTC."""
    moment = datetime(*when, tzinfo=UTC)  # type: ignore[misc,arg-type]
    await server.stop_and_start(moment.timestamp() - now(server))


def shown_in(zone: str, at: float) -> str:
    """What clocks of this zone show then: `Mon 20:00`."""
    return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%a %H:%M}"


def asked_for_clock(answer: Answer) -> Seen:
    [question] = [one for one in answer.private if one.says("What time is it for you?")]
    return question


async def choose_clock(server: Server, player: Player, question: Seen, city: str) -> None:
    """Choose the clock of this city, whose zone is named after it; it has to show what it shows there."""
    [(menu, mine)] = [
        (menu, option)
        for menu in question.selects.values()
        for option in menu["options"]
        if city in option["label"]
    ]
    zone = mine["value"].rpartition(" ")[2]
    assert mine["label"].startswith(f"{datetime.fromtimestamp(now(server), ZoneInfo(zone)):%H:%M}")
    await player.member.select(question.handle, [mine["value"]], custom_id=menu["custom_id"])


#: Days before clocks are changed, in autumn and in spring; test_typed_times.py knows more.
CHANGES = [
    ("Berlin", "Europe/Berlin", (2026, 10, 23, 15)),
    ("New York", "America/New_York", (2026, 3, 6, 15)),
]


@pytest.mark.parametrize(("city", "zone", "when"), CHANGES)
async def test_a_start_beyond_a_change_of_clocks(
    server: Server, ann: Player, city: str, zone: str, when: tuple[int, ...]
) -> None:
    await come(server, *when)
    await choose_clock(server, ann, asked_for_clock(await ann.run("hearts new", starts="Mon 20:00")), city)
    assert shown_in(zone, starts_at(lobby(server))) == "Mon 20:00"


@pytest.mark.slow
async def test_each_person_is_asked_for_their_clock_once(server: Server, ann: Player) -> None:
    await choose_clock(server, ann, asked_for_clock(await ann.run("hearts new", starts="20:00")), "Berlin")
    page = ann.sees()[-1]
    await server.restart()
    await ann.send(await ann.click("Change the start", page), plan="tomorrow 21:00")
    assert shown_in("Europe/Berlin", starts_at(lobby(server)))[-5:] == "21:00"
    [offered] = await ann.member.autocomplete(ann.at, "hearts new", "starts", "22:00")
    assert "Berlin" in offered["name"]
    [page] = (await ann.click("Change my time zone", page)).private
    await choose_clock(server, ann, page, "Tokyo")
    assert ann.sees()[-1].says("OK, I go by the clock of Tokyo")
    await ann.prefer(calls="always")
    export = json.loads((await ann.export_data()).file)
    assert export["preferences"][0]["time_zone"] == "Asia/Tokyo"
    await ann.click("Delete it all", await ann.ask_to_delete())
    assert len(await ann.member.autocomplete(ann.at, "hearts new", "starts", "22:00")) == 25


async def test_a_suggestion_tells_which_clock_is_ones_own(server: Server, ann: Player) -> None:
    ann.speaks("de")
    offered = await ann.member.autocomplete(ann.at, "hearts new", "starts", "20 Uhr")
    assert len(offered) == 25
    [mine] = [one for one in offered if ", Berlin" in one["name"]]
    await ann.run("hearts new", starts=mine["value"])
    assert shown_in("Europe/Berlin", starts_at(server.posts()[-1]))[-5:] == "20:00"
    [row] = server.stored()["preferences"]
    assert row["zone"] == "Europe/Berlin"


async def test_a_city_can_be_typed(server: Server, ann: Player) -> None:
    [offered] = await ann.member.autocomplete(ann.at, "hearts new", "starts", "20:00 kathm")
    assert ", Kathmandu" in offered["name"]
    await ann.run("hearts new", starts="tomorrow 20:00 Kathmandu")
    assert shown_in("Asia/Kathmandu", starts_at(lobby(server)))[-5:] == "20:00"
    assert server.stored()["preferences"] == []  # it may be the guests' city


async def test_a_forged_clock_is_refused(server: Server, ann: Player) -> None:
    question = asked_for_clock(await ann.run("hearts new", starts="tomorrow 20:00"))
    [menu, *_] = question.selects.values()
    for value in ("1795462200", "1795462200 Mars/Olympus", "1795462200 ../../etc/passwd", "x y"):
        forged = ann.forge(menu["custom_id"], question, [value])
        await server.settle()
        assert forged.told == refusal("stale"), value
    assert server.stored()["preferences"] == []


async def test_suggestions_begin_with_delays(server: Server, ann: Player) -> None:
    found = await ann.member.autocomplete(ann.at, "hearts new", "starts", "")
    assert [one["name"] for one in found[:3]] == ["In 15 min", "In 30 min", "In 45 min"]
    assert await ann.member.autocomplete(ann.at, "hearts new", "starts", "when we like") == []
    assert await ann.member.autocomplete(ann.at, "hearts new", "starts", "in 9 days") == []


async def test_a_time_of_day_without_a_suggestion_opens_the_table_and_asks(
    server: Server, ann: Player
) -> None:
    question = asked_for_clock(await ann.run("hearts new", starts="tomorrow 20:00"))
    assert "Starts" not in lobby(server).text
    assert all(len(menu["options"]) <= 25 for menu in question.selects.values())
    await choose_clock(server, ann, question, "Kathmandu")
    assert shown_in("Asia/Kathmandu", starts_at(lobby(server)))[-5:] == "20:00"
    page = ann.sees()[-1]
    assert page.says(f"The game starts <t:{starts_at(lobby(server))}:F>")


async def test_in_the_channel_around_a_thread_it_asks_too(server: Server, ann: Player) -> None:
    answer = await ann.run("hearts new", starts="tomorrow 20:00", thread=True)
    await choose_clock(server, ann, asked_for_clock(answer), "Berlin")
    page = ann.sees()[-1]
    [table] = server.env.bot.tables.live
    assert table.plan is not None
    assert page.says(f"The game starts <t:{int(table.plan.at)}:F>")
    await ann.send(await ann.click("Change the start", page), plan="in 45 minutes")
    assert ann.sees()[-1].says("The game starts <t:")
    await ann.click("Drop the planned start", ann.sees()[-1])
    assert ann.sees()[-1].says("No start is planned")


async def test_a_time_of_day_is_not_lost_on_the_way_to_a_thread(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    [told] = (await bo.run("hearts new", starts="tomorrow 20:00")).private
    assert told.text == refusal("table_in_channel")
    assert not told.buttons  # its thread would open without the start
    [told] = (await bo.run("hearts new", starts="in 30 minutes")).private
    assert told.enabled == ["Open a thread"]


async def test_a_time_that_cannot_be_opens_no_table(server: Server, ann: Player) -> None:
    day = tomorrow(now(server), ENGLISH)
    for typed, id in {
        "in 2 minutes": "start_too_soon",
        "in 8 days": "start_too_late",
        "<t:9999999999:F>": "start_too_late",
        "<t:5:F>": "start_past",
        "20:00 utc in 99999 days": "no_such_time",
    }.items():
        assert (await ann.run("hearts new", starts=typed)).told == refusal(id, text=typed, day=day)
        assert not server.stored()["tables"]


async def test_a_day_that_is_past_is_called_so_before_anyones_clock_is_asked_for(
    server: Server, ann: Player
) -> None:
    typed = f"{server.env.now() - timedelta(days=3):%d %b} 20:00"
    [told] = (await ann.run("hearts new", starts=typed)).private
    assert told.says(f"{typed} is past.")
    assert not told.selects
    assert not server.stored()["tables"]


async def test_the_host_plans_changes_and_drops_the_start_from_the_lobby(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    await ann.send(await ann.click("Plan", lobby(server)), plan="in 3 hours")
    at = starts_at(lobby(server))
    assert abs(at - now(server) - 3 * HOUR) <= MINUTE
    page = [one for one in ann.sees() if one.is_private][-1]
    assert page.says(f"The game starts <t:{at}:F>")
    assert server.shows(f"Ann has planned the start: <t:{at}:f>")
    page = Seen.now(page.env, page.message)
    await ann.send(await ann.click("Change the start", page), plan="in 90 minutes")
    assert starts_at(lobby(server)) < at
    page = Seen.now(page.env, page.message)
    await ann.click("Drop the planned start", page)
    assert "Starts" not in lobby(server).text
    assert server.shows("Ann has dropped the planned start")


async def test_only_the_host_may_plan(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    [page] = (await ann.click("Rules", lobby(server))).private
    own = (await bo.click("Rules", lobby(server))).private[0]
    assert (await bo.click("Plan", lobby(server))).told == refusal("host_only", host="Ann")
    forged = [
        bo.forge_form("hearts:set:1:plan", own, plan="in 1 hour"),
        bo.forge("hearts:when:1", own, [f"{int(now(server)) + HOUR} Europe/Berlin"]),
        bo.forge("hearts:unplan:1", own),
        ann.forge("hearts:when:1", page, ["99999999999999 Europe/Berlin"]),
        ann.forge_form("hearts:set:1:plan", page, plan="soon"),
    ]
    await server.settle()
    assert [one.told for one in forged] == [
        *[refusal("host_only", host="Ann")] * 3,
        refusal("start_too_late"),
        refusal("no_such_time", text="soon", day=tomorrow(now(server), ENGLISH)),
    ]
    assert "Starts" not in lobby(server).text


# While the bot is away


async def test_a_plan_outlives_restarts_and_each_step_is_taken_once(
    server: Server, ann: Player, bo: Player
) -> None:
    at = await plan(server, ann, bo)
    await server.restart(after=30 * MINUTE)
    assert starts_at(lobby(server)) == at
    await until(server, at - 9 * MINUTE)
    await server.restart()
    await bo.click("I'm here")
    await server.restart(after=MINUTE)
    await server.restart()
    assert len(reminders(server)) == 1
    assert lobby(server).says("here ✅")
    await until(server, at + 1)
    await server.restart()
    assert state(server) == "playing"
    assert away(server) == {ann.id}
    assert len([post for post in server.posts() if post.says("until they come")]) == 1
    assert not server.shows(REMINDED)


async def test_a_reminder_that_was_stored_but_not_shown_comes_at_the_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    at = await plan(server, ann, bo)
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=1)
    await until(server, at - 10 * MINUTE + 1)
    assert not server.shows(REMINDED)
    await server.restart()
    assert server.shows(REMINDED)
    await server.restart()
    assert len([post for post in server.posts() if post.says(REMINDED)]) == 1


async def nothing(tables: Tables, table: int) -> None:
    """Do nothing at the table."""


async def rung(tables: Tables, table: int) -> None:
    """Wait until the table's timer has rung."""
    before = tables.get(table)
    for _ in range(500):
        if tables.get(table) is not before:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it has not rung")


async def test_what_was_stored_at_the_start_before_the_bot_died_is_shown_at_the_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    at = await plan(server, ann, bo)
    await until(server, at - MINUTE)
    await bo.click("I'm here")
    server.env.backend.advance_clock(2 * MINUTE)
    await server.do_unseen(rung)
    assert state(server) == "playing"
    assert server.shows(REMINDED)
    await server.restart()
    assert away(server) == {ann.id}
    assert server.shows("A computer plays for Ann until they come")
    assert ann.dm.says("The game started as planned.")
    assert bo.hand.asks_to_pass
    assert not server.shows(REMINDED)
    assert len([post for post in server.posts() if post.seals]) == 1


async def test_what_was_stored_when_nobody_came_before_the_bot_died_is_shown_at_the_restart(
    server: Server, ann: Player
) -> None:
    at = await plan(server, ann)
    await until(server, at - MINUTE)
    server.env.backend.advance_clock(MINUTE + 1)
    await server.do_unseen(nothing)  # it takes the table up, which has two more minutes then
    await server.restart()
    assert starts_at(lobby(server)) > at
    await server.env.advance_time(2 * MINUTE + 2)
    assert server.shows("Nobody was here for the planned start")
    await server.restart()
    assert len([post for post in server.posts() if post.says("Nobody was here")]) == 1
    assert len(reminders(server)) == 1


async def test_a_start_that_fell_due_meanwhile_is_called_to_after_the_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    await plan(server, ann, bo)
    await server.restart(after=70 * MINUTE)
    assert reminders(server) == [[ann.id, bo.id]]
    assert starts_at(server.post(REMINDED)) == starts_at(lobby(server)) > now(server)


async def test_a_start_that_is_an_hour_late_is_dropped(server: Server, ann: Player, bo: Player) -> None:
    at = await plan(server, ann, bo)
    await server.restart(after=2 * HOUR + MINUTE)
    assert server.shows(f"I was away at <t:{at}:f>")
    assert reminders(server) == []
    assert "Starts" not in lobby(server).text
