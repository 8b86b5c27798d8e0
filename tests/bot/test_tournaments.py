"""A tournament night: signing up, rounds in threads, standings, and the podium."""

import json
import re

import nights
import pytest
from nights import add_host, begin, calls, first, give_par, pause, play_round, sign_up, tournament
from own_data import forget
from people import Player, refusal
from server import OpenServer, Server, Sketches
from test_threads import threads
from weather import Weather

from bot.discord.permissions import invitation
from bot.table.threads import QUIET
from bot.tournaments.sign_up import SignUp
from bot.vocabulary.scenes import LuckScene, StandingsScene
from engine.tournaments import Reason, TournamentState
from engine.tournaments.changes import TRIES

HOUR = 3600.0


@pytest.fixture
def host(server: Server) -> Player:
    """Somebody who may manage events, and doesn't play."""
    return add_host(server)


# From the beginning to the end


@pytest.mark.slow
async def test_a_tournament_of_four_from_sign_up_to_podium(open_server: OpenServer) -> None:
    server = await open_server(names=("Ann", "Bo", "Cy", "Max_1 *Di*"), sketches=Sketches())
    host, players = add_host(server), server.people
    [ann, *_] = players
    await begin(server, host, *players)
    everyone = sorted(player.id for player in players)
    assert [sorted(one) for one in calls(server, "your tables")] == [everyone]
    assert "Still playing" in server.post("your tables").text
    before = [post.text for post in server.posts()]
    for player in players:
        await nights.act(server, player)
    assert [post.text for post in server.posts()] == before, "only finished deals are told"

    await play_round(server, players)
    end = server.post("the best score against par wins", ann.at)
    assert "Ended early" not in end.text
    assert "Rematch" not in end.buttons
    between = await ann.run("hearts new")
    assert between.told == refusal("tournament_decides"), "no other table takes its threads"
    waiting = server.post("Standings")
    assert "⏳" in waiting.text
    assert len(re.findall(r"\*\*(?:Ann|Bo|Cy|Max.+?)\*\*\s\d+\spoints?", waiting.text)) == 4
    assert "🥇" not in waiting.text, "nobody is ahead yet"
    assert server.scenes(waiting) == []
    assert "🥇" not in (await ann.click("All scores", waiting)).told
    await nights.give_pars(server)
    ranked = server.post("Standings")
    [scene] = server.scenes(ranked)
    assert isinstance(scene, StandingsScene)
    assert [line.place for line in scene.lines] == [1, 2, 3, 4]
    assert sum(line.value for line in scene.lines) == pytest.approx(0)

    await pause(server)
    await play_round(server, players)
    await pause(server)
    done = await nights.newest(server)
    assert (done.state, done.reason) == (TournamentState.OVER, None)
    assert "⏳" in server.post("wins the Hearts tournament").text
    ends = len(server.posts())
    await give_par(server, done.rounds[1].tables[0].table, 1, 4)
    await server.settle()
    end = server.post("wins the Hearts tournament")
    assert "⏳" not in end.text
    assert len(server.posts()) == ends
    [podium, luck] = server.scenes(end)
    assert isinstance(luck, LuckScene)
    assert len(podium.steps) == 3
    for picture in (*ranked.pictures, *end.pictures):
        assert "Max_1 *Di*" in picture["description"], "without a backslash"
        assert not picture["description"].endswith("…")
    assert not server.shows("Standings ·"), "the last post says it all"
    assert len(threads(server)) == 1, "every round plays in the same threads"
    assert [sorted(one) for one in calls(server, "your tables")] == [everyone] * 2

    assert "round 2, deal 1" in (await ann.click("My deals", end)).told
    assert "🥇" in (await ann.click("All scores", end)).told
    record = json.loads((await ann.click("Record", end)).file)
    assert [len(one["tables"]) for one in record["rounds"]] == [1, 1]
    ann.at = server.channel
    [board] = (await ann.run("hearts leaderboard")).public
    await ann.choose("tournaments", board)
    assert board.current.says("won 1 of 1, on the podium 1 time")
    await ann.click("All time", board.current)
    assert board.current.says("🏆 Tournaments All time 🥇")
    await ann.choose("classic.lowest:people", board.current)
    assert board.current.text == board.text


# Signing up


async def test_a_click_carries_the_names_and_no_call_is_spent(server: Server, host: Player) -> None:
    ann, bo, cy, _ = server.people
    cy.close_dms()
    await host.run("hearts tournament")
    await ann.click("Join", first(server))
    await bo.click("Join", first(server))
    assert "Ann\xa0· Bo" in first(server).text
    assert (await ann.click("Join", first(server))).told == refusal("signed_up")
    assert "I can't DM you" in (await cy.click("Join", first(server))).told
    await bo.click("Leave", first(server))
    assert "Bo" not in first(server).text
    for _ in range(2):
        await server.add("Sam").click("Join", first(server))
    assert "Sam\xa0· Sam\xa0(2)" in first(server).text
    assert [one for one in server.requests if one.method == "PATCH" and "/channels/" in one.path] == []
    assert all("tournament" in player.dm.text for player in (ann, bo))
    await ann.click("Leave", first(server))
    await server.env.advance_time(HOUR)
    assert (await ann.click("Join", first(server))).told == ""
    assert len(ann.dms()) == 1, "who signs up again gets no second DM"


