"""Results of finished games, stored with the ratings after them and added up for leaderboards.

A row of `results` is one person's game, the `number`-th that ended. A negative person is a stranger, someone
who deleted their data: a different number in each game, so that nothing links their games.

In a ranked game, a row keeps everything that its rating follows from: the place, the rating before, and the
`experience` and the meetings (`met`) that decide what the game counts for (see `engine.ratings.Contestant`).
They are written once, when the game ends: later, there is no telling whom a stranger had met.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from engine import ratings
from engine.play.achievements import Career
from engine.ratings import REMEMBERED, Contestant, Rating, length
from engine.storage.database import Database

#: The latest games in which earlier meetings are counted: after so many, one more makes no difference.
_LATEST = 50
_RATED = """SELECT results.table_id, results.person, results.mu_before, results.sigma_before, results.mu,
        results.sigma, standings.games
    FROM results JOIN standings USING (guild, game, lowest, person)
    WHERE standings.period = 0 AND standings.ranked AND results.mu IS NOT NULL AND results.table_id """
#: A rating belongs to a server, a game, whether the lowest total wins, and a person.
RatingKey = tuple[int, str, int, int]


@dataclass(frozen=True, slots=True)
class GameKind:
    """A preset, and whether the lowest total wins. Points of different kinds don't compare."""

    game: str
    lowest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One person's result in one finished game; a game with two or more people is ranked."""

    person: int
    name: str
    seat: int  # their present or last one
    guild: int
    kind: GameKind
    ended_at: float  # seconds since 1970
    people: int  # the number of people with a result in this game
    place: int  # from 1 among them; ties share a place, and players who left early come last
    won: bool  # the whole game, against computers too; never for players who left early
    left_early: bool  # left for good before the end
    points: int
    deals: int  # finished while they played; 0 for those who left in the first
    best: int | None = None  # points in their best and worst deals; unknown in old games
    worst: int | None = None
    moons: int = 0
    queens: int = 0  # queens of spades taken
    queens_given: int = 0  # queens of spades that this person played and someone else took
    par_deals: int = 0  # how many of these deals have a par
    par_gain: float = 0.0  # the sum of their gains on par: see engine.play.par
    par_squares: float = 0.0  # the sum of the squares of the gains


# Writing a game's results


def insert_results(connection: sqlite3.Connection, table: int, results: Sequence[Result]) -> None:
    """Store a game's results and the ratings after it, in the transaction of the move that ended it."""
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
    """Add this table's results, or all results, to the standings."""
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
    """The number of the next game to end; ignores damaged rows."""
    last = connection.execute("SELECT number FROM results WHERE number > 0 ORDER BY number DESC LIMIT 1")
    return next((number + 1 for (number,) in last), 1)


def _contestant(connection: sqlite3.Connection, result: Result, others: Sequence[Result]) -> Contestant:
    """This person's rating and history before the game."""
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
    """This person's experience and number of recent meetings with these people, at this kind of game."""
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
    """The columns that only ranked games fill."""
    return before.experience, before.met, before.rating.mu, before.rating.sigma, after.mu, after.sigma


# Ratings to show at the end of a game


@dataclass(frozen=True, slots=True)
class Rated:
    """A person's rating before and after a game, and the number of their ranked games of its kind."""

    person: int
    before: Rating
    after: Rating
    games: int


def rated_at(connection: sqlite3.Connection, table: int) -> tuple[Rated, ...]:
    """The ratings before and after the game that has just ended at this table."""
    return tuple(_read_rated(connection.execute(f"{_RATED} = ?", (table,))).get(table, ()))


async def unseen_ratings(database: Database) -> dict[int, list[Rated]]:
    """The ratings before and after each game whose end hasn't been shown, by table."""
    return _read_rated(await database.read(f"{_RATED} IN (SELECT id FROM tables WHERE NOT end_seen)"))


async def ratings_at(database: Database, table: int) -> list[Rated]:
    """The ratings before and after this table's game."""
    return _read_rated(await database.read(f"{_RATED} = ?", (table,))).get(table, [])


def _read_rated(rows: Iterable[Any]) -> dict[int, list[Rated]]:
    by_table: dict[int, list[Rated]] = {}
    for table, person, mu_before, sigma_before, mu, sigma, games in rows:
        one = Rated(person, Rating(mu_before, sigma_before), Rating(mu, sigma), games)
        by_table.setdefault(table, []).append(one)
    return by_table


# Recomputing all ratings from the results, with the same outcome as game by game


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A person's rating at a kind of game in a server, before and after recomputing it."""

    guild: int
    person: int
    kind: GameKind
    before: Rating | None  # None if it had never been computed
    after: Rating


