"""Finished games written straight into a database: the rows that a table leaves behind at its end."""

import sqlite3
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.storage import results as storage
from engine.storage.database import Database
from engine.storage.results import GameKind, Result

CLASSIC, CHINESE = GameKind("classic", lowest=True), GameKind("chinese", lowest=False)


async def finish(database: Database, *placed: tuple[int, int], **options: Any) -> int:
    """A game like that of `insert`; the table's id."""
    return await database.write(lambda connection: insert(connection, *placed, **options))


def insert(
    connection: sqlite3.Connection,
    *placed: tuple[int, int],
    guild: int = 1,
    kind: GameKind = CLASSIC,
    ended_at: float = 0.0,
    gone: Sequence[int] = (),
    points: Sequence[int] = (),
    names: Mapping[int, str] = MappingProxyType({}),
    deals: int = 4,
    deals_of: Mapping[int, int] = MappingProxyType({}),
    **figures: Any,
) -> int:
    """A game of these people, each with the place they came to; the table's id.

    It had so many `deals`, or as many as these people have played; `figures` are in everybody's result:
    `moons=1`.
    """
    table = connection.execute(
        """INSERT INTO tables (guild, channel, state, opened_at, end_seen, body, turn)
        VALUES (?, 1, 'over', ?, 1, '{}', '{}')""",
        (guild, ended_at),
    ).lastrowid
    results = [
        Result(
            person=person,
            name=names.get(person, f"P{person}"),
            seat=seat,
            guild=guild,
            kind=kind,
            ended_at=ended_at,
            people=len(placed),
            place=place,
            won=place == 1 and person not in gone,
            left_early=person in gone,
            points=points[seat] if points else 10 * place,
            deals=deals_of.get(person, deals),
            **figures,
        )
        for seat, (person, place) in enumerate(placed)
    ]
    storage.insert_results(connection, table, results)
    return table


async def everything(database: Database) -> list[tuple[Any, ...]]:
    """All ratings and standings, as they are stored."""
    rated = "SELECT table_id, person, mu_before, sigma_before, mu, sigma FROM results ORDER BY table_id, seat"
    standings = "SELECT * FROM standings ORDER BY guild, period, game, lowest, ranked, person"
    return [tuple(row) for statement in (rated, standings) for row in await database.read(statement)]
