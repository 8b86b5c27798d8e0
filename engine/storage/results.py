"""Results of finished games: written with the ratings after them, and added up for the boards.

A row of `results` is one person's game, the `number`-th that ended. A person below 0 is a stranger, somebody
who has had everything about them deleted: a different number in each game, so nothing links their games.

In a ranked game a row keeps all that its rating follows from: the place, the rating before, and the
`experience` and the meetings (`met`) that decide what the game counts for (see `engine.ratings.Contestant`).
They are written once, when the game ends: later nothing tells which people a stranger had met."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Annotated, Any

from engine import ratings
from engine.errors import Refusal
from engine.play.achievements import Career
from engine.ratings import REMEMBERED, Contestant, Rating, length
from engine.rules.presets import PRESETS
from engine.storage.damage import readable, reader, reading, real, text, whole
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: More than any rating comes to, and less than what breaks the library that rates.
_NO_RATING = 1_000
#: More than anyone's gains on par, and the squares of these, ever add up to.
_MOST_GAIN = 1e15
_WHOLE_IN_STANDINGS = (
    "guild",
    "period",
    "lowest",
    "ranked",
    "person",
    "games",
    "wins",
    "points",
    "deals",
    "moons",
    "par_deals",
)
#: The standings that can be added to: others stay as they are until all are recomputed.
SOUND = " AND ".join(
    [
        *(f"typeof(standings.{column}) = 'integer'" for column in _WHOLE_IN_STANDINGS),
        f"standings.par_gain BETWEEN -{_MOST_GAIN} AND {_MOST_GAIN}",
        f"standings.par_squares BETWEEN 0 AND {_MOST_GAIN}",
        f"standings.weight BETWEEN 0 AND {_MOST_GAIN}",
        f"standings.counted_wins BETWEEN 0 AND {_MOST_GAIN}",
        f"standings.counted_points BETWEEN -{_MOST_GAIN} AND {_MOST_GAIN}",
        f"standings.counted_deals BETWEEN 0 AND {_MOST_GAIN}",
        "(standings.deals > 0 OR (standings.deals = 0 AND standings.points = 0))",
        f"""(NOT standings.ranked OR (standings.mu BETWEEN -{_NO_RATING} AND {_NO_RATING}
            AND standings.sigma > 0 AND standings.sigma < {_NO_RATING}))""",
    ]
)
_WHOLE_IN_RESULTS = (
    "guild",
    "lowest",
    "person",
    "number",
    "people",
    "place",
    "won",
    "points",
    "deals",
    "moons",
    "par_deals",
)
#: The results that are damaged; a damaged time shows in the month that is read from it.
_DAMAGED = " OR ".join(
    [
        "strftime('%Y%m', ended_at, 'unixepoch') IS NULL",
        *(f"typeof({column}) <> 'integer'" for column in _WHOLE_IN_RESULTS),
        f"NOT par_gain BETWEEN -{_MOST_GAIN} AND {_MOST_GAIN}",
        f"NOT par_squares BETWEEN 0 AND {_MOST_GAIN}",
        "NOT weight BETWEEN 0 AND 1",
        "(people > 1 AND (typeof(experience) <> 'real' OR NOT experience BETWEEN 0 AND 1e9))",
        "(people > 1 AND (typeof(met) <> 'integer' OR met < 0))",
    ]
)
#: Games in which earlier meetings are looked for: one more meeting counts for nothing anyway.
_LATEST = 50
#: More than any number of a game, and less than the numbers that SQLite no longer counts one by one.
_NO_NUMBER = 1 << 53
_RATED = """SELECT results.table_id, results.person, results.mu_before, results.sigma_before, results.mu,
        results.sigma, standings.games
    FROM results JOIN standings USING (guild, game, lowest, person)
    WHERE standings.period = 0 AND standings.ranked AND results.mu IS NOT NULL AND results.table_id """
#: Server, game, whether the lowest total wins, and person.
Whose = tuple[int, str, int, int]


def _game(name: Any) -> str:
    if text(name) not in PRESETS:
        raise ValueError(f"no game is called {name!r}")
    return str(name)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game: a preset, and which way it is won. Points of different kinds do not compare."""

    game: Annotated[str, _game]
    lowest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One person's result in one finished game; a game with two or more people is ranked."""

    person: int
    name: str
    seat: int  # the one they had, or had last
    guild: int
    kind: Kind
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
    queens_given: int = 0  # queens of spades that this person played and somebody else took
    par_deals: int = 0  # those of the deals that have a par
    par_gain: float = 0.0  # the sum of their gains on it: see engine.play.par
    par_squares: float = 0.0  # the sum of the squares of these


def parse_rating(mu: Any, sigma: Any) -> Rating:
    """The rating that these columns hold; ValueError or TypeError if they are damaged."""
    if not (abs(mu) < _NO_RATING and 0 < sigma < _NO_RATING):
        raise ValueError(f"a rating of {mu!r} with a doubt of {sigma!r}")
    return Rating(mu, sigma)


def average_of(points: int, deals: int) -> float | None:
    """Points a deal; None without a deal. ValueError for points that no deal can have brought."""
    if deals < 0 or (points and not deals):
        raise ValueError(f"{points} points in {deals} deals")
    return points / deals if deals else None


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
            mu = excluded.mu, sigma = excluded.sigma WHERE {SOUND}""",
        values,
    )


def _next_number(connection: sqlite3.Connection) -> int:
    """The number after the last game's, whatever a damaged column holds."""
    last = connection.execute(
        "SELECT CAST(number AS INTEGER) FROM results WHERE number < ? ORDER BY number DESC LIMIT 1",
        (_NO_NUMBER,),
    )
    return next((number + 1 for (number,) in last), 1)


