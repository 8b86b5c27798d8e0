"""Results of finished games: written with the ratings after them, and added up for the boards.

A row of `results` is one person's game, the `number`-th that ended. A person below 0 is a stranger, someone
who has had everything about them deleted: a different number in each game, so nothing links their games.

In a ranked game a row keeps all that its rating follows from: the place, the rating before, and the
`experience` and the meetings (`met`) that decide what the game counts for (see `engine.ratings.Contestant`).
They are written once, when the game ends: later nothing tells which people a stranger had met."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from engine import ratings
from engine.play.achievements import Career
from engine.ratings import REMEMBERED, Contestant, Rating, length
from engine.storage.database import Database

#: Games in which earlier meetings are looked for: one more meeting counts for nothing anyway.
_LATEST = 50
_RATED = """SELECT results.table_id, results.person, results.mu_before, results.sigma_before, results.mu,
        results.sigma, standings.games
    FROM results JOIN standings USING (guild, game, lowest, person)
    WHERE standings.period = 0 AND standings.ranked AND results.mu IS NOT NULL AND results.table_id """
#: Server, game, whether the lowest total wins, and person.
Whose = tuple[int, str, int, int]


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of game: a preset, and which way it is won. Points of different kinds do not compare."""

    game: str
    lowest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One person's result in one finished game; a game with two or more people is ranked."""

    person: int
    name: str
    seat: int  # the one they had, or had last
    guild: int
    kind: GameKind
    ended_at: float  # seconds since 1970
    people: int  # the number of people that the game has results of
    place: int  # from 1 among these; those level share a place, and players who left early come last
    won: bool  # the whole game, against computers too; never for players who left early
    left_early: bool  # left for good before the end
    points: int
    deals: int  # done while they played; none for who left in the first
    best: int | None = None  # the points of the best deal, and of the worst; unknown in old games
    worst: int | None = None
    moons: int = 0
    queens: int = 0  # queens of spades taken
    queens_given: int = 0  # queens of spades that this person played and someone else took
    par_deals: int = 0  # those of the deals that have a par
    par_gain: float = 0.0  # the sum of their gains on it: see engine.play.par
    par_squares: float = 0.0  # the sum of the squares of these


# Writing a game's results


