"""The threads that were opened for tables, until they are archived."""

from dataclasses import dataclass

from engine.storage.database import Database


@dataclass(frozen=True, slots=True)
class TableThread:
    """A thread, whose id is also that of the message it was started from, and its last table."""

    id: int
    guild: int
    channel: int  # of that message
    table: int | None  # None until one has opened; 0 if it isn't known


async def every_thread(database: Database) -> list[TableThread]:
    """All stored threads."""
    rows = await database.read("SELECT id, guild, channel, table_id FROM threads")
    return [TableThread(*row) for row in rows]


async def put_thread(database: Database, thread: TableThread) -> None:
    """Store this thread and its newest table."""
    await database.execute(
        "INSERT OR REPLACE INTO threads (id, guild, channel, table_id) VALUES (?, ?, ?, ?)",
        (thread.id, thread.guild, thread.channel, thread.table),
    )


async def drop_thread(database: Database, id: int) -> None:
    """Forget this thread."""
    await database.execute("DELETE FROM threads WHERE id = ?", (id,))