def _contestant(connection: sqlite3.Connection, result: Result, others: Sequence[Result]) -> Contestant:
    """What is known of this person before the game; a newcomer's if it is damaged, so that it can end."""
    experience, met = 0.0, 0
    with suppress(Refusal), reading("what somebody has played before"):
        experience, met = _played_before(connection, result, [one.person for one in others])
    return Contestant(result.place, _rating_before(connection, result), experience, met)


def _rating_before(connection: sqlite3.Connection, result: Result) -> Rating:
    rows = connection.execute(
        """SELECT mu, sigma FROM standings
        WHERE guild = ? AND period = 0 AND game = ? AND lowest = ? AND ranked AND person = ?""",
        (result.guild, result.kind.game, result.kind.lowest, result.person),
    )
    with suppress(Refusal), reading("somebody's rating before a game"):
        return next((parse_rating(mu, sigma) for mu, sigma in rows), ratings.NEW)
    return ratings.NEW


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
        return real(experience) + length(whole(deals)), met
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
    """The ratings of the game that has just ended at this table; nothing damaged."""
    return tuple(_read_rated(connection.execute(f"{_RATED} = ?", (table,))).get(table, ()))


async def unseen_ratings(database: Database) -> dict[int, list[Rated]]:
    """The ratings after the game of each table whose end nobody has seen."""
    return _read_rated(await database.read(f"{_RATED} IN (SELECT id FROM tables WHERE NOT end_seen)"))


async def ratings_at(database: Database, table: int) -> list[Rated]:
    """The ratings after the game of this table."""
    return _read_rated(await database.read(f"{_RATED} = ?", (table,))).get(table, [])


def _read_rated(rows: Iterable[Any]) -> dict[int, list[Rated]]:
    found: dict[int, list[Rated]] = {}
    for table, one in readable("the ratings after table {0}", rows, _parse_rated):
        found.setdefault(table, []).append(one)
    return found


def _parse_rated(row: Sequence[Any]) -> tuple[int, Rated]:
    table, person, mu_before, sigma_before, mu, sigma, games = row
    return whole(table), Rated(
        whole(person), parse_rating(mu_before, sigma_before), parse_rating(mu, sigma), whole(games)
    )


# All ratings recomputed from the results, with the same outcome as game by game


async def prepare_standings(database: Database) -> None:
    """Compute ratings and standings where they are missing or damaged.

    If that fails it is logged and tried again at the next start: games can go on without.
    """
    [(is_missing, is_damaged)] = await database.read(
        f"""SELECT EXISTS (SELECT 1 FROM results) AND NOT EXISTS (SELECT 1 FROM standings),
            EXISTS (SELECT 1 FROM standings WHERE ({SOUND}) IS NOT TRUE)"""
    )
    if is_damaged:
        log.warning("damaged standings are recomputed from the results")
    if is_missing or is_damaged:
        with suppress(Refusal):
            await database.write(recompute_ratings)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A person's rating at a kind of game in a server, before and after recomputing it."""

    guild: int
    person: int
    kind: Kind
    before: Rating | None  # where it had never been computed
    after: Rating


def recompute_ratings(connection: sqlite3.Connection) -> list[Outcome]:
    """Compute every rating and all standings from the results.

    A stranger's rating before a game stays as it is: nothing tells what else they played.
    """
    with reading("a result"):
        return _recompute(connection)


def _recompute(connection: sqlite3.Connection) -> list[Outcome]:
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
        Outcome(guild, person, Kind(game, bool(lowest)), was[guild, game, lowest, person], after)
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
        whose = (guild, text(name), lowest, person)
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
    with reading(f"somebody's achievements in server {guild}"):
        return [text(id) for (id,) in rows]


async def unseen_achievements(database: Database) -> dict[int, list[tuple[int, str]]]:
    """What was achieved, and by whom, at each table whose end nobody has seen; nothing damaged."""
    rows = await database.read(
        """SELECT table_id, person, achievements.id FROM achievements
        WHERE table_id IN (SELECT id FROM tables WHERE NOT end_seen)"""
    )
    found: dict[int, list[tuple[int, str]]] = {}
    for table, person, id in readable("what was achieved at table {0}", rows, reader(tuple[int, int, str])):
        found.setdefault(table, []).append((person, id))
    return found


async def achievements_at(database: Database, table: int) -> list[tuple[int, str]]:
    """What was achieved, and by whom, at this table; nothing damaged."""
    rows = await database.read("SELECT table_id, person, id FROM achievements WHERE table_id = ?", (table,))
    found = readable("what was achieved at table {0}", rows, reader(tuple[int, int, str]))
    return [(person, id) for _, person, id in found]


def career_of(connection: sqlite3.Connection, guild: int, person: int) -> Career:
    """What this person has done in games between people in this server."""
    ranked = "FROM results WHERE person = ?1 AND guild = ?2 AND people > 1"
    [(won_in_a_row, given)] = connection.execute(
        f"""SELECT COUNT(*) FILTER (WHERE number > (SELECT coalesce(MAX(number), 0) {ranked} AND NOT won)),
            TOTAL(queens_given) {ranked}""",
        (person, guild),
    )
    with suppress(Refusal), reading(f"how many queens somebody has given in server {guild}"):
        return Career(won_in_a_row, int(real(given)))
    return Career(won_in_a_row, 0)