def insert_results(connection: sqlite3.Connection, table: int, results: Sequence[Result]) -> None:
    """The results of a game with the ratings after it, written with the move that ended it."""
    number = _next_number(connection)
    is_ranked = len(results) > 1
    people = [_contestant(connection, one, results) for one in results]
    deals = max([one.deals for one in results], default=0)
    rated = ratings.rate_game(people, deals) if is_ranked else []
    counts = ratings.weights(people, deals)
    people = people if is_ranked else []
    connection.executemany(
        """INSERT INTO results (table_id, number, person, name, seat, guild, game, lowest, ended_at, people,
            place, won, gone, points, deals, best, worst, moons, queens, queens_given,
            par_deals, par_gain, par_squares, weight, experience, met, mu_before, sigma_before, mu, sigma)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                table,
                number,
                one.person,
                one.name,
                one.seat,
                one.guild,
                one.kind.game,
                one.kind.lowest,
                one.ended_at,
                one.people,
                one.place,
                one.won,
                one.left_early,
                one.points,
                one.deals,
                one.best,
                one.worst,
                one.moons,
                one.queens,
                one.queens_given,
                one.par_deals,
                one.par_gain,
                one.par_squares,
                weight,
                *(_rating_columns(before, after) if before and after else (None,) * 6),
            )
            for one, weight, before, after in zip_longest(results, counts, people, rated)
        ],
    )
    add_up_results(connection, table)


def add_up_results(connection: sqlite3.Connection, table: int | None = None) -> None:
    """Add the results of this table, or of all, to what each person's have come to."""
    which, values = ("", ()) if table is None else ("AND table_id = ?", (table,))
    connection.execute(
        f"""INSERT INTO standings (guild, period, game, lowest, ranked, person, name, games, wins, points,
            deals, moons, par_deals, par_gain, par_squares, weight, counted_wins, counted_points,
            counted_deals, mu_before, sigma_before, mu, sigma)
        SELECT guild, CAST(substr(strftime('%Y%m', ended_at, 'unixepoch'), 1, digits) AS INTEGER), game,
            lowest, people > 1, person, name, 1, won, points, deals, moons, par_deals, par_gain, par_squares,
            weight, weight * won, weight * points, weight * deals, mu_before, sigma_before, mu, sigma
        FROM results JOIN (SELECT 0 AS digits UNION ALL SELECT 4 UNION ALL SELECT 6)
        WHERE person > 0 {which} ORDER BY number
        ON CONFLICT DO UPDATE SET name = excluded.name, games = games + 1, wins = wins + excluded.wins,
            points = points + excluded.points, deals = deals + excluded.deals, moons = moons + excluded.moons,
            par_deals = par_deals + excluded.par_deals, par_gain = par_gain + excluded.par_gain,
            par_squares = par_squares + excluded.par_squares, weight = weight + excluded.weight,
            counted_wins = counted_wins + excluded.counted_wins,
            counted_points = counted_points + excluded.counted_points,
            counted_deals = counted_deals + excluded.counted_deals,
            mu = excluded.mu, sigma = excluded.sigma""",
        values,
    )


def _next_number(connection: sqlite3.Connection) -> int:
    """The number after the last game's."""
    last = connection.execute("SELECT number FROM results WHERE number > 0 ORDER BY number DESC LIMIT 1")
    return next((number + 1 for (number,) in last), 1)


def _contestant(connection: sqlite3.Connection, result: Result, others: Sequence[Result]) -> Contestant:
    """What is known of this person before the game."""
    experience, met = _played_before(connection, result, [one.person for one in others])
    return Contestant(result.place, _rating_before(connection, result), experience, met)


def _rating_before(connection: sqlite3.Connection, result: Result) -> Rating:
    rows = connection.execute(
        """SELECT mu, sigma FROM standings
        WHERE guild = ? AND period = 0 AND game = ? AND lowest = ? AND ranked AND person = ?""",
        (result.guild, result.kind.game, result.kind.lowest, result.person),
    )
    return next((Rating(mu, sigma) for mu, sigma in rows), ratings.NEW)


def _played_before(
    connection: sqlite3.Connection, result: Result, people: Sequence[int]
) -> tuple[float, int]:
    """This person's experience, and their recent meetings with these people, in games of this kind."""
    rows = connection.execute(
        f"""WITH mine AS MATERIALIZED (
            SELECT number, table_id, ended_at, experience, deals FROM results
            WHERE person = ? AND guild = ? AND game = ? AND lowest = ? AND people > 1
            ORDER BY number DESC LIMIT {_LATEST}
        )
        SELECT experience, deals, (
            SELECT COUNT(*) FROM mine JOIN results AS others USING (table_id)
            WHERE mine.ended_at BETWEEN ? AND ? AND others.person IN ({", ".join("?" * len(people))})
                AND others.person <> ?
        ) FROM mine ORDER BY number DESC LIMIT 1""",
        (
            *(result.person, result.guild, result.kind.game, result.kind.lowest),
            *(result.ended_at - REMEMBERED, result.ended_at + REMEMBERED, *people, result.person),
        ),
    )
    for experience, deals, met in rows:
        return experience + length(deals), met
    return 0.0, 0


def _rating_columns(before: Contestant, after: Rating) -> tuple[float, ...]:
    """The columns that a ranked game fills."""
    return before.experience, before.met, before.rating.mu, before.rating.sigma, after.mu, after.sigma


# Ratings as the end of a game shows them


@dataclass(frozen=True, slots=True)
class Rated:
    """A person's rating before and after a game, and the number of their ranked games of its kind."""

    person: int
    before: Rating
    after: Rating
    games: int


def rated_at(connection: sqlite3.Connection, table: int) -> tuple[Rated, ...]:
    """The ratings of the game that has just ended at this table."""
    return tuple(_read_rated(connection.execute(f"{_RATED} = ?", (table,))).get(table, ()))


async def unseen_ratings(database: Database) -> dict[int, list[Rated]]:
    """The ratings after the game of each table whose end nobody has seen."""
    return _read_rated(await database.read(f"{_RATED} IN (SELECT id FROM tables WHERE NOT end_seen)"))


async def ratings_at(database: Database, table: int) -> list[Rated]:
    """The ratings after the game of this table."""
    return _read_rated(await database.read(f"{_RATED} = ?", (table,))).get(table, [])


def _read_rated(rows: Iterable[Any]) -> dict[int, list[Rated]]:
    found: dict[int, list[Rated]] = {}
    for table, person, mu_before, sigma_before, mu, sigma, games in rows:
        one = Rated(person, Rating(mu_before, sigma_before), Rating(mu, sigma), games)
        found.setdefault(table, []).append(one)
    return found


# All ratings recomputed from the results, with the same outcome as game by game


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A person's rating at a kind of game in a server, before and after recomputing it."""

    guild: int
    person: int
    kind: GameKind
    before: Rating | None  # where it had never been computed
    after: Rating


def recompute_ratings(connection: sqlite3.Connection) -> list[RatingChange]:
    """Compute every rating and all standings from the results.

    A stranger's rating before a game stays as it is: nothing tells what else they played.
    """
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
        deals = max(row.deals for row in game)
        rated, counts = ratings.rate_game(people, deals), ratings.weights(people, deals)
        for row, before, after, weight in zip(game, brought, rated, counts, strict=True):
            if row.is_strangers:
                continue
            was[row.whose], now[row.whose] = row.after, after
            if (row.before, row.after, row.weight) != (before, after, weight):
                connection.execute(
                    """UPDATE results SET weight = ?, mu_before = ?, sigma_before = ?, mu = ?, sigma = ?
                    WHERE table_id = ? AND person = ?""",
                    (weight, before.mu, before.sigma, after.mu, after.sigma, row.table, row.whose[-1]),
                )
    connection.execute("DELETE FROM standings")
    add_up_results(connection)
    return [
        RatingChange(guild, person, GameKind(game, bool(lowest)), was[guild, game, lowest, person], after)
        for (guild, game, lowest, person), after in now.items()
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    """What is stored of one person's part in a ranked game."""

    table: int
    whose: Whose
    place: int
    deals: int
    experience: float
    met: int
    weight: float
    before: Rating | None
    after: Rating | None

    @property
    def is_strangers(self) -> bool:
        return self.whose[-1] < 0


def _ranked_games(connection: sqlite3.Connection) -> Iterator[list[_Row]]:
    """The results of each game with two or more people, in the order in which the games ended."""
    rows = connection.execute(
        """SELECT number, table_id, guild, game, lowest, person, place, deals, experience, met,
            weight, mu_before, sigma_before, mu, sigma
        FROM results WHERE people > 1 ORDER BY number"""
    ).fetchall()
    for _, game in groupby(rows, key=lambda row: row[0]):
        yield list(_parts(game))


def _parts(game: Iterable[tuple[Any, ...]]) -> Iterator[_Row]:
    for _, table, guild, name, lowest, person, place, deals, experience, met, weight, *rated in game:
        before, after = (None if mu is None else Rating(mu, sigma) for mu, sigma in (rated[:2], rated[2:]))
        whose = (guild, name, lowest, person)
        yield _Row(table, whose, place, deals, experience, met, weight, before, after)


# Achievements: what each person has achieved in each server, and at which table


def note_achievements(
    connection: sqlite3.Connection, table: int, guild: int, person: int, ids: Iterable[str]
) -> list[str]:
    """Store which of these achievements are new to this person in this server, and return them."""
    return [id for id in ids if _note_achievement(connection, table, guild, person, id)]


def _note_achievement(connection: sqlite3.Connection, table: int, guild: int, person: int, id: str) -> bool:
    done = connection.execute(
        "INSERT OR IGNORE INTO achievements (guild, person, id, table_id) VALUES (?, ?, ?, ?)",
        (guild, person, id, table),
    )
    return done.rowcount > 0


async def achievements_of(database: Database, guild: int, person: int) -> list[str]:
    """The ids of what this person has achieved in this server."""
    rows = await database.reader.read(
        "SELECT id FROM achievements WHERE guild = ? AND person = ?", (guild, person)
    )
    return [id for (id,) in rows]


async def unseen_achievements(database: Database) -> dict[int, list[tuple[int, str]]]:
    """What was achieved, and by whom, at each table whose end nobody has seen."""
    rows = await database.read(
        """SELECT table_id, person, achievements.id FROM achievements
        WHERE table_id IN (SELECT id FROM tables WHERE NOT end_seen)"""
    )
    found: dict[int, list[tuple[int, str]]] = {}
    for table, person, id in rows:
        found.setdefault(table, []).append((person, id))
    return found


async def achievements_at(database: Database, table: int) -> list[tuple[int, str]]:
    """What was achieved, and by whom, at this table."""
    rows = await database.read("SELECT person, id FROM achievements WHERE table_id = ?", (table,))
    return [(person, id) for person, id in rows]


def career_of(connection: sqlite3.Connection, guild: int, person: int) -> Career:
    """What this person has done in games between people in this server."""
    ranked = "FROM results WHERE person = ?1 AND guild = ?2 AND people > 1"
    [(won_in_a_row, given)] = connection.execute(
        f"""SELECT COUNT(*) FILTER (WHERE number > (SELECT coalesce(MAX(number), 0) {ranked} AND NOT won)),
            TOTAL(queens_given) {ranked}""",
        (person, guild),
    )
    return Career(won_in_a_row, int(given))
