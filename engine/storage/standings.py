"""A server's leaderboards, and a player's statistics there, added up from results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from engine.ratings import CAUTION, SHOWN_FROM, Rating
from engine.storage.database import Database, Read
from engine.storage.pars import UnderPar
from engine.storage.results import GameKind

#: A rating curve has at most about twice as many points: more couldn't be told apart.
CURVE = 120
#: The deals with a par that a person needs for a place on the board by par.
PAR_FROM = 20
#: The total weight of games that a person needs to be ahead on the board by points.
POINTS_FROM = 1.0
_MINE = "FROM results WHERE person = ?1 AND guild = ?2 AND game = ?3 AND lowest = ?4"


# Leaderboards: one for each kind of game in a server


class Order(Enum):
    """What ranks people on a leaderboard."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"
    PAR = "par"


class Period(Enum):
    """The period in which a game must have ended to count, by UTC."""

    MONTH = "month"
    YEAR = "year"
    EVER = "ever"

    def number(self, now: float) -> int:
        """The period's key in the standings: 202611, 2026 or 0; `now` in seconds since 1970."""
        today = datetime.fromtimestamp(now, UTC)
        return {Period.MONTH: today.year * 100 + today.month, Period.YEAR: today.year, Period.EVER: 0}[self]


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard of ranked games, with two or more people, or of games alone with computers."""

    kind: GameKind
    ranked: bool = True
    order: Order = Order.RATING
    period: Period = Period.EVER

    def __post_init__(self) -> None:
        if not self.ranked and self.order is Order.RATING:  # only people are rated
            object.__setattr__(self, "order", Order.WINS)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One person on a board. Ties share a place; None until they have played enough for one."""

    number: int  # from 1
    place: int | None
    person: int
    name: str
    games: int
    wins: int
    points: int
    deals: int
    moons: int
    missing: int = 0  # ranked games until their rating is shown
    rating: Rating | None = None
    before: Rating | None = None  # at the start of the period
    under_par: UnderPar | None = None  # None if no deal has a par
    weight: float = 0.0  # of all games together: see engine.ratings
    counted_wins: float = 0.0  # each times its game's weight
    counted_average: float | None = None  # weighted points per deal; None without any weight

    @property
    def average(self) -> float | None:
        """Points per deal; None without a deal."""
        return average_of(self.points, self.deals)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some of a board's lines, the number of all lines, and the asker's own line with the one before it."""

    lines: tuple[BoardLine, ...] = ()
    total: int = 0
    own: BoardLine | None = None
    ahead: BoardLine | None = None


async def boards_of(database: Database, guild: int) -> list[Board]:
    """A server's all-time boards: ranked ones first, then by the number of games."""
    rows = await database.reader.read(
        """SELECT game, lowest, ranked FROM standings WHERE guild = ? AND period = 0
        GROUP BY game, lowest, ranked ORDER BY ranked DESC, SUM(games) DESC, game, lowest""",
        (guild,),
    )
    return [Board(GameKind(game, bool(lowest)), bool(ranked)) for game, lowest, ranked in rows]


async def board_page(
    database: Database, guild: int, board: Board, now: float, asker: int, *, first: int, count: int
) -> BoardPage:
    """`count` lines of a server's board after skipping `first`, and the asker's own line."""
    async with database.reader.snapshot() as read:
        standings = _Standings(read, guild, board, now)
        lines = await standings.lines(first, count)
        own, total = await standings.line_of(asker)
        ahead = None
        if own and own.number > 1:
            on_page = next((line for line in lines if line.number == own.number - 1), None)
            ahead = on_page or (await standings.lines(own.number - 2, 1))[0]
    return BoardPage(tuple(lines), total, own, ahead)


