"""Each server's settings, besides its daily post."""

import sqlite3
from dataclasses import dataclass, fields

from engine.languages import Language
from engine.storage.database import Database
from engine.storage.settings import write_server_language


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings, with their defaults; a field for each column of `server_settings`."""

    in_threads: bool = False  # whether each table opens in its own thread
    allows_calls: bool = True  # whether hosts may call players who want to hear of tables
    open_tournaments: bool = False  # whether anyone may open a tournament, not just event managers


_COLUMNS = [field.name for field in fields(ServerSettings)]


async def server_settings(database: Database, guild: int) -> ServerSettings:
    """This server's settings; the defaults if none were stored."""
    rows = await database.read(f"SELECT {', '.join(_COLUMNS)} FROM server_settings WHERE guild = ?", (guild,))
    return ServerSettings(*map(bool, rows[0])) if rows else ServerSettings()


async def put_server_settings(
    database: Database, guild: int, settings: ServerSettings, language: Language | None
) -> None:
    """Store a server's settings and its language; None removes the choice of a language."""

    def write(connection: sqlite3.Connection) -> None:
        write_server_language(connection, guild, language)
        connection.execute(
            f"INSERT OR REPLACE INTO server_settings (guild, {', '.join(_COLUMNS)}) "
            f"VALUES (?{', ?' * len(_COLUMNS)})",
            (guild, *[getattr(settings, name) for name in _COLUMNS]),
        )

    await database.write(write)
