"""All ratings computed anew from the results, with the same outcome as game by game."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine import ratings
from engine.errors import Refusal
from engine.ratings import Contestant, Rating
from engine.storage.damage import reading, text
from engine.storage.database import Database
from engine.storage.kinds import Kind
from engine.storage.results import SOUND, add_up

log = logging.getLogger(__name__)

_WHOLE = ("guild", "lowest", "person", "number", "people", "place", "won", "points", "deals", "moons")
#: Which results are damaged: that a time is none shows in the month that is read from it.
_DAMAGED = " OR ".join(
    [
        "strftime('%Y%m', ended_at, 'unixepoch') IS NULL",
        *(f"typeof({column}) <> 'integer'" for column in _WHOLE),
        "(people > 1 AND (typeof(experience) <> 'real' OR NOT experience BETWEEN 0 AND 1e9))",
        "(people > 1 AND (typeof(met) <> 'integer' OR met < 0))",
    ]
)
#: Server, game, whether the lowest total wins, and person.
Whose = tuple[int, str, int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A person's rating at a kind of game in a server, as it was and computed anew."""

    guild: int
    person: int
    kind: Kind
    before: Rating | None  # where it had never been computed
    after: Rating


@dataclass(frozen=True, slots=True)
class _Row:
    """What is stored of one person's part in a ranked game."""

    table: int
    whose: Whose
    place: int
    deals: int
    experience: float
    met: int
    before: Rating | None
    after: Rating | None

    @property
    def is_strangers(self) -> bool:
        return self.whose[-1] < 0


async def prepare(database: Database) -> None:
    """See that there are ratings and sound standings: results from before there were any have none.

    Where that fails it is in the log, and tried again at the next start: games can go on without.
    """
    [(is_missing, is_damaged)] = await database.read(
        f"""SELECT EXISTS (SELECT 1 FROM results) AND NOT EXISTS (SELECT 1 FROM standings),
            EXISTS (SELECT 1 FROM standings WHERE ({SOUND}) IS NOT TRUE)"""
    )
    if is_damaged:
        log.warning("damaged standings are added up anew from the results")
    if is_missing or is_damaged:
        with suppress(Refusal):
            await database.write(rate_anew)


def rate_anew(connection: sqlite3.Connection) -> list[Outcome]:
    """Compute every rating and all standings from the results.

    What a stranger brought to a game stays as it is: nothing tells what else they played.
    """
    with reading("a result"):
        return _rate_anew(connection)


def _rate_anew(connection: sqlite3.Connection) -> list[Outcome]:
    for (table,) in connection.execute(f"SELECT table_id FROM results WHERE {_DAMAGED}"):
        raise ValueError(f"a number of a result of table {table!r} is none")
    was: dict[Whose, Rating | None] = {}
    now: dict[Whose, Rating] = {}
    for game in _ranked_games(connection):
        brought = [
            (row.before if row.is_strangers else None) or now.get(row.whose, ratings.NEW) for row in game
        ]
        people = [
            Contestant(row.place, before, row.experience, row.met)
            for row, before in zip(game, brought, strict=True)
        ]
        rated = ratings.rate_game(people, max(row.deals for row in game))
        for row, before, after in zip(game, brought, rated, strict=True):
            if row.is_strangers:
                continue
            was[row.whose], now[row.whose] = row.after, after
            if (row.before, row.after) != (before, after):
                connection.execute(
                    """UPDATE results SET mu_before = ?, sigma_before = ?, mu = ?, sigma = ?
                    WHERE table_id = ? AND person = ?""",
                    (before.mu, before.sigma, after.mu, after.sigma, row.table, row.whose[-1]),
                )
    connection.execute("DELETE FROM standings")
    add_up(connection)
    return [
        Outcome(guild, person, Kind(game, bool(lowest)), was[guild, game, lowest, person], after)
        for (guild, game, lowest, person), after in now.items()
    ]


def _ranked_games(connection: sqlite3.Connection) -> Iterator[list[_Row]]:
    """The results of each game with two or more people, in the order in which the games ended."""
    rows = connection.execute(
        """SELECT number, table_id, guild, game, lowest, person, place, deals, experience, met,
            mu_before, sigma_before, mu, sigma
        FROM results WHERE people > 1 ORDER BY number"""
    ).fetchall()
    for _, game in groupby(rows, key=lambda row: row[0]):
        yield list(_parts(game))


def _parts(game: Iterable[tuple[Any, ...]]) -> Iterator[_Row]:
    for _, table, guild, name, lowest, person, place, deals, experience, met, *rated in game:
        before, after = (None if mu is None else Rating(mu, sigma) for mu, sigma in (rated[:2], rated[2:]))
        whose = (guild, text(name), lowest, person)
        yield _Row(table, whose, place, deals, experience, met, before, after)
