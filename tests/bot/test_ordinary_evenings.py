"""Whole evenings as in production: every delay and limit is on, and Discord is slow and sometimes refuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

import nights
import pytest
from people import Player
from server import OpenServer, Server, Sketches
from weather import Weather

from bot.config import CALLS_PER_SECOND
from tests.bench.limits import most_in_a_second

pytestmark = pytest.mark.slow

#: Seconds that a person thinks, and after which everything has been shown.
THINKS, CALM = (1.0, 4.0), 60.0


@pytest.fixture(autouse=True)
def at_once() -> None:
    """Nothing comes at once here."""


class Evening:
    """A server in which people take their time, and so does Discord."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server, self.rng = server, Random(seed)
        self.weather = Weather(server)
        self.weather.be_ordinary(self.rng)
        self.calls = server.count_calls()

    async def play(self, players: Sequence[Player], steps: int) -> None:
        """Let whoever is asked act, one after another, this many times or until nobody is asked any more."""
        for _ in range(steps):
            await self.server.env.advance_time(self.rng.uniform(*THINKS))
            if not self.server.env.bot.tables.live:
                return
            for player in players:
                if await nights.act(self.server, player):
                    break

    async def through(self, restart: Callable[[], Awaitable[None]]) -> None:
        """Restart the bot, and wait until everything has been shown."""
        self.weather.over_the_next_bot()
        await restart()
        await self.server.env.advance_time(CALM)

    def check_budget(self) -> None:
        """In no second there were more calls than the bot allows itself."""
        assert 0 < most_in_a_second(self.calls) <= CALLS_PER_SECOND


async def test_a_quick_table_through_a_kill_and_a_stop(open_server: OpenServer) -> None:
    server = await open_server(calls=CALLS_PER_SECOND, sketches=Sketches())
    evening, people = Evening(server, 1), server.people
    await server.deal(ends_at=20)
    await evening.play(people, 30)
    await evening.through(server.restart)
    await evening.play(people, 60)
    await evening.through(server.stop_and_start)
    await evening.play(people, 400)
    await server.env.advance_time(CALM)

    results = {row["person"]: row for row in server.stored()["results"]}
    assert results.keys() == {one.id for one in people}
    for player in people:
        [hand] = [one for one in player.dms() if one.says("🏆")]
        assert not hand.playable
        assert hand.says(str(abs(results[player.id]["points"])))
        assert not [one for one in player.dms() if one.says("Your turn")]
    end = server.post("🏆")
    assert "Replay" in end.enabled
    assert not server.shows("Waiting for")
    evening.check_budget()


async def test_a_daily_deal_through_a_stop(open_server: OpenServer) -> None:
    server = await open_server(calls=CALLS_PER_SECOND, sketches=Sketches())
    evening, (ann, *_) = Evening(server, 2), server.people
    ann.has_dms = False
    await ann.run("hearts daily")
    await evening.play([ann], 20)
    await evening.through(server.stop_and_start)
    await ann.run("hearts daily")
    await evening.play([ann], 100)
    await server.env.advance_time(CALM)
    [result] = [one for one in ann.sees() if one.says("### Daily deal")]
    assert result.says("🥇 Ann (you)")
    await ann.click("Share", result)
    assert server.post("Ann · daily deal of January 1")
    evening.check_budget()


async def test_a_tournament_through_a_kill(open_server: OpenServer) -> None:
    names = [f"P{number}" for number in range(1, 9)]
    server = await open_server(calls=CALLS_PER_SECOND, sketches=Sketches(), names=names)
    evening, people = Evening(server, 3), server.people
    host = nights.add_host(server)
    await nights.sign_up(server, host, *people)
    await host.click("Start now", nights.first(server))
    await server.env.advance_time(CALM)
    nights.seat(server, *people)
    await evening.play(people, 40)
    await evening.through(server.restart)
    while server.env.bot.tournament_posts.service.in_guild(server.guild.id):
        nights.seat(server, *people)
        await evening.play(people, 300)
        await nights.give_pars(server)
        await nights.pause(server)
        await server.env.advance_time(CALM)
    end = server.post("wins the Hearts tournament")
    assert "My deals" in end.enabled
    assert not server.shows("Standings ·"), "the last post says it all"
    for player in people:
        assert not [one for one in player.dms() if one.says("Your turn")]
    evening.check_budget()