def recompute_ratings(connection: sqlite3.Connection) -> list[RatingChange]:
    """Recompute every rating and all standings from the results; returns all ratings, changed or not.

    A stranger's rating before a game is kept, as there is no telling what else they played.
    """
    old_ratings: dict[RatingKey, Rating | None] = {}
    new_ratings: dict[RatingKey, Rating] = {}
    for game in _ranked_games(connection):
        ratings_before = [
            (row.before if row.is_stranger else None) or new_ratings.get(row.key, ratings.NEW) for row in game
        ]
        people = [
            Contestant(row.place, before, row.experience, row.met)
            for row, before in zip(game, ratings_before, strict=True)
        ]
        deals = max(row.deals for row in game)
        rated, counts = ratings.rate_game(people, deals), ratings.weights(people, deals)
        for row, before, after, weight in zip(game, ratings_before, rated, counts, strict=True):
            if row.is_stranger:
                continue
            old_ratings[row.key], new_ratings[row.key] = row.after, after
            if (row.before, row.after, row.weight) != (before, after, weight):
                connection.execute(
                    """UPDATE results SET weight = ?, mu_before = ?, sigma_before = ?, mu = ?, sigma = ?
                    WHERE table_id = ? AND person = ?""",
                    (weight, before.mu, before.sigma, after.mu, after.sigma, row.table, row.key[-1]),
                )
    connection.execute("DELETE FROM standings")
    add_up_results(connection)
    return [
        RatingChange(
            guild, person, GameKind(game, bool(lowest)), old_ratings[guild, game, lowest, person], after
        )
        for (guild, game, lowest, person), after in new_ratings.items()
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    """One person's stored result of a ranked game."""

    table: int
    key: RatingKey
    place: int
    deals: int
    experience: float
    met: int
    weight: float
    before: Rating | None
    after: Rating | None

    @property
    def is_stranger(self) -> bool:
        return self.key[-1] < 0


def _ranked_games(connection: sqlite3.Connection) -> Iterator[list[_Row]]:
    """The rows of each game with two or more people, in the order in which the games ended."""
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
        key = (guild, name, lowest, person)
        yield _Row(table, key, place, deals, experience, met, weight, before, after)


# Achievements: stored once for each person and server, with the table


def note_achievements(
    connection: sqlite3.Connection, table: int, guild: int, person: int, ids: Iterable[str]
) -> list[str]:
    """Store the achievements that are new to this person in this server; returns their ids."""
    return [id for id in ids if _note_achievement(connection, table, guild, person, id)]


def _note_achievement(connection: sqlite3.Connection, table: int, guild: int, person: int, id: str) -> bool:
    cursor = connection.execute(
        "INSERT OR IGNORE INTO achievements (guild, person, id, table_id) VALUES (?, ?, ?, ?)",
        (guild, person, id, table),
    )
    return cursor.rowcount > 0


async def achievements_of(database: Database, guild: int, person: int) -> list[str]:
    """The ids of this person's achievements in this server."""
    rows = await database.reader.read(
        "SELECT id FROM achievements WHERE guild = ? AND person = ?", (guild, person)
    )
    return [id for (id,) in rows]


async def unseen_achievements(database: Database) -> dict[int, list[tuple[int, str]]]:
    """People and their new achievements at each table whose end hasn't been shown."""
    rows = await database.read(
        """SELECT table_id, person, achievements.id FROM achievements
        WHERE table_id IN (SELECT id FROM tables WHERE NOT end_seen)"""
    )
    by_table: dict[int, list[tuple[int, str]]] = {}
    for table, person, id in rows:
        by_table.setdefault(table, []).append((person, id))
    return by_table


async def achievements_at(database: Database, table: int) -> list[tuple[int, str]]:
    """People and their new achievements at this table."""
    rows = await database.read("SELECT person, id FROM achievements WHERE table_id = ?", (table,))
    return [(person, id) for person, id in rows]


def career_of(connection: sqlite3.Connection, guild: int, person: int) -> Career:
    """What this person has done in this server's games between people, for achievements."""
    ranked = "FROM results WHERE person = ?1 AND guild = ?2 AND people > 1"
    [(won_in_a_row, queens_given)] = connection.execute(
        f"""SELECT COUNT(*) FILTER (WHERE number > (SELECT coalesce(MAX(number), 0) {ranked} AND NOT won)),
            TOTAL(queens_given) {ranked}""",
        (person, guild),
    )
    return Career(won_in_a_row, int(queens_given))
