"""One player's games in a server: what they have come to, how the rating went, and how a rival did beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.ratings import Rating
from engine.storage.damage import reading, text, whole
from engine.storage.database import Database
from engine.storage.standings import Kind

#: A curve has at most about twice as many points: more cannot be told apart.
CURVE = 120
_MINE = "FROM results WHERE person = ? AND guild = ? AND game = ? AND lowest = ?"


@dataclass(frozen=True, slots=True)
class Record:
    """Somebody's games of one kind, added up: those between people, or those alone with computers."""

    games: int
    wins: int
    streak: int  # the last games, all won
    longest: int  # so many were ever won in a row
    points: int
    deals: int
    best: int | None  # the points of the best deal; None where only old games are known
    worst: int | None
    moons: int
    queens: int  # of spades, taken
    queens_given: int

    @property
    def average(self) -> float:
        """Points a deal."""
        return self.points / self.deals


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The games of one kind that two people have both played, as the first sees them."""

    games: int
    ahead: int
    behind: int
    average: float  # points a deal
    rivals_average: float

    @property
    def level(self) -> int:
        """How often neither was ahead."""
        return self.games - self.ahead - self.behind


async def kinds(database: Database, guild: int, person: int, rival: int | None = None) -> list[Kind]:
    """The kinds of game of which this person has results in this server, the most played first.

    With a `rival`, the games that both have results of.
    """
    rows = await database.read(
        """SELECT CAST(game AS BLOB), lowest FROM results AS mine
        WHERE person = ?1 AND guild = ?2 AND (?3 IS NULL OR EXISTS
            (SELECT 1 FROM results WHERE table_id = mine.table_id AND person = ?3))
        GROUP BY game, lowest ORDER BY COUNT(*) DESC, game, lowest""",
        (person, guild, rival),
    )
    with reading(f"the results of {person} in server {guild}"):
        return [Kind(text(game), bool(whole(lowest))) for game, lowest in rows]


async def newest_name(database: Database, guild: int, person: int) -> str | None:
    """What this person was called in the last game that they finished in this server."""
    rows = await database.read(
        """SELECT CAST(name AS BLOB) FROM results WHERE person = ? AND guild = ?
        ORDER BY number DESC LIMIT 1""",
        (person, guild),
    )
    with reading(f"the name of {person} in server {guild}"):
        return text(rows[0][0]) if rows else None


async def records(
    database: Database, guild: int, person: int, kind: Kind
) -> tuple[Record | None, Record | None]:
    """This person's games of this kind between people, and those alone with computers."""
    best, worst = ("MIN", "MAX") if kind.lowest else ("MAX", "MIN")
    rows = await database.read(
        f"""WITH mine AS (
            SELECT *, people > 1 AS ranked,
                SUM(NOT won) OVER (PARTITION BY people > 1 ORDER BY number) AS lost {_MINE}
        ), runs AS (SELECT ranked, lost, SUM(won) AS length FROM mine GROUP BY ranked, lost)
        SELECT ranked, COUNT(*), SUM(won),
            (SELECT length FROM runs WHERE ranked = mine.ranked ORDER BY lost DESC LIMIT 1),
            (SELECT MAX(length) FROM runs WHERE ranked = mine.ranked),
            SUM(points), SUM(deals), SUM(moons), SUM(queens), SUM(queens_given), {best}(best), {worst}(worst)
        FROM mine GROUP BY ranked""",
        (person, guild, kind.game, kind.lowest),
    )
    with reading(f"the results of {person} in server {guild}"):
        found = {bool(ranked): _record(figures) for ranked, *figures in rows}
    return found.get(True), found.get(False)


def _record(figures: Sequence[Any]) -> Record:
    games, wins, streak, longest, points, deals, moons, queens, given = map(whole, figures[:-2])
    best, worst = (None if one is None else whole(one) for one in figures[-2:])
    if deals < games:
        raise ValueError(f"{games} games of {deals} deals")
    return Record(games, wins, streak, longest, points, deals, best, worst, moons, queens, given)


async def curve(database: Database, guild: int, person: int, kind: Kind) -> list[tuple[int, int]]:
    """After which ranked game the rating was how high: of many games some, and always the last."""
    rows = await database.read(
        f"""WITH rated AS (
            SELECT mu, sigma, ROW_NUMBER() OVER (ORDER BY number) AS game, COUNT(*) OVER () AS games
            {_MINE} AND mu IS NOT NULL
        )
        SELECT game, mu, sigma FROM rated
        WHERE game % max(1, games / {CURVE}) = 0 OR game IN (1, games) ORDER BY game""",
        (person, guild, kind.game, kind.lowest),
    )
    with reading(f"the rating of {person} in server {guild}"):
        return [(whole(game), Rating(mu, sigma).shown) for game, mu, sigma in rows]


async def rivalry(database: Database, guild: int, person: int, rival: int, kind: Kind) -> Rivalry | None:
    """How this person and that one did in the games of this kind that both have results of; None for none."""
    [(games, ahead, behind, points, deals, rivals_points, rivals_deals)] = await database.read(
        """SELECT COUNT(*), SUM(mine.place < theirs.place), SUM(mine.place > theirs.place),
            SUM(mine.points), SUM(mine.deals), SUM(theirs.points), SUM(theirs.deals)
        FROM results AS mine JOIN results AS theirs USING (table_id)
        WHERE mine.person = ? AND mine.guild = ? AND mine.game = ? AND mine.lowest = ?
        AND theirs.person = ?""",
        (person, guild, kind.game, kind.lowest, rival),
    )
    if not games:
        return None
    with reading(f"the results of {person} and {rival} in server {guild}"):
        average = whole(points) / whole(deals)
        return Rivalry(
            whole(games), whole(ahead), whole(behind), average, whole(rivals_points) / whole(rivals_deals)
        )
