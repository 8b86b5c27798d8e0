"""Many tables at once in the simulated Discord, with the real database on disk.

    python -m tests.bench.tables                           50 tables, a click at each at the same moment
    python -m tests.bench.tables --tables 200 --rate 100   so many clicks a second, table after table
    ... --uneven                                           at random moments, as people click
    ... --idle 800                                         with tables open at which nobody plays

Printed are the time from the click to the bot's answer, the memory that a table takes, and the REST calls
for each card that a person plays, by kind. tests.bench.resume measures a start with many tables.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.env import Env

from bot import garbage
from bot.client import HeartsBot
from bot.messages import action
from engine.play.deal import Phase
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Person, Table
from tests.bench.measure import keep_time, memory, real_time

#: Path of a request, what it is called here, and whether Discord counts it against the bot's token.
KINDS = [
    (r"POST /interactions/.*/callback", "answer to a click", False),
    (r"\w+ /webhooks/.*", "edit or follow-up through a click", False),
    (r"POST /channels/\d+/messages", "message sent", True),
    (r"PATCH /channels/\d+/messages/\d+", "message edited", True),
    (r".*", "other", True),
]


class Timed(list[Any]):
    """The simulated Discord's log of requests; notes when each came in."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: dict[int, float] = {}

    def append(self, entry: Any) -> None:
        if found := re.fullmatch(r"/interactions/(\d+)/.*/callback", entry.path):
            self.answered[int(found[1])] = time.perf_counter()
        super().append(entry)


def click(env: Env, user: int, place: tuple[int, int], custom_id: str, values: list[str] | None) -> int:
    """Deliver one click as the gateway does; returns the interaction's id, without waiting for anything."""
    channel, message = place
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2 if values is None else 3}
    if values is not None:
        data["values"] = values
    record, payload = interactions.base_payload(
        env.backend, type=3, channel_id=channel, guild_id=None, user_id=user, data=data
    )
    stored = env.backend.get_message(channel, message)
    payload["message"] = dict(serializers.message_payload(env.backend, stored))
    record.source_message_id = message
    env.backend.emit("INTERACTION_CREATE", payload)
    return int(record.id)


def next_click(bot: HeartsBot, table: Table) -> tuple[int, str, list[str] | None] | None:
    """Who has to do something at this table, and which control they use."""
    game = bot.tables.get(table.id).game
    assert game is not None
    deal = game.deals[-1]
    if deal.phase is Phase.DONE:
        return None
    seat = deal.waiting_for[0]
    person = table.seats[seat].person
    assert person is not None
    if deal.phase is Phase.PASSING:
        chosen = [f"{card.code}.0" for card in deal.hands[seat][-3:]]
        return person, action("pass", table.id, deal.number), chosen
    if deal.phase is Phase.CHOOSING_MOON:
        return person, action("moon", table.id, deal.number, "add"), None
    card = deal.legal(seat)[0]
    return person, action("play", table.id, deal.number, len(deal.tricks), f"{card.code}.0"), None


async def seat_tables(env: Env, bot: HeartsBot, count: int) -> list[Table]:
    """So many tables with four people each, all started."""
    guild = env.create_guild("Bench")
    tables = []
    for number in range(count):
        channel = guild.create_text_channel(f"table-{number}")
        people = [env.create_user(f"p{number}-{seat}") for seat in range(4)]
        for person in people:
            guild.add_member(person)
        first, *others = [Person(person.id, person.name) for person in people]
        rules = Ruleset.of("classic", 4, {"ends_at": 10_000})
        with env._bot_scope():  # where the bot's clocks are the simulation's
            table = await bot.tables.open(guild.id, channel.id, first, rules)
            for other in others:
                await bot.tables.join(table.id, other)
            tables.append(await bot.tables.start(table.id, first.id))
        await env.settle()
    return tables


