"""One player's games in a server: what they have come to, how the rating went, and how a rival did beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.storage import results
from engine.storage.damage import reading, text, whole
from engine.storage.database import Database
from engine.storage.kinds import Kind, read_kind

#: A curve has at most about twice as many points: more cannot be told apart.
CURVE = 120
_MINE = "FROM results WHERE person = ?1 AND guild = ?2 AND game = ?3 AND lowest = ?4"


@dataclass(frozen=True, slots=True)
class Tally:
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


async def kinds(database: Database, guild: int, person: int) -> list[Kind]:
    """The kinds of game of which this person has results in this server, the most played first."""
    rows = await database.reader.read(
        """SELECT game, lowest FROM results WHERE person = ? AND guild = ?
        GROUP BY game, lowest ORDER BY COUNT(*) DESC, game, lowest""",
        (person, guild),
    )
    with reading(f"somebody's results in server {guild}"):
        return [read_kind(game, lowest) for game, lowest in rows]


async def newest_name(database: Database, guild: int, person: int, kind: Kind) -> str | None:
    """What this person was called in their last game of this kind in this server."""
    rows = await database.reader.read(
        f"SELECT name {_MINE} ORDER BY number DESC LIMIT 1",
        (person, guild, kind.game, kind.lowest),
    )
    with reading(f"somebody's name in server {guild}"):
        return text(rows[0][0]) if rows else None


async def tally(database: Database, guild: int, person: int, kind: Kind, *, ranked: bool) -> Tally | None:
    """This person's games of this kind between people, or those alone with computers; None without any."""
    best, worst = ("MIN", "MAX") if kind.lowest else ("MAX", "MIN")
    [(games, *figures)] = await database.reader.read(
        f"""WITH games AS (
            SELECT won, SUM(NOT won) OVER (ORDER BY number) AS lost {_MINE} AND (people > 1) = ?5
        ),
        runs AS MATERIALIZED (SELECT lost, SUM(won) AS length FROM games GROUP BY lost)
        SELECT COUNT(*), SUM(won),
            (SELECT length FROM runs ORDER BY lost DESC LIMIT 1), (SELECT MAX(length) FROM runs),
            SUM(points), SUM(deals), SUM(moons), SUM(queens), SUM(queens_given), {best}(best), {worst}(worst)
        {_MINE} AND (people > 1) = ?5""",
        (person, guild, kind.game, kind.lowest, ranked),
    )
    with reading(f"somebody's results in server {guild}"):
        return _tally(games, figures) if games else None


def _tally(games: int, figures: Sequence[Any]) -> Tally:
    wins, streak, longest, points, deals, moons, queens, given = map(whole, figures[:-2])
    best, worst = (None if one is None else whole(one) for one in figures[-2:])
    results.check_deals(games, deals)
    return Tally(games, wins, streak, longest, points, deals, best, worst, moons, queens, given)


async def curve(database: Database, guild: int, person: int, kind: Kind, games: int) -> list[tuple[int, int]]:
    """After which of these ranked games the rating was how high: of many some, and always the last."""
    rows = await database.reader.read(
        f"""WITH rated AS (
            SELECT mu, sigma, ROW_NUMBER() OVER (ORDER BY number) AS game {_MINE} AND people > 1
        )
        SELECT game, mu, sigma FROM rated WHERE game % ?5 = 0 OR game IN (1, ?6) ORDER BY game""",
        (person, guild, kind.game, kind.lowest, max(1, games // CURVE), games),
    )
    with reading(f"somebody's rating in server {guild}"):
        return [(whole(game), results.rating(mu, sigma).shown) for game, mu, sigma in rows]


async def rivalries(database: Database, guild: int, person: int, rival: int) -> dict[Kind, Rivalry]:
    """How this person and that one did in the games that both have results of, the most played kind first."""
    rows = await database.reader.read(
        """SELECT mine.game, mine.lowest, COUNT(*) AS games,
            SUM(mine.place < theirs.place), SUM(mine.place > theirs.place),
            SUM(mine.points), SUM(mine.deals), SUM(theirs.points), SUM(theirs.deals)
        FROM results AS mine JOIN results AS theirs USING (table_id)
        WHERE mine.person = ? AND mine.guild = ? AND theirs.person = ?
        GROUP BY mine.game, mine.lowest ORDER BY games DESC, mine.game, mine.lowest""",
        (person, guild, rival),
    )
    with reading(f"what two people did in server {guild}"):
        return {read_kind(game, lowest): _rivalry(figures) for game, lowest, *figures in rows}


def _rivalry(figures: Sequence[Any]) -> Rivalry:
    games, ahead, behind, points, deals, rivals_points, rivals_deals = map(whole, figures)
    for played in (deals, rivals_deals):
        results.check_deals(games, played)
    return Rivalry(games, ahead, behind, points / deals, rivals_points / rivals_deals)
