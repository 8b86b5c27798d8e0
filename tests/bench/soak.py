"""Memory during long play: `python -m tests.bench.soak [--minutes 40] [--tables 20]`.

People click at `--rate`, look at all kinds of pages, and start a rematch when their game is over. The
simulated Discord forgets what the real one would store elsewhere, so that only the bot grows.

Each minute it prints the resident memory of the process and the number of objects after a garbage collection,
as the simulation leaves much garbage of its own, and the number of clicks.
"""

import argparse
import asyncio
import gc
import logging
import resource
import sys
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


class Soak(Load):
    """People who play on and on."""

    def __init__(self, load: Load) -> None:
        super().__init__(load.env, load.bot, load.tables)
        self.rng = Random(1)

    async def next(self, place: int) -> Click | None:
        """The next click of the game or out of curiosity; a game that is over has its rematch."""
        table = self.tables[place]
        if self.rng.randrange(CURIOUS) == 0:
            return self._curious(table)
        try:
            return await super().next(place)
        except Refusal:  # it is over
            with self.env._bot_scope():
                self.tables[place] = await self._rematch(table)
            return None

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

    def forget(self) -> None:
        """Have the simulation and the measurements keep no more than they need."""
        backend = self.env.backend
        self.start()
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
    out = sys.stdout
    async with seated(arguments.tables, ends_at=ENDS_AT) as load:
        soak = Soak(load)
        for minute in range(1, arguments.minutes + 1):
            await soak.steadily(arguments.rate, arguments.minute)
            clicks = len(soak.sent)
            soak.forget()
            gc.collect()
            out.write(f"minute {minute}: {resident():.1f} MiB, {len(gc.get_objects())} objects; ")
            out.write(f"{clicks} clicks\n")
            out.flush()


def resident() -> float:
    """This process's resident memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024**2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=40)
    parser.add_argument("--minute", type=float, default=60.0, help="seconds between two lines")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rate", type=float, default=20.0, help="clicks a second, over all tables")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
