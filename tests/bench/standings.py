"""How long it takes to read results: `python -m tests.bench.standings [--results 100000] [--people 2000]`.

They are one server's over three years. It prints how long all ratings take to compute, and the longest time
of each read by /hearts leaderboard.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from bot.standings.leaderboards import LINES_A_PAGE
from engine.storage.database import Database
from engine.storage.results import GameKind, recompute_ratings
from engine.storage.standings import Board, Order, Period, board_page, boards_of
from tests.storage.results import insert

SERVER = 10**18
#: The frequencies of kinds: most games are of one kind, as in a server that has found its game.
KINDS = {GameKind("classic", True): 80, GameKind("chinese", False): 15, GameKind("wikibooks", True): 5}
THREE_YEARS = 3 * 365 * 86400
NOW = time.time()


def write_results(connection: sqlite3.Connection, results: int, people: int) -> None:
    """Store this many results of games, in which some people have played far more than others."""
    rng = Random(1)
    ids = [SERVER + number for number in range(people)]
    often = [1 / (1 + number / 20) for number in range(people)]
    stored = 0
    while stored < results:
        seated = sorted(set(rng.choices(ids, often, k=rng.choice([1, 2, 3, 4, 4, 4]))))
        [kind] = rng.choices([*KINDS], [*KINDS.values()])
        points = [rng.randrange(100) for _ in seated]
        in_order = sorted(points, reverse=not kind.lowest)
        placed = [(one, 1 + in_order.index(total)) for one, total in zip(seated, points, strict=True)]
        ended_at = NOW - THREE_YEARS * (1 - stored / results)
        insert(connection, *placed, guild=SERVER, kind=kind, ended_at=ended_at, points=points, deals=7)
        stored += len(seated)


async def milliseconds(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)


async def main(results: int, people: int, times: int) -> None:
    out, slowest = sys.stdout.write, 0.0
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        database = await Database.open(Path(folder) / "hearts.sqlite3")
        await database.write(lambda connection: write_results(connection, results, people))
        out(f"{results} results of {people} people\n")
        computing = await milliseconds(lambda: database.write(recompute_ratings))
        out(f"ratings, computed: {computing:.0f} ms\n")
        for name, read in reads(database, people):
            worst = max([await milliseconds(read) for _ in range(times)])
            out(f"{name:40}{worst:9.1f} ms\n")
            slowest = max(slowest, worst)
        await database.close()
    out(f"the slowest read took {slowest:.1f} ms\n")


def reads(database: Database, people: int) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """All reads by /hearts leaderboard, for someone in the middle."""
    yield "which there are", partial(boards_of, database, SERVER)
    boards = [Board(kind, True, order, period) for kind, order, period in product(KINDS, Order, Period)]
    page = partial(board_page, database, SERVER, now=NOW, asker=SERVER + people // 2, count=LINES_A_PAGE)
    for board in (*boards, Board(GameKind("classic", True), ranked=False)):
        kind = board.kind.game if board.ranked else f"{board.kind.game} alone"
        for first in (0, people // 2):
            name = f"{kind}, {board.order.value}, {board.period.value}, from {first}"
            yield name, partial(page, board=board, first=first)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--times", type=int, default=15, help="to run each read")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.results, arguments.people, arguments.times))
