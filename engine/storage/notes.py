"""Small things that the program remembers: the messages that show a table, and settings of its own."""

from __future__ import annotations

from engine.storage.database import Database


async def put_message(database: Database, table: int, key: str, channel: int, message: int) -> None:
    """This message shows that part of the table from now on."""
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT OR REPLACE INTO messages (table_id, key, channel, message) VALUES (?, ?, ?, ?)",
            (table, key, channel, message),
        )


async def messages(database: Database, table: int) -> dict[str, tuple[int, int]]:
    """The channel and id of each message that shows a part of this table, by the part's key."""
    rows = await database.read("SELECT key, channel, message FROM messages WHERE table_id = ?", (table,))
    return {key: (channel, message) for key, channel, message in rows}


async def setting(database: Database, name: str) -> str | None:
    """What was last put under this name."""
    rows = await database.read("SELECT value FROM settings WHERE name = ?", (name,))
    return rows[0][0] if rows else None


async def put_setting(database: Database, name: str, value: str) -> None:
    """Remember a value under this name."""
    async with database.transaction() as connection:
        await connection.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))
