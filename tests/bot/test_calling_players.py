"""Calling players: people who asked for it are told once that a table needs players, within their limits."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from own_data import forget
from people import Player, filled, refusal
from seen import Seen
from server import Server, forbid
from test_inviting import invite, lobby, page_of, pinged
from weather import Weather

from bot.invitations import asking
from engine.storage.call_wishes import CallWay, CallWish, due_wishes, note_told, put_wish
from engine.storage.database import Database

HOUR = 60 * 60


async def wants(player: Player, way: str, zone: str = "", **times: str) -> None:
    """Ask in /hearts preferences to be told like this; with `times`, when, and by the clock of which zone."""
    page = await player.prefer(tell=way)
    if times:
        form = await player.click("Set the times", page)
        answer = await player.send(form, **times)
        if zone:
            await choose_zone(player, answer.private[0], zone)


async def choose_zone(player: Player, page: Seen, zone: str) -> None:
    [menu] = [one for one in page.selects.values() if zone in [option["value"] for option in one["options"]]]
    await player.member.select(page.handle, [zone], custom_id=menu["custom_id"])


async def call(host: Player) -> str:
    """Press Call players; the refusal, or what the page says then."""
    [page] = (await host.click("Invite")).private
    return (await host.click("Call players", page)).told or page_of(host)


def written_to(player: Player) -> list[str]:
    """The DMs of calls to this person."""
    return [one.text for one in player.dms() if "Players wanted" in one.text]


@pytest.fixture
async def waiting(server: Server, ann: Player, bo: Player) -> Weather:
    """Ann has called players, and Bo's DM waits: Discord takes none for now."""
    weather = Weather(server)
    await wants(bo, "dm")
    await server.seat(ann)
    weather.limit_dms(0, 1.0)
    await call(ann)
    assert not written_to(bo)
    return weather


# Who is told


