"""Nobody loses a turn by an absence: Discord was away, the process stood still, or the clock was set."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from nights import add_host, begin, sign_up, tournament
from people import Player
from server import Server
from test_timers import PLAYED, WAITS, count, deadline, now

from engine.tables.presence import LOOKS_EVERY

pytestmark = pytest.mark.slow
#: Seconds.
TURN, OUTAGE = 60, 110


@asynccontextmanager
async def gateway_lost(server: Server, seconds: float) -> AsyncIterator[None]:
    """Discord's gateway closes the connection for so long: nobody's click arrives."""
    shard = server.env.bot.get_shard(0)
    with server.env._bot_scope():
        await shard.disconnect()
    await server.env.advance_time(seconds)
    yield
    with server.env._bot_scope():
        await shard.connect()
    await server.settle()


def set_clock(server: Server, seconds: float) -> None:
    """Set the machine's clock; what counts the seconds since it was switched on goes on."""
    server.env.backend.clock._epoch += timedelta(seconds=seconds)


@pytest.fixture
async def playing(server: Server) -> Server:
    """A table where someone has a minute to play."""
    await server.deal_and_pass(pace="live")
    await server.to_play.play()
    return server


async def test_no_computer_plays_for_people_whose_clicks_do_not_arrive(playing: Server) -> None:
    async with gateway_lost(playing, OUTAGE):
        assert playing.plays == 1
        shard = playing.env.bot.get_shard(0)
        with playing.env._bot_scope():
            for _ in range(3):  # it is lost again at once
                await shard.connect()
                await asyncio.sleep(0)
                await shard.disconnect()
    assert count(playing, WAITS) == 1
    await playing.env.advance_time(TURN / 2 - 2)
    assert playing.plays == 1
    await playing.env.advance_time(3)
    assert playing.shows(PLAYED)


async def test_a_connection_that_is_lost_for_a_moment_changes_nothing(playing: Server) -> None:
    end = deadline(playing.post("Trick 1").text)
    await playing.env.advance_time(end - now(playing) - 1)
    async with gateway_lost(playing, 2):
        assert not playing.shows(PLAYED)
    await playing.env.advance_time(2)
    assert playing.shows(PLAYED)


async def test_after_the_process_has_stood_still_there_is_time_to_play(playing: Server) -> None:
    playing.env.backend.advance_clock(125)  # and no timer rings
    await playing.settle()
    assert count(playing, WAITS) == 1
    assert playing.plays == 1
    await playing.env.advance_time(TURN / 2 + 3)
    assert count(playing, PLAYED) == 1


@pytest.mark.parametrize("seconds", [-3600, 3600])
async def test_turns_last_as_long_when_the_clock_is_set(playing: Server, seconds: int) -> None:
    await playing.env.advance_time(20)
    set_clock(playing, seconds)
    await playing.env.advance_time(TURN - 20 - 2)
    assert count(playing, WAITS) == 1
    assert not playing.shows(PLAYED)
    assert abs(deadline(playing.post(WAITS).text) - now(playing) - 2) <= 1
    await playing.env.advance_time(4)
    assert count(playing, PLAYED) == 1
    set_clock(playing, seconds)
    await playing.to_play.play()  # so a turn begins just after
    before = playing.plays
    await playing.env.advance_time(TURN / 2 - 2)
    assert playing.plays == before
    await playing.env.advance_time(2 * TURN)
    assert count(playing, PLAYED) == 2


async def test_a_planned_start_keeps_to_peoples_clock(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo, starts="in 2 h")
    set_clock(server, 2 * 3600 + 60)
    await server.env.advance_time(LOOKS_EVERY + 10)
    await ann.click("I'm here")
    assert not server.shows("Everyone passes 3 cards")
    await server.env.advance_time(130)
    assert server.shows("Everyone passes 3 cards")


async def test_a_tournament_that_was_to_start_meanwhile_waits_for_people(
    server: Server, ann: Player, bo: Player
) -> None:
    await sign_up(server, add_host(server), ann, bo, starts="in 30 minutes")
    async with gateway_lost(server, 35 * 60):
        assert not server.env.bot.tables.live
    assert tournament(server).is_live
    await ann.click("I'm here", server.post("the tournament starts"))
    await bo.click("I'm here", server.post("the tournament starts"))
    await server.env.advance_time(130)
    assert len(server.env.bot.tables.live) == 1


@pytest.mark.parametrize("seconds", [-3600, 3600])
async def test_a_round_lasts_by_any_clock(server: Server, ann: Player, bo: Player, seconds: int) -> None:
    await begin(server, add_host(server), ann, bo)
    left = tournament(server).rounds[0].until - now(server)
    set_clock(server, seconds)
    await server.env.advance_time(90)
    assert abs(tournament(server).rounds[0].until - now(server) - (left - 90)) < 10
    [table] = server.env.bot.tables.live
    assert table.tournament.until == tournament(server).rounds[0].until


async def test_what_waits_for_discord_is_sent_as_soon_as_it_is_back(playing: Server) -> None:
    playing.env.inject_error("PATCH", "/channels/*", status=503, code=0, times=None)
    playing.env.inject_error("POST", "/channels/*", status=503, code=0, times=None)
    await playing.to_play.play()
    async with gateway_lost(playing, 20 * 60):
        playing.env.backend.faults.clear()
        assert playing.env.bot.delivery.waiting
    await playing.env.advance_time(6)
    assert playing.env.bot.delivery.waiting == 0
