"""A tournament night on one token: `python -m tests.bench.nights [--people 64 --rounds 2 --deals 1]`.

Everyone signs up by a click, the host starts, and all tables play as fast as their hands show the next card.
Discord's 50 calls a second with a bot's token hold, as in `limit`. For each round it prints how long it took
until everybody knew where they sit and had their cards, and at the end the calls, the refusals and how late
messages and edits were.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from functools import partial
from typing import Any
from unittest.mock import patch

from simcord.env import Env

from bot.answering.limits import DOUBLE_TAP
from bot.client import HeartsBot
from bot.tournaments.sign_up import SignUp, StartTournament
from engine.errors import Refusal
from engine.play.par import Par
from engine.rules.ruleset import Ruleset
from engine.storage import dm_channels
from engine.tables import Person, Table
from engine.tournaments import Round, Terms, Tournament, changes
from tests.bench.lateness import OWED, arrivals, watching
from tests.bench.limit import report
from tests.bench.limits import CALLS, limited
from tests.bench.load import Click, Load, controls_of, kind_of, next_click, server
from tests.bench.measure import passing, quantile, real_time

#: Seconds between two rounds here, and until a deal's par arrives.
PAUSE, PAR_AFTER = 3.0, 1.0
#: Seconds between two looks at what can be clicked, and those after which a night has hung.
GLANCE, LONGEST = 0.005, 3600.0
#: Seconds without a request after which all is shown.
QUIET = 15.0


class Night:
    """A server with one tournament, and people who play it."""

    def __init__(self, env: Env, bot: HeartsBot) -> None:
        self.env, self.bot = env, bot
        self.load = Load(env, bot, [], 0.0)
        self.ids: list[int] = []
        self.given: set[tuple[int, int]] = set()
        self.sent: dict[int, str] = {}  # by table: what was clicked there last
        self.acted: dict[int, float] = {}  # by person: when they clicked last, by the loop's clock

    @property
    def now(self) -> Tournament | None:
        """The tournament, while it goes on."""
        return next(iter(self.bot.tournament_posts.service.live), None)

    async def open(self, people: int, terms: Terms) -> None:
        """Open it, and have everyone sign up."""
        guild = self.env.create_guild("Bench")
        self.channel = guild.create_text_channel("hearts")
        for number in range(people):
            user = self.env.create_user(f"p{number}")
            guild.add_member(user)
            await dm_channels.put(self.bot.database, user.id, self.env.backend.get_dm_channel(user.id).id)
            self.ids.append(user.id)
        host = Person(self.ids[0], "p0")
        posts = self.bot.tournament_posts
        opened = await self._in_scope(posts.service.open(guild.id, self.channel.id, host, terms))
        with self.env._bot_scope():
            posts.show_again(opened)
        await self._until(lambda: self._control(str(SignUp(0, opened.id))) is not None)
        for id in self.ids:
            self.click(id, str(SignUp(0, opened.id)))
            await asyncio.sleep(0.05)
        await self._until(lambda: self.now is not None and len(self.now.entrants) == people)

    def click(self, person: int, custom_id: str) -> None:
        """Press this in the channel."""
        message = self._control(custom_id)
        assert message is not None, custom_id
        self.load.send(Click(person, message, custom_id))

    def _control(self, custom_id: str) -> Any:
        messages = self.env.backend.messages.get(self.channel.id, {})
        newest_first = sorted(messages.values(), key=lambda one: -one.id)
        return next((one for one in newest_first if custom_id in controls_of(one.components)), None)

    async def play(self) -> None:
        """Start it, and play to its end."""
        assert self.now is not None
        id, out, began = self.now.id, sys.stdout.write, time.perf_counter()
        self.click(self.ids[0], str(StartTournament(0, id)))
        await self._until(lambda: self.now is not None and bool(self.now.rounds))
        number = 0
        while self.now is not None:
            if len(self.now.rounds) > number:
                number, began = len(self.now.rounds), time.perf_counter()
                await self._until(lambda: _is_seated(self.now))
                seated = time.perf_counter() - began
                await self._dealt()
                dealt = time.perf_counter() - began
                out(f"round {number}: all tables open after {seated:.1f} s, ")
                out(f"all hands dealt after {dealt:.1f} s, ")
            await self._play_round()
            out(f"played after {time.perf_counter() - began:.1f} s\n")
            await self._until(partial(self._is_past, number))

    def _is_past(self, round: int) -> bool:
        return self.now is None or len(self.now.rounds) > round

    async def _dealt(self) -> None:
        """Wait until every table's player whose turn it is can see what to do."""
        for table in self._tables():
            while (wanted := next_click(self.bot, table)) and not self.load.next(table):  # noqa: ASYNC110
                await asyncio.sleep(GLANCE)
            del wanted

    def _tables(self) -> list[Table]:
        return [table for table in self.bot.tables.live if table.tournament]

    async def _play_round(self) -> None:
        """Everyone plays as fast as their hand shows the next card and no two look like one double tap."""
        while self.now and self.now.round and not self.now.round.is_over:
            for table in self._tables():
                self._act(table.id)
            await asyncio.sleep(GLANCE)
            self.count()
            await self._give_pars()
        await asyncio.sleep(PAR_AFTER)
        await self._give_pars()

    def _act(self, id: int) -> None:
        try:
            click = self.load.next(self.bot.tables.get(id))
        except Refusal:
            return
        now = asyncio.get_running_loop().time()
        if click is None or now - self.acted.get(click.person, -DOUBLE_TAP) < DOUBLE_TAP:
            return
        if self.sent.get(id) != click.custom_id:
            self.sent[id], self.acted[click.person] = click.custom_id, now
            self.load.send(click)

    async def _give_pars(self) -> None:
        for _, table in self.now.tables if self.now else ():
            for deal, played in enumerate(table.deals, 1):
                if table.table is not None and played.par is None and (table.table, deal) not in self.given:
                    self.given.add((table.table, deal))
                    par = Par((6.0, 7.0, 6.5, 6.5), (0.5,) * 4, 60)
                    await self._in_scope(self.bot.tables.put_par(table.table, deal, par))

    async def _in_scope(self, work: Any) -> Any:
        with self.env._bot_scope():  # in which the bot's clocks are the simulation's
            return await asyncio.create_task(work)

    def count(self) -> None:
        """Add up the requests so far by kind."""
        if len(self.load.log) > 100:
            self.load.calls.update(kind_of(entry.method, entry.path)[0] for entry in self.load.log)
            self.load.log.clear()
            self.env.backend.transcript.clear()

    async def quiet(self) -> None:
        """Wait until everything is shown."""
        await asyncio.sleep(QUIET)
        self.count()

    async def _until(self, is_so: Any) -> None:
        until = time.perf_counter() + LONGEST
        while not is_so():
            assert time.perf_counter() < until, "it has hung"
            await asyncio.sleep(GLANCE)


