"""How long it takes to read results: `python -m tests.bench.standings [--results 100000] [--people 2000]`.

They are one server's over three years, stored by the version before ratings: first it times the migration
with the first computation of ratings, then recomputing them. Then it prints, in milliseconds, the median and
the worst time of each read by /hearts leaderboard and /hearts stats, and of storing a game.
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
from datetime import date
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from bot.standings.handlers import rivals, stats
from bot.standings.leaderboards import LINES_A_PAGE
from engine.languages import ENGLISH
from engine.storage import results as storage
from engine.storage.database import Database
from engine.storage.results import GameKind, Result, recompute_ratings
from engine.storage.standings import Board, Order, Period, board_page, boards_of
from engine.tables import DailyDeals, Person

SERVER = 10**18
#: The frequencies of kinds: most games are of one kind, as in a server that has found its game.
KINDS = {GameKind("classic", True): 80, GameKind("chinese", False): 15, GameKind("wikibooks", True): 5}
THREE_YEARS = 3 * 365 * 86400
NOW = time.time()
TODAY = date.today().isoformat()


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
        await timed("write: a game of four", lambda: database.write(write), times)
        await database.close()
        sys.stdout.write(f"the slowest read took {max(worst):.1f} ms\n")


def reads(database: Database, people: int, times: int) -> list[Awaitable[float]]:
    """All reads, for someone in the middle and for the person who has played most."""
    busiest, middle = SERVER, SERVER + people // 2
    found = [timed("/hearts leaderboard: which there are", lambda: boards_of(database, SERVER), times)]
    for kind, order, period in product(KINDS, Order, Period):
        for first in (0, people // 2) if period is Period.EVER else (0,):
            name = f"/hearts leaderboard: {kind.game}, {order.value}, {period.value}, from {first}"
            found.append(timed(name, page(database, Board(kind, True, order, period), middle, first), times))
    alone = Board(GameKind("classic", True), ranked=False)
    found.append(timed("/hearts leaderboard: classic, alone", page(database, alone, middle, 0), times))
    for who, person in {"busiest": busiest, "middle": middle}.items():
        asker = Person(person, who)
        for kind in KINDS:
            name, named = f"/hearts stats: {who}, {kind.game}", (*asked(database, asker), kind)
            found.append(timed(name, lambda one=named: stats(*one), times))
        against = (*asked(database, asker), Person(SERVER + 1, "rival"))
        found.append(timed(f"/hearts stats: {who}, against", lambda one=against: rivals(*one), times))
    return found


def asked(database: Database, person: Person) -> tuple[Any, Any, Person]:
    """What /hearts stats is given of the bot and of the command, and who asks for their own."""
    services = {Database: database, DailyDeals: SimpleNamespace(today=TODAY)}
    return services, SimpleNamespace(guild=SERVER, user_id=person.id, language=ENGLISH), person


def page(database: Database, board: Board, asker: int, first: int) -> Callable[[], Awaitable[Any]]:
    """Reads a page of this board."""
    return lambda: board_page(database, SERVER, board, NOW, asker, first=first, count=LINES_A_PAGE)


def write(connection: sqlite3.Connection) -> None:
    """The results of one more game of four, with their ratings."""
    cursor = connection.execute(
        """INSERT INTO tables (guild, channel, state, opened_at, body, turn)
        VALUES (1, 1, 'over', 0, '{}', '{}')"""
    )
    assert cursor.lastrowid is not None
    storage.insert_results(
        connection,
        cursor.lastrowid,
        [
            Result(
                person=SERVER + seat,
                name="Player",
                seat=seat,
                guild=SERVER,
                kind=GameKind("classic", True),
                ended_at=NOW,
                people=4,
                place=seat + 1,
                won=seat == 0,
                left_early=False,
                points=seat,
                deals=7,
            )
            for seat in range(4)
        ],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--times", type=int, default=15, help="to run each read")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.results, arguments.people, arguments.times))
