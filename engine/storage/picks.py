"""The cards that players have picked to pass, until they pass them or the deal goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from engine.storage.damage import readable, text, whole
from engine.storage.database import Database

#: The codes of the cards that a seat's player has picked.
Picked = Mapping[int, Sequence[str]]


def put(connection: sqlite3.Connection, table: int, picked: Picked) -> None:
    """These cards are picked at this table, and no others."""
    connection.execute("DELETE FROM picks WHERE table_id = ?", (table,))
    connection.executemany(
        "INSERT INTO picks (table_id, seat, cards) VALUES (?, ?, ?)",
        [(table, seat, json.dumps(list(codes))) for seat, codes in picked.items()],
    )


async def every(database: Database) -> dict[int, dict[int, list[str]]]:
    """What is picked at each table, by seat; what is damaged counts as not picked."""
    found: dict[int, dict[int, list[str]]] = {}
    rows = await database.read("SELECT table_id, seat, cards FROM picks")
    for table, seat, codes in readable("what is picked at table {0}", rows, _picks):
        found.setdefault(table, {})[seat] = codes
    return found


def _picks(table: Any, seat: Any, cards: Any) -> tuple[int, int, list[str]]:
    return whole(table), whole(seat), [str(code) for code in json.loads(text(cards))]
