"""Memory during long play: `python -m tests.bench.soak [--minutes 40] [--tables 20]`.

People click at `--rate`, look at all kinds of pages, and start a rematch when their game is over. The
simulated Discord forgets what the real one would store elsewhere, so that only the bot grows.

Each minute it prints the resident memory of the process, the number of objects, of tasks and of ended tables
that are still being shown, after a garbage collection, as the simulation leaves much garbage of its own. At
the end it prints the kinds of objects that have increased since the first minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

from simcord.backend.cdn import CDN_BASE

from engine.errors import Refusal
from engine.tables import Person, Table, changes
from tests.bench.load import Click, Load, controls_of, seated

#: How many messages of each channel, and seconds of anything else, the simulated Discord remembers.
MESSAGES, REMEMBERED = 12, 5 * 60.0
#: One click in this many is out of curiosity, on one of these controls.
CURIOUS, CURIOSITIES = (
    10,
    ("hand", "watch", "look", "rules", "learn", "page", "review", "check", "replay", "step"),
)
#: The points that end a game: these are five deals.
ENDS_AT = 30
#: Minutes after which memory should stay constant.
SETTLED = 10


class Soak:
    """People who play on and on."""

    def __init__(self, load: Load) -> None:
        self.load, self.env, self.bot = load, load.env, load.bot
        self.rng = Random(1)
        self.clicks, self.games = 0, 0

    @property
    def ended(self) -> int:
        """The number of ended tables whose messages are still in the queues' care."""
        posts = self.bot.delivery.posts
        live = {table.id for table in self.bot.tables.live}
        return len({one.table for one in posts.registry.values} - live)

    async def play(self, rate: float, seconds: float) -> None:
        """Click this many times a second for this long."""
        began = time.perf_counter()
        number, at = 0, began
        while at < began + seconds:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            await self._click(number % len(self.load.tables))
            number += 1
            at = max(at + 1 / rate, time.perf_counter() - 1)  # drops clicks that couldn't be made in time
        self._forget()

    async def _click(self, place: int) -> None:
        table = self.load.tables[place]
        try:
            click = self._curious(table) if self.rng.randrange(CURIOUS) == 0 else self.load.next(table)
        except Refusal:  # it is over
            with self.env._bot_scope():
                self.load.tables[place] = await self._rematch(table)
            self.games += 1
            return
        if click:
            self.load.send(click)
            self.clicks += 1

    async def _rematch(self, table: Table) -> Table:
        host = next(Person(seat.person, seat.name) for seat in table.seats if seat.person)
        lobby = self.bot.tables.in_channel(table.channel) or await self.bot.tables.rematch(table.id, host)
        return await self.bot.tables.change(lobby.id, changes.start, lobby.host)

    def _curious(self, table: Table) -> Click | None:
        """A click on something that someone at the table sees and that plays nothing."""
        person = self.rng.choice([seat.person for seat in table.seats if seat.person])
        channel = self.rng.choice([table.channel, self.env.backend.get_dm_channel(person).id])
        seen = self.env.backend.messages.get(channel, {})
        found = [
            Click(person, message, custom_id)
            for message in seen.values()
            for custom_id in controls_of(message.components)
            if custom_id.split(":")[1] in CURIOSITIES
        ]
        return self.rng.choice(found) if found else None

    def _forget(self) -> None:
        """Have the simulation and the load's measurements keep no more than they need."""
        backend = self.env.backend
        self.load.start()
        for messages in backend.messages.values():
            for id in sorted(messages)[:-MESSAGES]:
                del messages[id]
        since = backend.snowflake() - (int(REMEMBERED * 1000) << 22)
        for id in [id for id in backend.interactions if id < since]:
            del backend.interactions[id]
        for token in [token for token, id in backend.interaction_tokens.items() if id < since]:
            del backend.interaction_tokens[token]
        backend._reserved_ids = {id for id in backend._reserved_ids if id > since}
        backend._sequences = {at: used for at, used in backend._sequences.items() if at > since >> 22}
        attachments = f"{CDN_BASE}/attachments/"
        for url in [url for url in backend.cdn._blobs if url.startswith(attachments)]:
            del backend.cdn._blobs[url]


async def run(arguments: argparse.Namespace) -> None:
    """Play and print."""
    out = sys.stdout
    async with seated(arguments.tables, ends_at=ENDS_AT) as load:
        soak, kinds = Soak(load), Counter[str]()
        for minute in range(1, arguments.minutes + 1):
            await soak.play(arguments.rate, arguments.minute)
            gc.collect()
            out.write(f"minute {minute}: {resident():.1f} MiB, {len(gc.get_objects())} objects, ")
            out.write(f"{len(asyncio.all_tasks())} tasks, {soak.ended} ended tables; ")
            out.write(f"{soak.clicks} clicks, {soak.games} games over\n")
            out.flush()
            if minute == min(SETTLED, arguments.minutes // 2):
                kinds = _kinds(gc.get_objects())
        out.write("more than after the first minutes:\n")
        for kind, more in (_kinds(gc.get_objects()) - kinds).most_common(20):
            out.write(f"  {more}  {kind}\n")


def resident() -> float:
    """This process's resident memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024**2


def _kinds(objects: Iterable[object]) -> Counter[str]:
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in objects)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=40)
    parser.add_argument("--minute", type=float, default=60.0, help="seconds between two lines")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rate", type=float, default=20.0, help="clicks a second, over all tables")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
