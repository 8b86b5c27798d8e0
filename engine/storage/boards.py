"""Leaderboards: who of a server is ahead at a kind of game, read from what everybody's results come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from engine.ratings import CAUTION, SHOWN_FROM, Rating
from engine.storage import results
from engine.storage.damage import flag, reading, text, whole
from engine.storage.database import Database
from engine.storage.kinds import Kind, read_kind


class Order(Enum):
    """What puts somebody ahead of others."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"


class Period(Enum):
    """When the games ended that count, by UTC."""

    MONTH = "month"
    YEAR = "year"
    EVER = "ever"

    def number(self, now: float) -> int:
        """As standings are kept by: 202611, 2026 or 0; `now` in seconds since 1970."""
        today = datetime.fromtimestamp(now, UTC)
        return {Period.MONTH: today.year * 100 + today.month, Period.YEAR: today.year, Period.EVER: 0}[self]


@dataclass(frozen=True, slots=True)
class Board:
    """Which leaderboard: `ranked` games have two or more people, others one, who is alone with computers."""

    kind: Kind
    ranked: bool = True
    order: Order = Order.RATING
    period: Period = Period.EVER

    def __post_init__(self) -> None:
        if not self.ranked and self.order is Order.RATING:  # only people are rated
            object.__setattr__(self, "order", Order.WINS)


@dataclass(frozen=True, slots=True)
class Line:
    """One person on a board. Those level share a place; None where their rating is not shown yet."""

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
    before: Rating | None = None  # when the period began for them

    @property
    def average(self) -> float:
        """Points per deal."""
        return self.points / self.deals


@dataclass(frozen=True, slots=True)
class Page:
    """Some of a board's lines, how many it has in all, and the one of who asks with the one before it."""

    lines: tuple[Line, ...] = ()
    total: int = 0
    own: Line | None = None
    ahead: Line | None = None


async def boards(database: Database, guild: int) -> list[Board]:
    """The boards of all time of this server, the ranked first and of these the most played."""
    rows = await database.reader.read(
        """SELECT game, lowest, ranked FROM standings WHERE guild = ? AND period = 0
        GROUP BY game, lowest, ranked ORDER BY ranked DESC, SUM(games) DESC, game, lowest""",
        (guild,),
    )
    with reading(f"the results of server {guild}"):
        return [Board(read_kind(game, lowest), flag(ranked)) for game, lowest, ranked in rows]


async def page(
    database: Database, guild: int, board: Board, now: float, asker: int, *, first: int, count: int
) -> Page:
    """So many lines of a server's board from the one after `first`, and the line of who asks."""
    rows = await database.reader.read(
        f"""WITH ahead AS MATERIALIZED (
            SELECT here.person, ROW_NUMBER() OVER best AS number, RANK() OVER best AS place,
                max(0, {SHOWN_FROM} - ever.games) AS missing
            FROM standings AS here JOIN standings AS ever USING (guild, game, lowest, ranked, person)
            WHERE guild = ?1 AND game = ?2 AND lowest = ?3 AND ranked = ?4
                AND here.period = ?5 AND ever.period = 0
            WINDOW best AS (ORDER BY {_order(board)})
        )
        SELECT number, place, (SELECT COUNT(*) FROM ahead), person, name, games, wins, points, deals, moons,
            missing, mu, sigma, mu_before, sigma_before
        FROM ahead JOIN standings USING (person)
        WHERE guild = ?1 AND game = ?2 AND lowest = ?3 AND ranked = ?4 AND period = ?5
            AND (number BETWEEN ?6 AND ?7 OR person = ?8
                OR number = (SELECT number - 1 FROM ahead WHERE person = ?8))
        ORDER BY number""",
        (
            *(guild, board.kind.game, board.kind.lowest, board.ranked, board.period.number(now)),
            *(first + 1, first + count, asker),
        ),
    )
    with reading(f"the leaderboard of server {guild}"):
        lines = {line.number: line for line in _lines(rows, board)}
    own = next((line for line in lines.values() if line.person == asker), None)
    return Page(
        lines=tuple([line for line in lines.values() if first < line.number <= first + count]),
        total=whole(rows[0][2]) if rows else 0,
        own=own,
        ahead=lines.get(own.number - 1) if own else None,
    )


def _order(board: Board) -> str:
    """Who is ahead, as SQL."""
    average = f"here.points * 1.0 / here.deals {'ASC' if board.kind.lowest else 'DESC'}"
    match board.order:
        case Order.RATING:  # those whose rating is not shown yet come last, by their games so far, then wins
            shown = f"ever.games >= {SHOWN_FROM}"
            rating = f"iif({shown}, here.mu - {CAUTION} * here.sigma, ever.games)"
            return f"{shown} DESC, {rating} DESC, iif({shown}, 0, here.wins) DESC"
        case Order.WINS:
            return f"here.wins DESC, {average}"
        case Order.POINTS:
            return f"{average}, here.deals DESC"


def _lines(rows: Iterable[Any], board: Board) -> Iterable[Line]:
    for number, place, _, person, name, *figures, missing, mu, sigma, mu_before, sigma_before in rows:
        games, wins, points, deals, moons = map(whole, figures)
        results.check_deals(games, deals)
        line = Line(number, place, whole(person), text(name), games, wins, points, deals, moons)
        if board.ranked and mu is not None:
            rated = replace(
                line, rating=results.rating(mu, sigma), before=results.rating(mu_before, sigma_before)
            )
            line = replace(rated, missing=whole(missing))
        yield replace(line, place=None) if board.order is Order.RATING and line.missing else line
