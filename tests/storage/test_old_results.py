"""Results from before they told who was placed where: a row for each person, and nothing lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.storage.database import Database
from engine.storage.migrations import MIGRATIONS
from engine.storage.results import Kind, recompute_ratings
from engine.storage.standings import tally_of
from engine.tables import Tables

#: The migrations that ran before.
BEFORE = 10
PEOPLE = range(100, 140)


def write_old(path: Path, games: int) -> dict[int, list[tuple[int, bool, int]]]:
    """A database with so many finished games as it was then; of each the people, who won, and points."""
    rng = Random(1)
    found: dict[int, list[tuple[int, bool, int]]] = {}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("whole_rules", 1, lambda rules: None)
        for statement in (one for migration in MIGRATIONS[:BEFORE] for one in migration):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {BEFORE}")
        for table in range(1, games + 1):
            lowest = bool(table % 3)
            points = [rng.randrange(100) for _ in range(4)]
            best = (min if lowest else max)(points)
            connection.execute(
                """INSERT INTO tables (id, guild, channel, host, rules, state, pace, paused, timer, notice,
                opened_at, end_seen) VALUES (?, 1, 1, 1, '{}', 'over', 'none', 0, 'null', 'null', ?, 1)""",
                (table, 1e9 + 100 * (table ^ 1)),
            )
            rows = [
                (person, total == best, total)
                for person, total in zip(rng.sample(PEOPLE, rng.randrange(1, 5)), points, strict=False)
            ]
            connection.executemany(
                "INSERT INTO results VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, 5, 1)",
                [
                    (table, seat, person, f"P{person}", "classic", lowest, won, total)
                    for seat, (person, won, total) in enumerate(rows)
                ],
            )
            found[table] = rows
    return found


def stored(path: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


async def test_thousands_of_old_results_are_all_there_with_people_and_places(path: Path) -> None:
    games = write_old(path, 1500)
    await (await Database.open(path)).close()
    rows = stored(
        path,
        """SELECT table_id, seat, person, name, lowest, won, points, deals, moons, people, place, gone, best
        FROM results ORDER BY table_id, seat""",
    )
    assert len(rows) == sum(map(len, games.values())) > 3000
    for table, seat, person, name, lowest, won, points, *figures in rows:
        game = games[table]
        assert (person, won, points) == game[seat]
        assert name == f"P{person}"
        better = sum((other < points) if lowest else (other > points) for _, _, other in game)
        assert figures == [5, 1, len(game), 1 + better, 0, None]
    order = [table for (table,) in stored(path, "SELECT DISTINCT table_id FROM results ORDER BY number")]
    assert order == sorted(games, key=lambda table: table ^ 1)  # in which they were opened
    assert stored(path, "SELECT count(DISTINCT number), min(number) FROM results") == [(1500, 1)]
    times = stored(path, "SELECT DISTINCT ended_at - opened_at FROM results JOIN tables ON id = table_id")
    assert times == [(0,)]


@pytest.mark.slow
async def test_old_games_of_two_and_more_are_rated_when_the_bot_starts(path: Path) -> None:
    games = write_old(path, 1500)
    for _ in range(2):  # the second start has nothing to do
        database = await Database.open(path)
        await Tables(database).resume()
        unrated = await database.read("SELECT DISTINCT people FROM results WHERE mu IS NULL")
        assert [tuple(row) for row in unrated] == [(1,)]
        [row] = await database.read("SELECT sum(games), sum(wins) FROM standings WHERE period = 0")
        assert tuple(row) == (
            sum(map(len, games.values())),
            sum(won for game in games.values() for _, won, _ in game),
        )
        outcomes = await database.write(recompute_ratings)
        assert len(outcomes) == 2 * len(PEOPLE)
        assert all(one.before == one.after for one in outcomes)
        await database.close()


async def test_old_statistics_are_what_they_were(path: Path) -> None:
    games = write_old(path, 200)
    database = await Database.open(path)
    person = PEOPLE[3]
    mine = [(table, one) for table, game in games.items() for one in game if one[0] == person]
    for lowest in (True, False):
        kind = Kind("classic", lowest)
        rows = [one for table, one in mine if bool(table % 3) == lowest]
        found = [await tally_of(database, 1, person, kind, ranked=ranked) for ranked in (True, False)]
        records = [one for one in found if one]
        assert sum(one.games for one in records) == len(rows)
        assert sum(one.wins for one in records) == sum(won for _, won, _ in rows)
        assert sum(one.points for one in records) == sum(points for _, _, points in rows)
        assert {one.best for one in records} == {None}
    await database.close()