def _is_seated(tournament: Tournament | None) -> bool:
    round: Round | None = tournament.round if tournament else None
    return round is not None and all(table.table is not None for table in round.tables)


async def run(arguments: argparse.Namespace) -> None:
    """Play and print."""
    terms = Terms(Ruleset.of("classic", 4), arguments.rounds, arguments.deals)
    with watching() as watch, real_time(), patch.object(changes, "PAUSE", PAUSE):
        async with server() as (env, bot), passing(env):
            night = Night(env, bot)
            limit = limited(env, arguments.calls)
            began = time.perf_counter()
            await night.open(arguments.people, terms)
            sys.stdout.write(f"{arguments.people} people signed up in {time.perf_counter() - began:.1f} s\n")
            await night.play()
            await night.quiet()
            # The post that opens a deal is never edited, whatever its table comes to: it is owed nothing.
            came = [one for one in arrivals(watch, env) if one.at > began and one.kind != OWED]
            sys.stdout.write(f"{night.load.effort} in all\n")
            waits = sorted(night.load.waits)
            if waits:
                middle, most = (quantile(waits, share) for share in (0.5, 0.99))
                sys.stdout.write(f"click to answer: median {middle:.2f} s, 99th percentile {most:.2f} s\n")
            report(limit, came)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--calls", type=int, default=CALLS, help="calls a second that are allowed")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)  # discord.py logs each refusal
    asyncio.run(run(arguments))
