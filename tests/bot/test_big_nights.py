"""A tournament night of 64 people at 16 tables, with the calls that Discord really takes, through kills.

Time stands still here unless a test moves it on.
"""

import re
from collections import Counter, defaultdict
from typing import Any

import nights
import pytest
from manners import HAND, SENDS, TURN, message_of, text_of
from nights import add_host, calls, first, newest, thread, tournament
from people import Player
from seen import Seen
from server import NEVER, OpenServer, Server
from settling import let_time_stand_still
from test_threads import threads
from weather import Weather

from bot.answering import limits
from bot.config import CALLS_PER_SECOND
from engine.tournaments import MOST_PEOPLE, RoundTable, TableState, Tournament, TournamentState, standings
from tests.bench.measure import CALLS, most_in_a_second

pytestmark = pytest.mark.slow

#: Two rounds of two deals. In a round's five minutes some tables finish the first one, and none the second.
TERMS: dict[str, Any] = {"rounds": 2, "deals": 2, "pace": "relaxed", "minutes": 5}
TABLES = MOST_PEOPLE // 4
#: The numbers of the tables that finish a deal.
QUICK = (1, TABLES)
#: Seconds after which the bot is there again, and those in which everyone has their cards.
AWAY, DEALT = 3.0, 20.0
TIME_UP = "⏰ Computers have finished the deal: the round is over at this table."
#: A name with a score and the number of deals.
SCORE = re.compile(r"\*\*(P\d+)\*\* ([+−]?\d+\.\d) · (\d) deals?")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is: spacings, delays and the budget are the real ones, and no timer rings by itself."""
    let_time_stand_still(monkeypatch)
    monkeypatch.setattr(limits, "ALLOWANCE", NEVER)  # people here tap as fast as they can


class BigNight:
    """The server with its people, and what they do and see."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.calls = Weather(server).calls

    @property
    def now(self) -> Tournament:
        return tournament(self.server)

    @property
    def tables(self) -> tuple[RoundTable, ...]:
        """Those of the round."""
        return self.now.rounds[-1].tables

    def people_at(self, table: RoundTable) -> list[Player]:
        """Who plays there: people's numbers are in the order in which they signed up."""
        return [self.server.people[number - 1] for number in table.people]

    async def wait_until(self, at: float | None) -> None:
        """Let the time go by until then, in seconds since 1970."""
        await self.server.env.advance_time(max(0.0, at - self.server.env.now().timestamp()))

    async def play_a_deal(self, number: int) -> None:
        """Everyone at this table of the round plays its first deal, and is told what it came to."""
        channel = self.tables[number - 1].channel
        people = self.people_at(self.tables[number - 1])
        while not self.tables[number - 1].deals:
            acted = [await nights.act(self.server, player) for player in people]
            if not any(acted):
                await self.server.env.advance_time(1)
        await self.server.env.advance_time(3)
        self.server.post("After deal 1", thread(self.server, channel))

    def check_everyone_is_seated(self) -> None:
        """Everyone has one seat, and the cards of its table."""
        assert sorted(one for table in self.tables for one in table.people) == list(range(1, MOST_PEOPLE + 1))
        for table in self.tables:
            assert table.state is TableState.PLAYING
            for player in self.people_at(table):
                hand = player.hand
                assert f"Deal 1\n-# Hearts in <#{table.channel}>" in hand.text
                assert hand.asks_to_pass

    def sent_twice(self) -> list[tuple[str, str]]:
        """The channels and texts of messages that were sent more than once.

        Discord takes two with the same nonce for one. What has a time of its own is left out: mentions of
        those whose turn it is, and the notice in each round that its time is up.
        """
        nonces = defaultdict(set)
        for request in self.server.requests:
            message = message_of(request)
            if message and request.method == "POST" and SENDS.fullmatch(request.path):
                nonces[request.path, text_of(message)].add(request.body.get("nonce"))
        twice = [one for one, found in nonces.items() if len(found) > 1]
        return [(path, text) for path, text in twice if not (TURN.fullmatch(text) or text == TIME_UP)]

    async def all_scores(self, end: Seen) -> list[tuple[str, float, int]]:
        """Everyone's name, score and number of deals, the best first, as the end shows them."""
        page = (await self.server.people[0].click("All scores", end)).private[0]
        found = SCORE.findall(page.text)
        while "Next" in page.enabled:
            await self.server.people[0].click("Next", page)
            page = Seen.now(self.server.env, page.message)
            found += SCORE.findall(page.text)
        return [(name, float(score.replace("−", "-")), int(deals)) for name, score, deals in found]


