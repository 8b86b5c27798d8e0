"""How long a start takes with many games in progress: `python -m tests.bench.resume [--tables 1000]`.

The bot is started in the simulated Discord twice: as after a kill, when every table has to be shown again,
and as after a clean shutdown. It prints the time from opening the database until clicks are handled, and
until every message is up to date, and the memory per table.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

from simcord.env import Env

from bot.client import HeartsBot
from bot.connection import freeze_heap_after
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Moment, Person, Tables, changes
from engine.thinking import Thinking
from tests.bench.measure import memory, passing, real_time
from tests.uploaded import upload_emojis

ANN = Person(1, "Ann")
DEALS = 5


class Timed(HeartsBot):
    """Records when it could handle clicks."""

    ready_at = 0.0

    async def setup_hook(self) -> None:
        with freeze_heap_after():  # as `python -m bot` does
            await super().setup_hook()
        self.ready_at = time.perf_counter()


async def play(path: Path) -> None:
    """Play a game into its fifth deal."""
    database = await Database.open(path)
    tables = Tables(database, rng=Random(3))
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4, {"ends_at": 500}))
    table = await tables.change(table.id, changes.start, ANN.id)
    rng = Random(4)
    while table.game is not None and len(table.game.deals) < DEALS:
        move = random_move(seat_view(table.game, 0), rng)
        table = await tables.change(
            table.id, changes.act, ANN.id, lambda seat, move=move: move, Moment.of(table.game)
        )
    await tables.close()
    await database.close()


def multiply(path: Path, guild: int, places: list[tuple[int, int]]) -> int:
    """Copy the game into each channel with another person; returns the number of its moves."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for id, (channel, person) in enumerate(places, start=2):
            copy(connection, "tables", "id = 1", id=id, guild=guild, channel=channel)
            connection.execute(
                """UPDATE tables SET body = json_set(body, '$.host', ?1, '$.seats[0].person', ?1)
                WHERE id = ?2""",
                (person, id),
            )
            copy(connection, "moves", "table_id = 1", table_id=id)
            copy(connection, "people", "table_id = 1", table_id=id, person=person)
        connection.execute("UPDATE tables SET state = 'stopped', end_seen = 1 WHERE id = 1")
        [(moves,)] = connection.execute("SELECT COUNT(*) FROM moves WHERE table_id = 1")
    return int(moves)


def copy(connection: sqlite3.Connection, table: str, which: str, **changed: int) -> None:
    """Insert copies of these rows, with some columns changed."""
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    values = [f":{column}" if column in changed else column for column in columns]
    connection.execute(f"INSERT INTO {table} SELECT {', '.join(values)} FROM {table} WHERE {which}", changed)


async def start(env: Env, path: Path, how: str) -> bool:
    """Start the bot on this database, and print; False if the simulation is too slow for it."""
    asked, before, began = len(env.http_requests), memory(), time.perf_counter()
    database = await Database.open(path)
    await upload_emojis(env, database)
    # Without thinking processes: the pars of the finished deals would keep the bot from ever being idle.
    bot = Timed(database, rng=Random(1), shard_count=1, thinking=Thinking(workers=0))
    out = sys.stdout.write
    try:
        await env.restart_bot(bot)
    except TimeoutError:  # it gives a bot five seconds to become idle
        out(f"{how}: {bot.ready_at - began:.1f} s until clicks are taken\n")
        await bot.close()
        return False
    shown = time.perf_counter()
    out(f"{how}: {bot.ready_at - began:.1f} s until clicks are taken, {shown - began:.1f} s until all is ")
    out(f"shown, with {len(env.http_requests) - asked} requests\n")
    out(f"  {(memory() - before) / len(bot.tables.live):.0f} KiB a table, the simulation's share included\n")
    await bot.close()
    return True


async def run(count: int) -> None:
    """Print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hearts.sqlite3"
        await play(path)
        empty = await Database.open(Path(folder) / "empty.sqlite3")
        first = HeartsBot(empty, shard_count=1)
        env = Env(first, settle_timeout=600)
        await upload_emojis(env, empty)
        await env.start()
        guild = env.create_guild("Bench")
        places = []
        for number in range(count):
            user = env.create_user(f"p{number}")
            guild.add_member(user)
            places.append((guild.create_text_channel(f"table-{number}").id, user.id))
        moves = multiply(path, guild.id, places)
        await first.close()
        sys.stdout.write(f"{count} games of {moves} moves\n")
        async with passing(env):
            for how in ("after a kill", "after an orderly stop"):
                if not await start(env, path, how):
                    break
            else:
                await env.shutdown()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    with real_time():
        asyncio.run(run(parser.parse_args().tables))
