"""What each person has achieved in each server, and at which table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from engine.errors import Refusal
from engine.play.achievements import Career
from engine.storage.damage import readable, reading, real, text, whole
from engine.storage.database import Database


def award(
    connection: sqlite3.Connection, table: int, guild: int, person: int, ids: Iterable[str]
) -> list[str]:
    """Those of these that this person has not had in this server; from now on they have."""
    return [id for id in ids if _award(connection, table, guild, person, id)]


def _award(connection: sqlite3.Connection, table: int, guild: int, person: int, id: str) -> bool:
    done = connection.execute(
        "INSERT OR IGNORE INTO achievements (guild, person, id, table_id) VALUES (?, ?, ?, ?)",
        (guild, person, id, table),
    )
    return done.rowcount > 0


async def of_person(database: Database, guild: int, person: int) -> list[str]:
    """The ids of what this person has achieved in this server."""
    rows = await database.reader.read(
        "SELECT id FROM achievements WHERE guild = ? AND person = ?", (guild, person)
    )
    with reading(f"somebody's achievements in server {guild}"):
        return [text(id) for (id,) in rows]


async def unseen(database: Database) -> dict[int, list[tuple[int, str]]]:
    """What was achieved, and by whom, at each table whose end nobody has seen; nothing damaged."""
    rows = await database.read(
        """SELECT table_id, person, achievements.id FROM achievements
        WHERE table_id IN (SELECT id FROM tables WHERE NOT end_seen)"""
    )
    found: dict[int, list[tuple[int, str]]] = {}
    for table, person, id in readable("what was achieved at table {0}", rows, _achieved):
        found.setdefault(table, []).append((person, id))
    return found


def _achieved(table: Any, person: Any, id: Any) -> tuple[int, int, str]:
    return whole(table), whole(person), text(id)


def career(connection: sqlite3.Connection, guild: int, person: int) -> Career:
    """What this person's games between people in this server have come to."""
    ranked = "FROM results WHERE person = ?1 AND guild = ?2 AND people > 1"
    [(won_in_a_row, given)] = connection.execute(
        f"""SELECT COUNT(*) FILTER (WHERE number > (SELECT coalesce(MAX(number), 0) {ranked} AND NOT won)),
            TOTAL(queens_given) {ranked}""",
        (person, guild),
    )
    with suppress(Refusal), reading(f"how many queens somebody has given in server {guild}"):
        return Career(won_in_a_row, int(real(given)))
    return Career(won_in_a_row, 0)
