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
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from bot.standings.leaderboards import LINES_A_PAGE
from engine.storage.database import Database
from engine.storage.results import GameKind, recompute_ratings
from engine.storage.standings import Board, Order, Period, board_page, boards_of

SERVER = 10**18
#: The frequencies of kinds: most games are of one kind, as in a server that has found its game.
KINDS = {GameKind("classic", True): 80, GameKind("chinese", False): 15, GameKind("wikibooks", True): 5}
THREE_YEARS = 3 * 365 * 86400
NOW = time.time()


def write_results(path: Path, results: int, people: int) -> None:
    """Write a database with this many results, in which some people have played far more than others."""
    rng = Random(1)
    ids = [SERVER + number for number in range(people)]
    often = [1 / (1 + number / 20) for number in range(people)]
    tables: list[tuple[int, float]] = []
    rows: list[tuple[Any, ...]] = []
    while len(rows) < results:
        table = len(tables) + 1
        seated = sorted(set(rng.choices(ids, often, k=rng.choice([1, 2, 3, 4, 4, 4]))))
        [kind] = rng.choices([*KINDS], [*KINDS.values()])
        points = [rng.randrange(100) for _ in seated]
        ended_at = NOW - THREE_YEARS * (1 - len(rows) / results)
        best = (min if kind.lowest else max)(points)
        for seat, (one, total) in enumerate(zip(seated, points, strict=True)):
            whose = (table, seat, SERVER, one, f"Player {one % SERVER}", kind.game, kind.lowest)
            place = 1 + sum((other < total) == kind.lowest and other != total for other in points)
            rows.append((*whose, total == best, total, table, ended_at, len(seated), place))
        tables.append((table, ended_at))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            """INSERT INTO tables (id, guild, channel, state, opened_at, end_seen, body, turn)
            VALUES (?, 1, 1, 'over', ?, 1, '{}', '{}')""",
            tables,
        )
        connection.executemany(
            """INSERT INTO results (table_id, seat, guild, person, name, game, lowest, won, points, number,
                ended_at, people, place, gone, deals, moons, queens, queens_given, par_deals, par_gain,
                par_squares, weight, experience, met)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 7, 0, 0, 0, 0, 0.0, 0.0, 1.0, 0.0, 0)""",
            rows,
        )


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
        path = Path(folder) / "hearts.sqlite3"
        await (await Database.open(path)).close()
        write_results(path, results, people)
        sys.stdout.write(f"{results} results of {people} people{'milliseconds':>30}\n")
        database = await Database.open(path)
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