async def test_who_asked_for_it_is_told_once_as_they_asked_and_later_that_the_game_is_on(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.seat(ann)
    assert "Nobody here wants to be told about tables right now." in await call(ann)
    assert len(server.posts()) == 1
    await wants(bo, "mention")
    await wants(cy, "dm")
    assert "I'm telling 2 people." in await call(ann)
    post = server.post("Players wanted: Hearts")
    assert post.says("3 seats are free.")
    assert post.says("You asked to be told. /hearts preferences changes that.")
    assert pinged(server) == [[bo.id]]
    [dm] = written_to(cy)
    assert "**Ann** is looking for players. 3 seats are free." in dm
    assert written_to(bo) == written_to(di) == []
    await bo.click("Join", post)
    assert server.post("Players wanted").says("2 seats are free.")
    await server.env.advance_time(30)
    assert "2 seats are free." in written_to(cy)[0]
    await invite(ann, di)
    await ann.click("Start")  # which waits for nobody
    invitation = server.post("An invitation")
    for post in (server.post("Players wanted"), invitation):
        assert post.says("The game is on.")
    assert invitation.enabled == ["Take a seat"]
    assert "kept" not in lobby(server).text
    [which] = (await di.click("Take a seat", invitation)).private
    await di.choose("2", which)
    assert lobby(server).says("Di takes the seat with the next deal")
    await server.env.advance_time(30)
    [dm] = written_to(cy)
    assert "The game is on." in dm
    assert "is looking for players" not in dm
    assert pinged(server)[0] == [bo.id]


async def test_one_call_in_half_an_hour_by_a_host_and_at_a_table_unless_managers_turn_them_off(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await wants(cy, "mention", every="1")
    await server.seat(ann, bo)
    assert "Call players" not in (await bo.click("Invite")).private[0].buttons
    await call(ann)
    await wants(di, "mention")
    assert await call(ann) == refusal("called_lately")
    await ann.click("Leave", lobby(server))
    assert await call(bo) == refusal("called_lately")
    await server.restart()
    ann.at = server.add_channel("other")
    await server.seat(ann)
    assert await call(ann) == refusal("called_lately")
    await server.env.advance_time(HOUR / 2 + 1)
    assert "I'm telling 1 person." in await call(ann)  # Cy only wants that once an hour
    [page] = (await ann.click("Invite")).private
    max_ = server.add_manager()
    told = (await max_.send(await max_.run("hearts settings"), calls="off")).told
    assert "Hosts may not call players." in told
    assert (await ann.click("Call players", page)).told == refusal("calls_off")
    assert "Call players" not in (await ann.click("Invite")).private[0].buttons


#: Times by UTC; without a zone, nobody knows when the hours are.
NIGHT, WINTER = (datetime(2027, 1, 15, hour, 30, tzinfo=UTC) for hour in (0, 20))
SUMMER = datetime(2027, 7, 15, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "hours", "zone", "is_quiet"),
    [
        (NIGHT, (None, 8), "Europe/London", False),
        (NIGHT, (22, 8), None, True),
        (NIGHT, (22, 8), "Europe/London", True),
        (NIGHT, (22, 8), "Asia/Tokyo", False),
        (NIGHT, (0, 2), "Europe/London", True),
        (NIGHT, (6, 7), "Asia/Kolkata", True),
        (NIGHT, (20, 0), "Europe/London", False),  # the hour in which they end
        # From ten in Berlin, which is nine by UTC in winter, and eight in summer.
        (WINTER, (22, 6), "Europe/Berlin", False),
        (WINTER + timedelta(hours=1), (22, 6), "Europe/Berlin", True),
        (SUMMER, (22, 6), "Europe/Berlin", False),
        (SUMMER + timedelta(hours=1), (22, 6), "Europe/Berlin", True),
    ],
)
def test_quiet_hours_are_by_the_persons_clock(
    now: datetime, hours: tuple[int | None, int], zone: str | None, is_quiet: bool
) -> None:
    wish = CallWish(1, 2, CallWay.DM, 1, *hours)
    assert wish.is_quiet(now.timestamp(), zone) is is_quiet


async def test_a_call_passes_over_whoever_has_left_or_cant_come_or_doesnt_want_it_now(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    """It is shortly after midnight by UTC."""
    eve, flo, gus = (server.add(name) for name in ("Eve", "Flo", "Gus"))
    for player in (bo, cy, di, eve):
        await wants(player, "mention")
    for player, zone in ((flo, "Europe/London"), (gus, "Asia/Tokyo")):
        await wants(player, "mention", zone, **{"from": "22", "until": "8"})
    server.kick(bo)
    await cy.in_dm.run("hearts new")  # alone
    di.at = server.add_channel("other")
    await server.seat(di)
    await server.restart()
    ann.at = server.add_channel("cellar", overwrites={eve.member: forbid("view_channel")})
    await server.seat(ann)
    assert "I'm telling 2 people." in await call(ann)
    assert {row["person"] for row in server.stored()["invitations"]} == {cy.id, gus.id}
    assert bo.id not in {row["person"] for row in server.stored()["call_wishes"]}


async def test_who_waited_longest_comes_first_and_each_as_seldom_as_they_like(database: Database) -> None:
    for person, hours in ((5, 1), (6, 3), (7, 1)):
        await put_wish(database, CallWish(1, person, CallWay.DM, hours, None, 8))
    await note_told(database, 1, [5], 100.0)
    await note_told(database, 1, [6], 0.0)
    for now, due in ((HOUR, [7]), (HOUR + 100, [7, 5]), (3 * HOUR, [7, 6, 5])):
        assert [wish.person for wish in await due_wishes(database, 1, now)] == due


async def test_a_call_reaches_so_many_at_most(
    server: Server, ann: Player, bo: Player, cy: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_CALLED", 1)
    await wants(bo, "mention")
    await wants(cy, "mention")
    await server.seat(ann)
    assert "I'm telling 1 person." in await call(ann)
    assert pinged(server) == [[bo.id]]


# What people ask for


async def test_wishes_stand_in_the_forms_until_taken_back(server: Server, bo: Player) -> None:
    page = await bo.prefer(tell="dm")
    assert page.says("When a table in this server needs players, I'll send you a DM.")
    assert page.says("At most once in 6 hours, and never while you're at a table.")
    form = await bo.click("Set the times", page)
    usual = {"every": "6", "from": "none", "until": "8"}
    assert filled(form) == usual
    for forged in ({"every": "0"}, {"from": "24"}, {"until": "24"}, {"every": "x"}):
        sent = bo.forge_form("hearts:quiet:0", page, **usual | forged)
        await server.settle()
        assert sent.told == refusal("stale"), forged
    answer = await bo.send(form, **{"from": "8", "until": "8"})  # which are none
    assert "Not between" not in answer.told
    [row] = server.stored()["call_wishes"]
    assert (row["every_hours"], row["quiet_from"]) == (6, None)
    form = await bo.click("Set the times", page)
    answer = await bo.send(form, **{"every": "1", "from": "22", "until": "7"})
    assert "At most once an hour" in answer.told
    assert "Not between 22:00 and 7:00 by your clock. I don't know your time zone yet" in answer.told
    await choose_zone(bo, answer.private[0], "America/Sao_Paulo")
    await server.restart()
    assert (await bo.preferences())["tell"] == "dm"
    assert "tell" not in await bo.in_dm.preferences()  # which are of no server
    await bo.in_dm.prefer(invites="nobody")
    [page] = (await bo.run("hearts preferences")).private
    assert page.says("Not between 22:00 and 7:00, by the clock of Sao Paulo.")
    assert "Change my time zone" in page.buttons
    assert filled(await bo.click("Set the times", page)) == {"every": "1", "from": "22", "until": "7"}
    await wants(bo, "no")
    assert server.stored()["call_wishes"] == []
    assert (await bo.preferences())["tell"] == "no"
    assert (await bo.click("Set the times", page)).told == refusal("not_told")


# Closed DMs, kills, and Discord's limits


async def test_closed_dms_are_not_tried_again_unasked(server: Server, ann: Player, bo: Player) -> None:
    await wants(bo, "dm", every="1")
    bo.close_dms()
    for _ in range(2):
        await server.seat(ann)
        await call(ann)
        await ann.click("Leave", lobby(server))
        await server.env.advance_time(2 * HOUR)
        await server.restart()
    path = f"/channels/{bo.member.user.dm_channel.id}/messages"
    assert len([one for one in server.requests if (one.method, one.path) == ("POST", path)]) == 1
    form = await bo.open_form("invitations")
    assert filled(form)["tell"] == "no"
    assert "I couldn't DM you, so I stopped." in json.dumps(form.result.modal)


@pytest.mark.parametrize(
    ("way", "is_killed"), [("dm", False), ("dm", True), ("no", False), ("no", True), ("mention", False)]
)
async def test_a_dm_that_waits_is_sent_once_unless_it_is_taken_back(
    server: Server, bo: Player, waiting: Weather, way: str, is_killed: bool
) -> None:
    if way != "dm":
        await wants(bo, way)
    if is_killed:
        await server.restart(after=5)
    waiting.limit_dms(10, 1.0)
    for _ in range(2):
        await server.env.advance_time(60)
        assert len(written_to(bo)) == (way == "dm")
        assert [row["way"] for row in server.stored()["call_wishes"]] == [way] * (way != "no")
        await server.restart(after=5)


@pytest.mark.slow
async def test_dms_that_wait_too_long_are_never_sent(server: Server, bo: Player, waiting: Weather) -> None:
    await server.env.advance_time(1000)
    waiting.limit_dms(10, 1.0)
    await server.env.advance_time(1000)
    assert not written_to(bo)


@pytest.mark.slow
async def test_a_dm_whose_answer_was_lost_is_not_sent_again(server: Server, ann: Player, bo: Player) -> None:
    weather = Weather(server)
    await wants(bo, "dm")
    await server.seat(ann)
    weather.lose_answer("POST", f"/channels/{bo.member.user.dm_channel.id}/messages")
    await call(ann)
    await server.restart(after=HOUR / 6)
    await server.env.advance_time(60)
    assert len(written_to(bo)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("after", "count"), [(5.0, 1), (1000.0, 0)])
async def test_what_was_stored_and_not_sent_is_sent_after_a_kill_once_and_only_soon(
    server: Server, monkeypatch: Any, after: float, count: int
) -> None:
    ann, bo, cy, di = server.people
    await wants(bo, "mention")
    await wants(cy, "dm")
    await server.seat(ann)
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=None)
    monkeypatch.setattr(server.env.bot.invitations, "send_dms", lambda table: None)
    await call(ann)
    await invite(ann, di)
    server.env.backend.faults.clear()
    for seconds in (after, 10.0):
        await server.restart(after=seconds)
        await server.env.advance_time(1)
    for words in ("Players wanted", "An invitation"):
        assert len([one for one in server.posts() if one.says(words)]) == count
    assert len(written_to(cy)) == count


@pytest.mark.slow
async def test_a_wish_is_handed_out_and_deleted(server: Server, ann: Player, bo: Player) -> None:
    await wants(bo, "dm", "Asia/Kolkata", **{"from": "22", "until": "4"})
    await server.seat(ann)
    await call(ann)
    export = json.loads((await bo.export_data()).file)
    [wish] = export["wants_to_be_told"]
    assert (wish["way"], wish["quiet_from_hour"]) == ("dm", 22)
    assert export["preferences"][0]["time_zone"] == "Asia/Kolkata"
    assert export["tables"][0]["invitation"]["way"] == "dm"
    await bo.click("Don't tell me any more", bo.dm)
    assert server.stored()["call_wishes"] == []
    assert any("I won't tell you about tables" in one.text for one in bo.dms())
    await wants(bo, "dm")
    await forget(bo)
    assert server.stored()["call_wishes"] == server.stored()["invitations"] == []
