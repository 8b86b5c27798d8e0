"""What the managers of each server have chosen for it, beside its language and its daily post."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, fields

from engine.languages import Language
from engine.storage.database import Database
from engine.storage.settings import write_server_language


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What holds in a server; a field for each column of `server_settings`, with what is usual."""

    in_threads: bool = False  # whether tables open in threads of their own
    allows_calls: bool = True  # whether hosts may call players who wanted to be told
    open_tournaments: bool = False  # whether anyone may open a tournament, not only who may manage events


_COLUMNS = [field.name for field in fields(ServerSettings)]


async def server_settings(database: Database, guild: int) -> ServerSettings:
    """What holds in this server: the usual if nothing was chosen."""
    rows = await database.read(f"SELECT {', '.join(_COLUMNS)} FROM server_settings WHERE guild = ?", (guild,))
    return ServerSettings(*map(bool, rows[0])) if rows else ServerSettings()


async def put_server_settings(
    database: Database, guild: int, settings: ServerSettings, language: Language | None
) -> None:
    """Store what holds in this server from now on, with its language; None forgets that choice."""

    def write(connection: sqlite3.Connection) -> None:
        write_server_language(connection, guild, language)
        connection.execute(
            f"INSERT OR REPLACE INTO server_settings (guild, {', '.join(_COLUMNS)}) "
            f"VALUES (?{', ?' * len(_COLUMNS)})",
            (guild, *[getattr(settings, name) for name in _COLUMNS]),
        )

    await database.write(write)