class _Standings:
    """Everyone on one board, sorted by three keys, the smallest first.

    Places are counted only for requested lines: numbering everyone with a window function takes five times as
    long.
    """

    def __init__(self, read: Read, guild: int, board: Board, now: float) -> None:
        self._read = read
        self._board = board
        kind = board.kind
        self._values = (guild, kind.game, kind.lowest, board.ranked, board.period.number(now))
        # Whether a rating is shown depends on the games of all time.
        ever, join, also = "here", "", ""
        if board.period is not Period.EVER:
            ever, also = "ever", "AND ever.period = 0"
            join = "JOIN standings AS ever USING (guild, game, lowest, ranked, person)"
        first, second, third = _keys(board, ever)
        self._ranked = f"""(
            SELECT person, here.name, here.games, here.wins, here.points, here.deals, here.moons,
                max(0, {SHOWN_FROM} - {ever}.games) AS missing,
                here.mu, here.sigma, here.mu_before, here.sigma_before,
                here.weight, here.counted_wins, here.counted_points, here.counted_deals,
                here.par_deals, here.par_gain, here.par_squares,
                {first} AS first, {second} AS second, {third} AS third
            FROM standings AS here {join}
            WHERE guild = ?1 AND game = ?2 AND lowest = ?3 AND ranked = ?4 AND here.period = ?5 {also}
        )"""

    async def lines(self, first: int, count: int) -> list[BoardLine]:
        """`count` lines after skipping `first`."""
        rows = await self._rows("ORDER BY first, second, third, person LIMIT ?6 OFFSET ?7", count, first)
        if not rows:
            return []
        place = 1 + (await self._counts(rows[0]))[1] if first else 1
        lines, last = [], rows[0]
        for number, row in enumerate(rows, first + 1):
            if _keys_of(row) != _keys_of(last):
                place = number
            lines.append(_parse_line(self._board, number, place, row))
            last = row
        return lines

    async def line_of(self, person: int) -> tuple[BoardLine | None, int]:
        """This person's line, and the number of all lines."""
        rows = await self._rows("WHERE person = ?6", person)
        total, better, before = await self._counts(rows[0] if rows else None)
        return (_parse_line(self._board, before + 1, better + 1, rows[0]) if rows else None), total

    async def _counts(self, row: Any) -> tuple[int, int, int]:
        """The number of all lines, of those better than this row, and of those listed before it."""
        keys = _keys_of(row) if row else (None, None, None)
        [(total, better, before)] = await self._read(
            f"""SELECT COUNT(*), COUNT(*) FILTER (WHERE (first, second, third) < (?6, ?7, ?8)),
                COUNT(*) FILTER (WHERE (first, second, third, person) < (?6, ?7, ?8, ?9))
            FROM {self._ranked}""",
            (*self._values, *keys, row and row[0]),
        )
        return total, better, before

    async def _rows(self, which: str, *values: int) -> list[Any]:
        return await self._read(f"SELECT * FROM {self._ranked} {which}", (*self._values, *values))


def _keys(board: Board, ever: str) -> tuple[str, str, str]:
    """The sort keys of this board, as SQL: smaller ones are ahead."""
    # People without a deal have no average, and come last.
    sign = "" if board.kind.lowest else "-"
    average = f"coalesce({sign}here.points * 1.0 / here.deals, 1e9)"
    match board.order:
        case Order.RATING:  # those not rated yet come last, by games, then wins
            is_rated = f"{ever}.games >= {SHOWN_FROM}"
            rating = f"-iif({is_rated}, here.mu - {CAUTION} * here.sigma, {ever}.games)"
            return f"NOT {is_rated}", rating, f"-iif({is_rated}, 0, here.wins)"
        case Order.WINS:  # weighted, as wins can be arranged
            return "-round(here.counted_wins, 1)", average, "0"
        case Order.POINTS:
            counted = f"coalesce({sign}here.counted_points / nullif(here.counted_deals, 0), 1e9)"
            return f"here.weight < {POINTS_FROM}", counted, "-here.deals"
        case Order.PAR:  # those with few deals come last, so that one lucky deal doesn't lead
            is_known = f"here.par_deals >= {PAR_FROM}"
            gain = "here.par_gain / max(1, here.par_deals)"
            return f"NOT {is_known}", f"-iif({is_known}, {gain}, here.par_deals)", "-here.par_deals"


def _keys_of(row: Any) -> tuple[Any, ...]:
    return tuple(row[-3:])


def _parse_line(board: Board, number: int, place: int, row: Any) -> BoardLine:
    *figures, missing, mu, sigma, mu_before, sigma_before = row[:-10]
    weight, wins, points, deals, *par = row[-10:-3]
    line = replace(
        BoardLine(number, place, *figures),
        weight=weight,
        counted_wins=wins,
        counted_average=average_of(points, deals),
        under_par=UnderPar.of(*par),
    )
    if board.ranked and mu is not None:
        line = replace(
            line, rating=Rating(mu, sigma), before=Rating(mu_before, sigma_before), missing=missing
        )
    is_missing = {
        Order.RATING: bool(line.missing),
        Order.PAR: not line.under_par or line.under_par.deals < PAR_FROM,
    }
    return replace(line, place=None) if is_missing.get(board.order) else line


# One player's games in a server


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's games of one kind, added up: those between people, or those alone with computers."""

    games: int
    wins: int
    streak: int  # games won in a row, up to the last
    longest: int  # the most ever won in a row
    points: int
    deals: int
    best: int | None  # the points of the best deal; None without a deal
    worst: int | None
    moons: int
    queens: int  # of spades, taken
    queens_given: int
    under_par: UnderPar | None = None  # None if no deal has a par

    @property
    def average(self) -> float | None:
        """Points per deal; None without a deal."""
        return average_of(self.points, self.deals)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The games of one kind that two people both played, from the first one's point of view."""

    games: int
    ahead: int
    behind: int
    average: float | None  # points per deal
    rivals_average: float | None
    under_par: UnderPar | None = None  # in these games; None if no deal has a par
    rivals_under_par: UnderPar | None = None

    @property
    def level(self) -> int:
        """The number of games in which neither was ahead."""
        return self.games - self.ahead - self.behind