async def test_a_first_dm_that_has_to_wait_comes_soon_or_never(server: Server, host: Player) -> None:
    ann, bo, cy, _ = server.people
    weather = Weather(server)
    weather.limit_dms(0, 1)
    await sign_up(server, host, ann, bo)
    await bo.click("Leave", first(server))
    await server.env.advance_time(2 * 60)
    weather.limit_dms(1, 1)
    await server.env.advance_time(HOUR)
    weather.limit_dms(0, 1)
    await cy.click("Join", first(server))
    await server.env.advance_time(20 * 60)
    weather.limit_dms(1, 1)
    await server.env.advance_time(HOUR)
    assert [len(player.dms()) for player in (ann, bo, cy)] == [1, 0, 0]


async def test_who_may_open_start_and_cancel_one_and_where(server: Server, host: Player, ann: Player) -> None:
    address = invitation(server.env.bot.application_id)
    assert (await ann.in_dm.run("hearts tournament")).told == refusal("needs_server", invitation=address)
    assert (await ann.run("hearts tournament")).told == refusal("tournament_managers_only")
    there = host.goes_to(server.add_thread("side"))
    assert (await there.run("hearts tournament")).told == refusal("tournament_no_threads")
    await sign_up(server, host, ann)
    rules = (await ann.click("Rules", first(server))).told
    assert "par" in rules
    assert "If you miss a whole round, you sit out until you press **Join**." in rules
    for label in ("Start now", "Call off"):
        assert (await ann.click(label, first(server))).told == refusal("tournament_host_only")
    assert await ann.try_control(str(SignUp(0, 99)), first(server)) == refusal("no_tournament")
    assert (await host.click("Start now", first(server))).told == refusal("tournament_too_few")
    [asked] = (await host.click("Call off", first(server))).private
    await host.click("Call it off", asked)
    assert "called off" in first(server).text
    assert not first(server).buttons
    assert (await nights.newest(server)).reason is Reason.CANCELLED
    manager = server.add_manager()
    await manager.send(await manager.run("hearts settings"), tournaments="anyone")
    await ann.run("hearts tournament")
    assert tournament(server).host == ann.id
    [refused] = (await ann.run("hearts tournament")).private
    assert refused.text == refusal("tournament_here"), "one at a time"
    assert f"{server.address()}/{first(server).id}" in str(refused.components)


# Its start


@pytest.mark.slow
async def test_a_planned_start_calls_once_and_others_come_when_they_like(
    server: Server, host: Player
) -> None:
    ann, bo, cy, di = server.people
    await sign_up(server, host, ann, bo, cy, starts="in 30 minutes")
    await server.env.advance_time(21 * 60)
    await ann.click("I'm here", server.post("the tournament starts"))
    await bo.click("I'm here", first(server))
    assert "✅" in first(server).text
    await server.env.advance_time(10 * 60)
    assert [sorted(one) for one in calls(server, "the tournament starts")] == [sorted([ann.id, bo.id, cy.id])]
    [table] = server.env.bot.tables.live
    assert {seat.name for seat in table.seats if seat.person and seat.away} == {"Cy"}
    [round] = tournament(server).rounds
    assert len(round.tables[0].people) == 3
    seats = server.post("your tables")
    assert "🤖 A computer plays for **Cy**: press **Join**" in seats.text
    assert "back at your table" in (await cy.click("Join", seats)).told
    assert not any(seat.away for seat in server.env.bot.tables.live[0].seats)
    assert "You're out" in (await cy.click("Leave", seats)).told
    assert "back at your table" in (await cy.click("Join", seats)).told
    assert "round 2" in (await di.click("Join", seats)).told
    assert (await di.click("Where do I play?", seats)).told == "You play from the next round."
    assert "table 1" in (await ann.click("Where do I play?", seats)).told


async def test_a_time_of_day_is_asked_for_by_the_clock(server: Server, host: Player) -> None:
    [asked] = (await host.run("hearts tournament", starts="20:00")).private
    [prompt, *_] = asked.selects
    chosen = asked.selects[prompt]["options"][3]["value"]
    await host.choose(chosen, asked, prompt)
    at, _, zone = chosen.partition(" ")
    assert tournament(server).plan.at == float(at)
    assert f"<t:{at}" in first(server).text
    assert server.stored()["preferences"][0]["zone"] == zone


