"""Many tables at once in the simulated Discord: `python tests/bench/tables.py [--tables 50] [--rounds 60]`.

In each round one person at every table clicks a card at the same moment. Printed are the time from
the click to the bot's answer, and the REST calls for each card that a person plays, by kind.
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

sys.path.insert(0, str(Path(__file__).parents[2]))

import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.env import Env

from bot.client import HeartsBot
from bot.messages import action
from engine.play.deal import Phase
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Person, Table

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
        table = await bot.tables.open(guild.id, channel.id, first, rules)
        for other in others:
            await bot.tables.join(table.id, other)
        tables.append(await bot.tables.start(table.id, first.id))
        await env.settle()
    return tables


async def run(count: int, rounds: int) -> None:
    """Play and print."""
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(Path(folder) / "bench.sqlite3")
        bot = HeartsBot(database, rng=Random(1), shard_count=1)
        async with simcord.run(bot, settle_timeout=60) as env:
            tables = await seat_tables(env, bot, count)
            log = env.backend.http_requests = Timed()
            waits: list[float] = []
            calls: Counter[str] = Counter()
            cards = 0
            began = time.perf_counter()
            for _ in range(rounds):
                sent: dict[int, float] = {}
                for table in tables:
                    wanted = next_click(bot, table)
                    if wanted is None:
                        continue
                    person, custom_id, values = wanted
                    deal = len(bot.tables.get(table.id).game.deals)  # type: ignore[union-attr]
                    place = bot.delivery._places[table.id][f"hand{deal}:{person}"]
                    sent_at = time.perf_counter()
                    sent[click(env, person, place, custom_id, values)] = sent_at
                    cards += custom_id.startswith("hearts:play")
                await env.settle()
                waits += [log.answered[id] - at for id, at in sent.items()]
                for entry in log:
                    line = f"{entry.method} {entry.path}"
                    calls[next(name for pattern, name, _ in KINDS if re.fullmatch(pattern, line))] += 1
                log.clear()
                env.backend.transcript.clear()
            report(waits, calls, cards, time.perf_counter() - began, count)
        await bot.close()


def report(waits: list[float], calls: Counter[str], cards: int, seconds: float, tables: int) -> None:
    """Print the figures."""
    cuts = statistics.quantiles(waits, n=100)
    out = sys.stdout.write
    out(f"{tables} tables, {len(waits)} clicks ({cards} cards) in {seconds:.1f} s\n")
    out(f"{len(waits) / seconds:.0f} clicks/s, all {tables} of a round at the same moment\n")
    out(f"click to answer: median {cuts[49] * 1000:.0f} ms, 99th percentile {cuts[98] * 1000:.0f} ms, ")
    out(f"worst {max(waits) * 1000:.0f} ms\nREST calls per card:\n")
    for _, name, counted in KINDS:
        kind = "bot's token" if counted else "not counted"
        out(f"  {calls[name] / max(cards, 1):.2f}  {name} ({kind})\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=60)
    arguments = parser.parse_args()
    asyncio.run(run(arguments.tables, arguments.rounds))