class Bench:
    """A simulated server full of tables, and what has been measured there."""

    def __init__(self, env: Env, bot: HeartsBot, tables: list[Table]) -> None:
        self.env, self.bot, self.tables = env, bot, tables
        self.log = env.backend.http_requests = Timed()
        self.sent: dict[int, float] = {}
        self.calls: Counter[str] = Counter()
        self.cards = 0

    def click(self, table: Table) -> int | None:
        """Somebody at this table does what it waits for; the interaction's id."""
        wanted = next_click(self.bot, table)
        if wanted is None:
            return None
        person, custom_id, values = wanted
        game = self.bot.tables.get(table.id).game
        assert game is not None
        place = self.bot.delivery.places.get(table.id, f"hand{len(game.deals)}:{person}")
        if place is None:
            return None
        at = time.perf_counter()
        id = click(self.env, person, place, custom_id, values)
        self.sent[id] = at
        self.cards += custom_id.startswith("hearts:play")
        return id

    async def bursts(self, rounds: int) -> None:
        """At every table at the same moment, so many times."""
        for _ in range(rounds):
            for table in self.tables:
                self.click(table)
            await self._rest()
            self.count()

    async def _rest(self) -> None:
        """Until all clicks are answered, and every hand is as it should be."""
        lanes = self.bot.delivery.dms.lanes
        while len(self.log.answered) < len(self.sent) or any(lane.waiting for lane in lanes):  # noqa: ASYNC110
            await asyncio.sleep(0.002)

    async def steadily(self, rate: float, seconds: float, *, uneven: bool) -> None:
        """So many clicks a second, whether or not the last ones have been answered."""
        rng, at = Random(2), time.perf_counter()
        for number in range(int(rate * seconds)):
            at += rng.expovariate(rate) if uneven else 1 / rate
            # The sleep lets the bot work, even where we are late.
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            self.click(rng.choice(self.tables) if uneven else self.tables[number % len(self.tables)])
            if len(self.log) > 5000:
                self.count()
        await self.env.settle()
        self.count()

    def count(self) -> None:
        """Add up the requests so far, by kind."""
        for entry in self.log:
            line = f"{entry.method} {entry.path}"
            self.calls[next(name for pattern, name, _ in KINDS if re.fullmatch(pattern, line))] += 1
        self.log.clear()
        self.env.backend.transcript.clear()

    @property
    def waits(self) -> list[float]:
        """Seconds from each click to its answer."""
        return [self.log.answered[id] - at for id, at in self.sent.items()]


async def run(arguments: argparse.Namespace) -> None:
    """Play and print."""
    count = arguments.tables
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        bot = HeartsBot(await Database.open(path), rng=Random(1), shard_count=1)
        async with simcord.run(bot, settle_timeout=30) as env:
            before = memory()
            tables = await seat_tables(env, bot, count + arguments.idle)
            each = (memory() - before) / len(tables)
            sys.stdout.write(f"{len(tables)} tables open: {each:.0f} KiB each, with the simulation's share\n")
            with garbage.start():
                pass  # what is there by now is no garbage, as where the bot has taken up its tables
            bench = Bench(env, bot, tables[:count])
            clock = asyncio.create_task(keep_time(env))
            began = time.perf_counter()
            if arguments.rate:
                await bench.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
            else:
                await bench.bursts(arguments.rounds)
            clock.cancel()
            report(bench.waits, bench.calls, bench.cards, max(bench.log.answered.values()) - began, count)
        await bot.close()


def report(waits: list[float], calls: Counter[str], cards: int, seconds: float, tables: int) -> None:
    """Print the figures."""
    cuts = statistics.quantiles(waits, n=100)
    out = sys.stdout.write
    out(f"{tables} tables, {len(waits)} clicks ({cards} cards) in {seconds:.1f} s: ")
    out(f"{len(waits) / seconds:.0f} clicks/s\n")
    out(f"click to answer: median {cuts[49] * 1000:.0f} ms, 99th percentile {cuts[98] * 1000:.0f} ms, ")
    out(f"worst {max(waits) * 1000:.0f} ms\nREST calls per card:\n")
    for _, name, counted in KINDS:
        kind = "bot's token" if counted else "not counted"
        each, rate = calls[name] / max(cards, 1), calls[name] / seconds
        out(f"  {each:.2f}  {name} ({kind}), {rate:.0f} a second\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50, help="at which people play")
    parser.add_argument("--idle", type=int, default=0, help="more tables, at which nobody plays")
    parser.add_argument("--rounds", type=int, default=60, help="without --rate: clicks at each table")
    parser.add_argument("--rate", type=float, help="clicks a second, over all tables")
    parser.add_argument("--uneven", action="store_true", help="with --rate: at random moments and tables")
    parser.add_argument("--seconds", type=float, default=30.0, help="with --rate: for how long")
    with real_time():
        asyncio.run(run(parser.parse_args()))