@pytest.mark.slow
@pytest.mark.parametrize("is_orderly", [True, False])
async def test_a_late_par_is_shown_after_a_stop(server: Server, host: Player, *, is_orderly: bool) -> None:
    await begin(server, host, *server.people, rounds=1)
    await play_round(server, server.people)
    await pause(server)
    ends = len(server.posts())
    [table] = (await nights.newest(server)).rounds[0].tables
    server.env.bot.delivery.tournament_posts.spacing = 60.0
    await give_par(server, table.table, 1, 4)
    await server.settle()
    assert "⏳" in server.post("wins the Hearts").text
    await (server.stop_and_start() if is_orderly else server.restart())
    end = server.post("wins the Hearts")
    assert "⏳" not in end.text
    assert len(server.posts()) == ends
    edits = [one for one in server.requests if one.path.endswith(f"/messages/{end.id}")]
    await server.restart()
    assert [one for one in server.requests if one.path.endswith(f"/messages/{end.id}")] == edits


# What may go wrong


@pytest.mark.slow
async def test_a_deleted_thread_ends_its_table_and_is_replaced(server: Server, host: Player) -> None:
    players = [*server.people, server.add("Eve")]
    await begin(server, host, *players)
    one, other = (thread.id for thread in threads(server))
    server.env.backend.delete_channel(one)
    await server.settle()
    assert [table.is_over for table in tournament(server).rounds[0].tables] in ([True, False], [False, True])
    await play_round(server, players)
    await nights.give_pars(server)
    await server.stop_and_start(meanwhile=lambda: server.env.backend.delete_channel(other))
    await pause(server)
    channels = {table.channel for table in tournament(server).rounds[1].tables}
    assert channels == {one.channel for one in server.env.bot.tables.live}
    assert len(channels - {one, other}) == 2
    [asked] = (await host.click("End tournament", server.post("your tables"))).private
    await host.click("End it", asked)
    assert server.shows("These are the scores up to then")
    assert not server.env.bot.tables.live
    assert not server.shows("Standings ·")
    await server.env.advance_time(QUIET + 1300)
    assert all(one.thread_metadata.archived for one in threads(server))


@pytest.mark.slow
@pytest.mark.parametrize("opens", [True, False])
async def test_a_thread_that_must_wait_holds_up_nobody(server: Server, host: Player, *, opens: bool) -> None:
    players = [*server.people, *[server.add(name) for name in ("Eve", "Fay", "Gus", "Hal")]]
    await sign_up(server, host, *players)
    server.env.inject_error("POST", "/channels/*/messages/*/threads", status=503)
    await host.click("Start now", first(server))
    seats = server.post("your tables")
    [late, other] = tournament(server).rounds[0].tables
    assert seats.says("Table 1: its thread opens soon · ")
    assert f"2. <#{other.channel}>" in seats.text
    waiting = next(one for one in players if tournament(server).by_person[one.id].number in late.people)
    assert (await waiting.click("Where do I play?", seats)).told == "Your table is about to open."
    if not opens:
        line = server.post("Table 1 of the tournament").id
        path = f"/channels/*/messages/{line}/threads"
        server.env.inject_error("POST", path, status=403, code=50013, times=None)
    for _ in range(TRIES - 1):
        await server.env.advance_time(61)
    seats = server.post("your tables")
    assert not seats.says("opens soon")
    [late, _] = tournament(server).rounds[0].tables
    assert (f"1. <#{late.channel}>" in seats.text) == opens
    assert seats.says("Table 1: no thread could be opened · ") != opens
    assert [sorted(one) for one in calls(server, "your tables")] == [sorted(one.id for one in players)]


@pytest.mark.slow
async def test_it_goes_on_in_threads_while_the_channel_takes_no_posts(server: Server, host: Player) -> None:
    await begin(server, host, *server.people)
    channel = f"/channels/{server.channel.id}/messages"
    fault = {"status": 403, "code": 50013, "times": None}
    server.env.inject_error("POST", channel, **fault)
    server.env.inject_error("PATCH", f"{channel}/*", **fault)
    await play_round(server, server.people)
    await nights.give_pars(server)
    await pause(server)
    assert len(tournament(server).rounds) == 2
    assert len(server.env.bot.tables.live) == 1


# What people leave


async def test_nobody_is_mentioned_or_named_against_their_wish_and_a_deleted_channel_ends_it(
    server: Server, host: Player
) -> None:
    ann, bo, cy, _ = server.people
    await ann.prefer(calls="never")
    await sign_up(server, host, ann, bo, cy)
    assert "Cy" in first(server).text
    await forget(cy)
    assert "Cy" not in first(server).text
    await host.click("Start now", first(server))
    assert calls(server, "your tables") == [[bo.id]]
    assert "**Ann**" in server.post("your tables").text
    host.at = server.add_channel("other")
    server.env.backend.delete_channel(server.channel.id)
    await server.settle()
    assert (await nights.newest(server)).state is TournamentState.STOPPED
    assert not server.env.bot.tables.live
    await host.run("hearts tournament")
    assert tournament(server).channel == host.at.id