async def test_sixty_four_people_through_kills_at_every_step(open_server: OpenServer) -> None:
    names = [f"P{number}" for number in range(1, MOST_PEOPLE + 1)]
    server = await open_server(names=names, calls=CALLS_PER_SECOND)
    night, host = BigNight(server), add_host(server)
    await host.run("hearts tournament", **TERMS)
    for player in server.people:
        await player.click("Join", first(server))
        await server.env.advance_time(6)  # as the bot may not open more DMs

    await host.click("Start now", first(server))
    assert 0 < len(threads(server)) < TABLES
    await server.restart(AWAY)  # while threads are being opened
    await server.env.advance_time(DEALT)
    night.check_everyone_is_seated()
    for number in QUICK:
        await night.play_a_deal(number)
        await server.restart(AWAY)  # as soon as a deal is over
    await night.wait_until(night.now.rounds[-1].until)
    await server.restart(AWAY)  # as soon as computers have finished the deals
    await server.env.advance_time(10)
    await nights.give_pars(server)
    await server.restart(AWAY)  # between two rounds
    await night.wait_until(night.now.next_at)

    await server.restart(AWAY)  # as soon as the seats are known
    await server.env.advance_time(DEALT)
    night.check_everyone_is_seated()
    for number in QUICK:
        await night.play_a_deal(number)
    await server.stop_and_start(AWAY)
    await night.wait_until(night.now.rounds[-1].until)
    await server.env.advance_time(10)
    await server.env.bot.tournament_posts.close()
    await nights.give_pars(server)
    assert night.now.is_counting
    await server.restart(AWAY)  # as soon as the last par is stored, before the tournament hears of it
    await server.restart(AWAY)  # while its end is being shown
    await server.env.advance_time(30)
    await _check(night)


async def _check(night: BigNight) -> None:
    """Nothing was lost, nothing came twice, and the end is what was played."""
    server, done = night.server, await newest(night.server)
    assert (done.state, done.reason) == (TournamentState.OVER, None)
    assert most_in_a_second(night.calls) <= CALLS
    assert night.sent_twice() == []
    assert len(threads(server)) == TABLES
    everyone = sorted(player.id for player in server.people)
    assert [sorted(one) for one in calls(server, "your tables")] == [everyone] * len(done.rounds)
    for table in done.rounds[0].tables:
        posts = server.posts(thread(server, table.channel))
        seals = Counter(number for post in posts for number in post.seals)
        rounds = len(done.rounds)
        assert seals == {1: rounds, **({2: rounds} if table.number in QUICK else {})}
        for words in (TIME_UP, "In the tournament, the best score against par wins."):
            assert len([post for post in posts if post.says(words)]) == rounds
    end = server.post("wins the Hearts tournament")
    for number, player in enumerate(server.people, 1):
        tables = [one for round in done.rounds for one in round.tables if number in one.people]
        dealt = [2 if table.number in QUICK else 1 for table in tables]
        hands = [int(found[1]) for dm in player.dms() if (found := HAND.match(dm.text))]
        assert hands == dealt  # one a table, as a new hand takes the last one's place
    played = [one for one in standings(done) if one.deals]
    assert {one.entrant.number for one in played} == {
        number for round in done.rounds for one in QUICK for number in round.tables[one - 1].people
    }
    shown = [(one.entrant.name, one.score, len(one.deals)) for one in played]
    assert await night.all_scores(end) == shown
