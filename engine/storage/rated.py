"""What a finished game has made of its people's ratings, as its end tells it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.ratings import Rating
from engine.storage.damage import readable, whole
from engine.storage.database import Database
from engine.storage.results import rating

_RATED = """SELECT results.table_id, results.person, results.mu_before, results.sigma_before, results.mu,
        results.sigma, standings.games
    FROM results JOIN standings USING (guild, game, lowest, person)
    WHERE standings.period = 0 AND standings.ranked AND results.mu IS NOT NULL AND results.table_id """


@dataclass(frozen=True, slots=True)
class Rated:
    """A person's rating before a game and after it, and how many ranked games of its kind they have had."""

    person: int
    before: Rating
    after: Rating
    games: int


def at_table(connection: sqlite3.Connection, table: int) -> tuple[Rated, ...]:
    """Those of the game that has just ended there; nothing damaged."""
    return tuple(_read(connection.execute(f"{_RATED} = ?", (table,))).get(table, ()))


async def unseen(database: Database) -> dict[int, list[Rated]]:
    """The same of each table whose end nobody has seen."""
    return _read(await database.read(f"{_RATED} IN (SELECT id FROM tables WHERE NOT end_seen)"))


def _read(rows: Iterable[Any]) -> dict[int, list[Rated]]:
    found: dict[int, list[Rated]] = {}
    for table, one in readable("the ratings after table {0}", rows, _rated):
        found.setdefault(table, []).append(one)
    return found


def _rated(table: Any, person: Any, *figures: Any) -> tuple[int, Rated]:
    mu_before, sigma_before, mu, sigma, games = figures
    return whole(table), Rated(
        whole(person), rating(mu_before, sigma_before), rating(mu, sigma), whole(games)
    )
