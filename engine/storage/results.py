"""Results of finished games: written with the ratings after them, and added up for the boards.

A row of `results` is one person's game, the `number`-th that ended. A person below 0 is a stranger, somebody
who has had everything about them deleted: another in each game, so that nothing tells which games are theirs.

In a ranked game a row keeps all that its rating follows from: the place, the rating before, and the
`experience` and the meetings (`met`) that decide what the game counts for (see `engine.ratings.Contestant`).
They are written when the game ends and never again, as nothing tells later whom a stranger had met.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from engine import ratings
from engine.errors import Refusal
from engine.ratings import REMEMBERED, Contestant, Rating, length
from engine.storage.damage import reading, real, whole
from engine.storage.kinds import Kind

#: Beyond what anybody comes to, and below what is too much for the library that rates.
_NO_RATING = 1_000
_WHOLE = ("guild", "period", "lowest", "ranked", "person", "games", "wins", "points", "deals", "moons")
#: Which standings can be gone on with: others stay as they are, until all are added up anew.
SOUND = " AND ".join(
    [
        *(f"typeof(standings.{column}) = 'integer'" for column in _WHOLE),
        "standings.deals >= standings.games",
        f"""(NOT standings.ranked OR (standings.mu BETWEEN -{_NO_RATING} AND {_NO_RATING}
            AND standings.sigma > 0 AND standings.sigma < {_NO_RATING}))""",
    ]
)
#: Of somebody's games so many are looked through for whom they have met: another counts for nothing anyway.
_LATEST = 50
#: Above all numbers of games, and below all at which SQLite would go on without counting each.
_NO_NUMBER = 1 << 53


def rating(mu: Any, sigma: Any) -> Rating:
    """The rating that these columns hold; ValueError or TypeError if they are damaged."""
    if not (abs(mu) < _NO_RATING and 0 < sigma < _NO_RATING):
        raise ValueError(f"a rating of {mu!r} with a doubt of {sigma!r}")
    return Rating(mu, sigma)


def check_deals(games: int, deals: int) -> None:
    """ValueError if so many games, of which each has a deal at least, cannot have so many deals."""
    if deals < games:
        raise ValueError(f"{games} games of {deals} deals")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one person did in one finished game; a game with two or more of them is ranked."""

    person: int
    name: str
    seat: int  # the one they had, or had last
    guild: int
    kind: Kind
    ended_at: float  # seconds since 1970
    people: int  # how many of them the game has results of
    place: int  # from 1 among these; those level share a place, and whoever is gone is behind all others
    won: bool  # the whole game, against computers too; never who is gone
    gone: bool  # left for good before the end
    points: int
    deals: int
    best: int | None = None  # the points of the best deal, and of the worst; unknown in old games
    worst: int | None = None
    moons: int = 0
    queens: int = 0  # queens of spades taken
    queens_given: int = 0  # queens of spades that this person played and somebody else took


def add_up(connection: sqlite3.Connection, table: int | None = None) -> None:
    """Add the results of this table, or of all, to what each person's have come to."""
    which, values = ("", ()) if table is None else ("AND table_id = ?", (table,))
    connection.execute(
        f"""INSERT INTO standings (guild, period, game, lowest, ranked, person, name, games, wins, points,
            deals, moons, mu_before, sigma_before, mu, sigma)
        SELECT guild, CAST(substr(strftime('%Y%m', ended_at, 'unixepoch'), 1, digits) AS INTEGER), game,
            lowest, people > 1, person, name, 1, won, points, deals, moons,
            mu_before, sigma_before, mu, sigma
        FROM results JOIN (SELECT 0 AS digits UNION ALL SELECT 4 UNION ALL SELECT 6)
        WHERE person > 0 {which} ORDER BY number
        ON CONFLICT DO UPDATE SET name = excluded.name, games = games + 1, wins = wins + excluded.wins,
            points = points + excluded.points, deals = deals + excluded.deals, moons = moons + excluded.moons,
            mu = excluded.mu, sigma = excluded.sigma WHERE {SOUND}""",
        values,
    )


def insert(connection: sqlite3.Connection, table: int, results: Sequence[Result]) -> None:
    """The results of a game with the ratings after it, written with the move that ended it."""
    number = _next_number(connection)
    is_ranked = len(results) > 1
    people = [_contestant(connection, one, results) for one in results] if is_ranked else []
    rated = ratings.rate_game(people, max(one.deals for one in results)) if is_ranked else []
    connection.executemany(
        """INSERT INTO results (table_id, number, person, name, seat, guild, game, lowest, ended_at, people,
            place, won, gone, points, deals, best, worst, moons, queens, queens_given,
            experience, met, mu_before, sigma_before, mu, sigma)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
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
                one.gone,
                one.points,
                one.deals,
                one.best,
                one.worst,
                one.moons,
                one.queens,
                one.queens_given,
                *(_rated(before, after) if before and after else (None,) * 6),
            )
            for one, before, after in zip_longest(results, people, rated)
        ],
    )
    add_up(connection, table)


def _next_number(connection: sqlite3.Connection) -> int:
    """After the last game's, whatever stands in a column that is damaged."""
    last = connection.execute(
        "SELECT CAST(number AS INTEGER) FROM results WHERE number < ? ORDER BY number DESC LIMIT 1",
        (_NO_NUMBER,),
    )
    return next((number + 1 for (number,) in last), 1)


def _contestant(connection: sqlite3.Connection, result: Result, others: Sequence[Result]) -> Contestant:
    """What is known of this person before the game; where it is damaged that of a newcomer, so it can end."""
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
        return next((rating(mu, sigma) for mu, sigma in rows), ratings.NEW)
    return ratings.NEW


def _played_before(
    connection: sqlite3.Connection, result: Result, people: Sequence[int]
) -> tuple[float, int]:
    """This person's experience, and how often they have met these people lately, in games of this kind."""
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


def _rated(before: Contestant, after: Rating) -> tuple[float, ...]:
    """The columns that a ranked game fills."""
    return before.experience, before.met, before.rating.mu, before.rating.sigma, after.mu, after.sigma
