"""A host plans the start: it is shown in everyone's own time, with one reminder, and comes by itself."""

import asyncio
import json
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from nights import calls
from own_data import forget
from people import Answer, Player, play_on, refusal
from seen import Seen
from server import Server
from test_timers import count

from bot.words.typed_times import tomorrow
from engine.languages import ENGLISH
from engine.tables import Tables

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


def away(server: Server) -> set[int]:
    return {row["person"] for row in server.stored()["seats"] if row["away"]}


async def plan(server: Server, *players: Player) -> int:
    """Open a table that is to start in an hour, where these players sit; returns when that is."""
    await server.seat(*players, starts="in 60 minutes")
    return starts_at(lobby(server))


async def until(server: Server, moment: float) -> None:
    """Let time go by until then."""
    await server.env.advance_time(max(0.0, moment - now(server)))


# What everyone sees, and what happens then


async def test_players_are_reminded_once_and_computers_play_for_the_others_until_they_come(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await ann.prefer(calls="never")
    at = await plan(server, ann, bo, cy)
    assert 0 <= at - now(server) - HOUR < MINUTE
    assert lobby(server).says(f"Starts <t:{at}:t> (<t:{at}:R>)")
    await until(server, at - 10 * MINUTE - 2)
    assert calls(server, REMINDED) == []
    assert "I'm here" not in lobby(server).buttons
    await until(server, at - 10 * MINUTE + 2)
    assert server.post(REMINDED).says(f"<t:{at}:R>")
    told = (await bo.click("I'm here", server.post(REMINDED))).told
    assert f"The game starts <t:{at}:R>" in told
    await cy.click("Rules", lobby(server))  # whatever they do shows that they are there
    await di.click("Join")
    assert lobby(server).text.count("here ✅") == 3
    await until(server, at + 1)
    assert calls(server, REMINDED) == [[bo.id, cy.id]]
    assert away(server) == {ann.id}
    assert server.shows("A computer plays for Ann until they come")
    assert not server.shows(REMINDED)  # it has done its work
    assert all(player.hand.asks_to_pass for player in (bo, cy, di))
    assert ann.dm.says("The game started as planned.")
    await ann.click("I'm back", server.post("until they come"))
    assert away(server) == set()
    await play_on(server.people, lambda: server.shows("Trick 2"))


async def test_if_nobody_comes_nothing_is_dealt(server: Server, ann: Player, bo: Player) -> None:
    """Nor after a start that fell due while the bot was away, for which people have an hour."""
    at = await plan(server, ann, bo)
    await until(server, at + 1)
    assert server.stored()["tables"][-1]["state"] == "lobby"
    assert server.shows("Nobody was here for the planned start")
    assert not server.shows(REMINDED)
    assert "Starts" not in lobby(server).text
    await ann.send(await ann.click("Plan", lobby(server)), plan="in 2 days")
    missed = starts_at(lobby(server))
    assert lobby(server).says(f"Starts <t:{missed}:f> (<t:{missed}:R>)")  # with its day
    await server.restart(after=missed + 10 * MINUTE - now(server))
    assert calls(server, REMINDED) == [[ann.id, bo.id]] * 2
    at = starts_at(lobby(server))
    assert starts_at(server.post(REMINDED)) == at > now(server)
    await server.restart(after=HOUR + 3 * MINUTE)
    assert server.shows(f"I was away at <t:{at}:f>")
    assert len(calls(server, REMINDED)) == 2
    assert "Starts" not in lobby(server).text


# How the host says when


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


async def offered(player: Player, typed: str) -> list[dict[str, str]]:
    """What is suggested to this person who types a start."""
    return await player.member.autocomplete(player.at, "hearts new", "starts", typed)


@pytest.mark.slow
async def test_each_person_is_asked_for_their_clock_once(server: Server, ann: Player) -> None:
    friday = datetime(2026, 10, 23, 15, tzinfo=UTC)  # before clocks change; test_typed_times.py knows more
    await server.stop_and_start(friday.timestamp() - now(server))
    question = asked_for_clock(await ann.run("hearts new", starts="Mon 20:00"))
    assert "Starts" not in lobby(server).text
    assert all(len(menu["options"]) <= 25 for menu in question.selects.values())
    await choose_clock(server, ann, question, "Berlin")
    assert shown_in("Europe/Berlin", starts_at(lobby(server))) == "Mon 20:00"
    page = ann.sees()[-1]
    assert page.says(f"The game starts <t:{starts_at(lobby(server))}:F>")
    await server.restart()
    await ann.send(await ann.click("Change the start", page), plan="tomorrow 21:00")
    assert shown_in("Europe/Berlin", starts_at(lobby(server)))[-5:] == "21:00"
    [clock] = await offered(ann, "22:00")
    assert "Berlin" in clock["name"]
    [page] = (await ann.click("Change my time zone", page)).private
    await choose_clock(server, ann, page, "Tokyo")
    assert ann.sees()[-1].says("OK, I go by the clock of Tokyo")
    await ann.prefer(calls="always")
    export = json.loads((await ann.export_data()).file)
    assert export["preferences"][0]["time_zone"] == "Asia/Tokyo"
    await forget(ann)
    assert len(await offered(ann, "22:00")) == 25


async def test_suggestions_are_delays_or_ones_own_clock(server: Server, ann: Player, bo: Player) -> None:
    assert [one["name"] for one in (await offered(ann, ""))[:3]] == ["In 15 min", "In 30 min", "In 45 min"]
    assert await offered(ann, "when we like") == await offered(ann, "in 9 days") == []
    [city] = await offered(ann, "20:00 kathm")
    assert ", Kathmandu" in city["name"]
    await ann.run("hearts new", starts="tomorrow 20:00 Kathmandu")
    assert shown_in("Asia/Kathmandu", starts_at(lobby(server)))[-5:] == "20:00"
    assert server.stored()["preferences"] == []  # it may be the guests' city
    bo.speaks("de")
    bo.at = server.add_thread("another table")
    clocks = await offered(bo, "20 Uhr")
    assert len(clocks) == 25
    [mine] = [one for one in clocks if ", Berlin" in one["name"]]
    await bo.run("hearts new", starts=mine["value"])
    assert shown_in("Europe/Berlin", starts_at(server.posts(bo.at)[-1]))[-5:] == "20:00"
    [row] = server.stored()["preferences"]
    assert row["zone"] == "Europe/Berlin"


async def test_a_time_of_day_is_asked_for_in_the_channel_around_a_thread_and_not_lost_on_the_way_there(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    [told] = (await bo.run("hearts new", starts="tomorrow 20:00")).private
    assert told.text == refusal("table_in_channel")
    assert not told.buttons  # its thread would open without the start
    [told] = (await bo.run("hearts new", starts="in 30 minutes")).private
    assert told.enabled == ["Open a thread"]
    question = asked_for_clock(await bo.run("hearts new", starts="tomorrow 20:00", thread=True))
    await choose_clock(server, bo, question, "Berlin")
    at = server.env.bot.tables.live[-1].plan.at
    assert bo.sees()[-1].says(f"The game starts <t:{int(at)}:F>")
    await bo.send(await bo.click("Change the start", bo.sees()[-1]), plan="in 45 minutes")
    assert bo.sees()[-1].says("The game starts <t:")
    await bo.click("Drop the planned start", bo.sees()[-1])
    assert bo.sees()[-1].says("No start is planned")


async def test_a_time_that_cannot_be_opens_no_table(server: Server, ann: Player) -> None:
    day = tomorrow(now(server), ENGLISH)
    for typed, id in {
        "in 2 minutes": "start_too_soon",
        "in 8 days": "start_too_late",
        "<t:5:F>": "start_past",
        "20:00 utc in 99999 days": "no_such_time",
    }.items():
        [told] = (await ann.run("hearts new", starts=typed)).private
        assert (told.text, told.selects) == (refusal(id, text=typed, day=day), {})
    assert not server.stored()["tables"]


async def test_the_host_plans_changes_and_drops_the_start(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    await ann.send(await ann.click("Plan", lobby(server)), plan="in 3 hours")
    at = starts_at(lobby(server))
    assert abs(at - now(server) - 3 * HOUR) <= MINUTE
    page = next(one for one in reversed(ann.sees()) if one.is_private)
    assert page.says(f"The game starts <t:{at}:F>")
    assert server.shows(f"Ann has planned the start: <t:{at}:f>")
    await ann.send(await ann.click("Change the start", page), plan="in 90 minutes")
    changed = starts_at(lobby(server))
    assert changed < at
    clocks = ("99999999999999 Europe/Berlin", "1795462200 Mars/Olympus", "1795462200 ../../etc/passwd", "x y")
    forged = [
        ann.forge_form("hearts:set:1:plan", page, plan="soon"),
        *[ann.forge("hearts:when:1", page, [value]) for value in (*clocks, "1795462200")],
    ]
    await server.settle()
    assert [one.told for one in forged] == [
        refusal("no_such_time", text="soon", day=tomorrow(now(server), ENGLISH)),
        refusal("start_too_late"),
        *[refusal("stale")] * 4,
    ]
    assert starts_at(lobby(server)) == changed
    await ann.click("Drop the planned start", page.current)
    assert "Starts" not in lobby(server).text
    assert server.shows("Ann has dropped the planned start")


# While the bot is away


async def rung(tables: Tables, table: int) -> None:
    """Wait until the table's timer has rung."""
    before = tables.get(table)
    for _ in range(500):
        if tables.get(table) is not before:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it has not rung")


@pytest.mark.slow
async def test_a_plan_outlives_restarts_at_every_step(server: Server, ann: Player, bo: Player) -> None:
    at = await plan(server, ann, bo)
    await server.restart(after=30 * MINUTE)
    assert starts_at(lobby(server)) == at
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=1)
    await until(server, at - 10 * MINUTE + 1)
    assert count(server, REMINDED) == 0
    for after in (0, MINUTE):
        await server.restart(after)
        assert count(server, REMINDED) == 1
    await bo.click("I'm here")
    await server.restart()
    assert lobby(server).says("here ✅")
    server.env.backend.advance_clock(at + MINUTE - now(server))
    await server.do_unseen(rung)
    assert server.stored()["tables"][-1]["state"] == "playing"
    assert count(server, REMINDED) == 1
    for _ in range(2):
        await server.restart()
        assert away(server) == {ann.id}
        assert count(server, "A computer plays for Ann until they come") == 1
        assert sum(bool(post.seals) for post in server.posts()) == 1
        assert count(server, REMINDED) == 0
    assert ann.dm.says("The game started as planned.")
    assert bo.hand.asks_to_pass
