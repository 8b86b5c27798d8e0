"""How long a start takes with many games going on: `python tests/bench/resume.py [--tables 1000]`."""

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

sys.path.insert(0, str(Path(__file__).parents[2]))

from bot.announcer import hand_of
from bot.render.board import board
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Person, Tables

ANN = Person(1, "Ann")
DEALS = 5


async def play(path: Path) -> None:
    """A game in its fifth deal."""
    database = await Database.open(path)
    tables = Tables(database, rng=Random(3))
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4, {"ends_at": 500}))
    table = await tables.start(table.id, ANN.id)
    rng = Random(4)
    while table.game is not None and len(table.game.deals) < DEALS:
        move = random_move(seat_view(table.game, 0), rng)
        table = await tables.act(table.id, ANN.id, lambda seat, move=move: move)
    await tables.close()
    await database.close()


def multiply(path: Path, count: int) -> int:
    """The same game in so many channels; returns how many moves each has."""
    with closing(sqlite3.connect(path)) as connection, connection:
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(tables)")]
        rest = ", ".join(column for column in columns if column not in ("id", "channel"))
        for id in range(2, count + 1):
            connection.execute(
                f"INSERT INTO tables (id, channel, {rest}) SELECT ?, ?, {rest} FROM tables WHERE id = 1",
                (id, id),
            )
            for name, kept in (("seats", "seat, person, name, away, missed"), ("moves", "number, move")):
                connection.execute(
                    f"INSERT INTO {name} SELECT ?, {kept} FROM {name} WHERE table_id = 1", (id,)
                )
        [(moves,)] = connection.execute("SELECT COUNT(*) FROM moves WHERE table_id = 1")
    return int(moves)


async def run(count: int) -> None:
    """Print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hearts.sqlite3"
        await play(path)
        moves = multiply(path, count)
        database = await Database.open(path)
        began = time.perf_counter()
        tables = await Tables(database).resume()
        resumed = time.perf_counter()
        for table in tables:
            list(board(table.public))
            hand_of(table, ANN.id)
        rendered = time.perf_counter()
        await database.close()
    sys.stdout.write(f"{len(tables)} games of {moves} moves: {resumed - began:.1f} s to take them up, ")
    sys.stdout.write(f"{rendered - resumed:.1f} s to render what each shows\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    asyncio.run(run(parser.parse_args().tables))
