"""Results of finished games, leaderboards and one player's statistics."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.storage.damage import reading, text, whole
from engine.storage.database import Database


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game: a preset, and which way it is won. Points of different kinds say nothing together."""

    game: str
    lowest: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How one person did in one finished game."""

    seat: int
    guild: int
    person: int
    name: str
    kind: Kind
    won: bool
    points: int
    deals: int
    moons: int


@dataclass(frozen=True, slots=True)
class Stats:
    """All of somebody's finished games of one kind, added up."""

    kind: Kind
    games: int
    wins: int
    points: int
    deals: int
    moons: int

    @property
    def average(self) -> float:
        """Points per deal."""
        return self.points / self.deals


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a leaderboard; those level on wins and average share a place."""

    place: int
    person: int
    name: str
    stats: Stats


def insert(connection: sqlite3.Connection, table: int, results: Iterable[Result]) -> None:
    """The results of a game, written with the move that ended it."""
    connection.executemany(
        """INSERT INTO results
        (table_id, seat, guild, person, name, game, lowest, won, points, deals, moons)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                table,
                one.seat,
                one.guild,
                one.person,
                one.name,
                one.kind.game,
                one.kind.lowest,
                one.won,
                one.points,
                one.deals,
                one.moons,
            )
            for one in results
        ],
    )


async def kinds_played(database: Database, guild: int) -> list[Kind]:
    """The kinds of game that have results in this server, the most played first."""
    rows = await database.read(
        """SELECT CAST(game AS BLOB), lowest FROM results WHERE guild = ? GROUP BY game, lowest
        ORDER BY COUNT(DISTINCT table_id) DESC, game, lowest""",
        (guild,),
    )
    with reading(f"the results of server {guild}"):
        return [_kind(game, lowest) for game, lowest in rows]


async def leaderboard(
    database: Database, guild: int, kind: Kind, *, first: int, count: int
) -> tuple[list[Line], int]:
    """A part of a server's leaderboard from its line `first` (from 0), and how many lines it has in all.

    Most wins first, then the better average.
    """
    direction = "ASC" if kind.lowest else "DESC"
    rows = await database.read(
        f"""WITH record AS (
            SELECT person, COUNT(*) AS games, SUM(won) AS wins, SUM(points) AS points,
                SUM(deals) AS deals, SUM(moons) AS moons, MAX(table_id) AS newest
            FROM results WHERE guild = ? AND game = ? AND lowest = ? GROUP BY person
        )
        SELECT RANK() OVER (ORDER BY wins DESC, points * 1.0 / deals {direction}) AS place,
            person,
            (SELECT CAST(name AS BLOB) FROM results
                WHERE table_id = newest AND person = record.person) AS name,
            games, wins, points, deals, moons
        FROM record ORDER BY place, name, person LIMIT ? OFFSET ?""",
        (guild, kind.game, kind.lowest, count, first),
    )
    [(total,)] = await database.read(
        "SELECT COUNT(DISTINCT person) FROM results WHERE guild = ? AND game = ? AND lowest = ?",
        (guild, kind.game, kind.lowest),
    )
    with reading(f"the leaderboard of server {guild}"):
        lines = [
            Line(place, whole(person), text(name), _stats(kind, numbers))
            for place, person, name, *numbers in rows
        ]
    return lines, total


async def stats(database: Database, guild: int, person: int) -> list[Stats]:
    """One person's statistics in this server, for each kind of game, the most played first."""
    rows = await database.read(
        """SELECT CAST(game AS BLOB), lowest, COUNT(*) AS games, SUM(won), SUM(points), SUM(deals), SUM(moons)
        FROM results WHERE guild = ? AND person = ? GROUP BY game, lowest ORDER BY games DESC, game""",
        (guild, person),
    )
    with reading(f"the results of {person} in server {guild}"):
        return [_stats(_kind(game, lowest), numbers) for game, lowest, *numbers in rows]


def _kind(game: Any, lowest: Any) -> Kind:
    return Kind(text(game), bool(whole(lowest)))


def _stats(kind: Kind, numbers: Iterable[Any]) -> Stats:
    # A sum with anything but whole numbers is none.
    games, wins, points, deals, moons = map(whole, numbers)
    if deals < games:
        raise ValueError(f"{games} games of {deals} deals")
    return Stats(kind, games, wins, points, deals, moons)
