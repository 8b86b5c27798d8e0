"""How long it takes to read results: `python -m tests.bench.standings [--results 100000] [--people 2000]`.

They are one server's over three years. First it times the computation of all ratings, then it prints, in
milliseconds, the median and the worst time of each read by /hearts leaderboard.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
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


async def timed(name: str, work: Callable[[], Awaitable[Any]], times: int = 1) -> float:
    """Print how long this takes in milliseconds; if it runs several times, also the worst."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append(1000 * (time.perf_counter() - began))
    worst = f"{max(took):9.1f}" if times > 1 else ""
    sys.stdout.write(f"{name:52}{statistics.median(took):9.1f}{worst}\n")
    sys.stdout.flush()
    return max(took)


async def main(results: int, people: int, times: int) -> None:
    """Print a line for each."""
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        database = await Database.open(Path(folder) / "hearts.sqlite3")
        await database.write(lambda connection: write_results(connection, results, people))
        sys.stdout.write(f"{results} results of {people} people{'milliseconds':>30}\n")
        await timed("ratings, computed", lambda: database.write(recompute_ratings))
        sys.stdout.write(f"{'':52}{'median':>9}{'worst':>9}\n")
        worst = [await read for read in reads(database, people, times)]
        await database.close()
        sys.stdout.write(f"the slowest read took {max(worst):.1f} ms\n")


def reads(database: Database, people: int, times: int) -> list[Awaitable[float]]:
    """All reads, for someone in the middle."""
    middle = SERVER + people // 2
    found = [timed("/hearts leaderboard: which there are", lambda: boards_of(database, SERVER), times)]
    for kind, order, period in product(KINDS, Order, Period):
        for first in (0, people // 2) if period is Period.EVER else (0,):
            name = f"/hearts leaderboard: {kind.game}, {order.value}, {period.value}, from {first}"
            found.append(timed(name, page(database, Board(kind, True, order, period), middle, first), times))
    alone = Board(GameKind("classic", True), ranked=False)
    found.append(timed("/hearts leaderboard: classic, alone", page(database, alone, middle, 0), times))
    return found


def page(database: Database, board: Board, asker: int, first: int) -> Callable[[], Awaitable[Any]]:
    """Reads a page of this board."""
    return lambda: board_page(database, SERVER, board, NOW, asker, first=first, count=LINES_A_PAGE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--times", type=int, default=15, help="to run each read")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.results, arguments.people, arguments.times))
