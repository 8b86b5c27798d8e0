"""House rules that a server keeps under a name."""

from __future__ import annotations

import json
from typing import Any

from engine.storage.database import Database


async def save(database: Database, guild: int, name: str, rules: Any, author: int) -> None:
    """Keep these rules (as JSON) under this name, in place of any before."""
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT OR REPLACE INTO house_rules (guild, name, rules, author) VALUES (?, ?, ?, ?)",
            (guild, name, json.dumps(rules), author),
        )


async def find(database: Database, guild: int, name: str) -> tuple[Any, int] | None:
    """The rules (as JSON) of this name and who saved them."""
    rows = await database.read(
        "SELECT rules, author FROM house_rules WHERE guild = ? AND name = ?", (guild, name)
    )
    return (json.loads(rows[0][0]), rows[0][1]) if rows else None


async def every(database: Database, guild: int) -> list[tuple[str, Any]]:
    """All names and rules of this server, in order of name."""
    rows = await database.read("SELECT name, rules FROM house_rules WHERE guild = ? ORDER BY name", (guild,))
    return [(name, json.loads(rules)) for name, rules in rows]


async def delete(database: Database, guild: int, name: str) -> None:
    """Keep that name's rules no longer."""
    async with database.transaction() as connection:
        await connection.execute("DELETE FROM house_rules WHERE guild = ? AND name = ?", (guild, name))