async def kinds_played(database: Database, guild: int, person: int) -> list[GameKind]:
    """The kinds of game that this person has results of in this server, most played first."""
    rows = await database.reader.read(
        """SELECT game, lowest FROM results WHERE person = ? AND guild = ?
        GROUP BY game, lowest ORDER BY COUNT(*) DESC, game, lowest""",
        (person, guild),
    )
    return [GameKind(game, bool(lowest)) for game, lowest in rows]


async def newest_name(database: Database, guild: int, person: int, kind: GameKind) -> str | None:
    """This person's name in their last game of this kind in this server."""
    rows = await database.reader.read(
        f"SELECT name {_MINE} ORDER BY number DESC LIMIT 1",
        (person, guild, kind.game, kind.lowest),
    )
    return next((name for (name,) in rows), None)


async def tally_of(
    database: Database, guild: int, person: int, kind: GameKind, *, ranked: bool
) -> Tally | None:
    """Add up this person's games between people, or those alone with computers; None without any."""
    best, worst = ("MIN", "MAX") if kind.lowest else ("MAX", "MIN")
    [row] = await database.reader.read(
        f"""WITH games AS (
            SELECT won, SUM(NOT won) OVER (ORDER BY number) AS lost {_MINE} AND (people > 1) = ?5
        ),
        runs AS MATERIALIZED (SELECT lost, SUM(won) AS length FROM games GROUP BY lost)
        SELECT COUNT(*), SUM(won),
            (SELECT length FROM runs ORDER BY lost DESC LIMIT 1), (SELECT MAX(length) FROM runs),
            SUM(points), SUM(deals), {best}(best), {worst}(worst), SUM(moons), SUM(queens), SUM(queens_given),
            SUM(par_deals), SUM(par_gain), SUM(par_squares)
        {_MINE} AND (people > 1) = ?5""",
        (person, guild, kind.game, kind.lowest, ranked),
    )
    *figures, deals, gain, squares = row
    return replace(Tally(*figures), under_par=UnderPar.of(deals, gain, squares)) if row[0] else None


async def rating_curve(
    database: Database, guild: int, person: int, kind: GameKind, games: int
) -> list[tuple[int, int]]:
    """Pairs of a ranked game's number and the rating after it: a selection, which includes the last."""
    rows = await database.reader.read(
        f"""WITH rated AS (
            SELECT mu, sigma, ROW_NUMBER() OVER (ORDER BY number) AS game {_MINE} AND people > 1
        )
        SELECT game, mu, sigma FROM rated WHERE game % ?5 = 0 OR game IN (1, ?6) ORDER BY game""",
        (person, guild, kind.game, kind.lowest, max(1, games // CURVE), games),
    )
    return [(game, Rating(mu, sigma).shown) for game, mu, sigma in rows]


async def rivalries(database: Database, guild: int, person: int, rival: int) -> dict[GameKind, Rivalry]:
    """The results of games that both people played, by kind, most played first."""
    rows = await database.reader.read(
        """SELECT mine.game, mine.lowest, COUNT(*) AS games,
            SUM(mine.place < theirs.place), SUM(mine.place > theirs.place),
            SUM(mine.points), SUM(mine.deals), SUM(theirs.points), SUM(theirs.deals),
            SUM(mine.par_deals), SUM(mine.par_gain), SUM(mine.par_squares),
            SUM(theirs.par_deals), SUM(theirs.par_gain), SUM(theirs.par_squares)
        FROM results AS mine JOIN results AS theirs USING (table_id)
        WHERE mine.person = ? AND mine.guild = ? AND theirs.person = ?
        GROUP BY mine.game, mine.lowest ORDER BY games DESC, mine.game, mine.lowest""",
        (person, guild, rival),
    )
    return {GameKind(game, bool(lowest)): _parse_rivalry(figures) for game, lowest, *figures in rows}


def _parse_rivalry(figures: Sequence[Any]) -> Rivalry:
    games, ahead, behind, points, deals, rivals_points, rivals_deals = figures[:7]
    averages = average_of(points, deals), average_of(rivals_points, rivals_deals)
    return Rivalry(games, ahead, behind, *averages, UnderPar.of(*figures[7:10]), UnderPar.of(*figures[10:]))


def average_of(points: float, deals: float) -> float | None:
    """Points per deal; None without a deal."""
    return points / deals if deals else None
