"""The channel in which each person gets the bot's direct messages."""

from engine.storage.database import Database


async def find(database: Database, person: int) -> int | None:
    """The id of this person's channel; None if it isn't known."""
    rows = await database.read("SELECT channel FROM dm_channels WHERE person = ?", (person,))
    return next((channel for (channel,) in rows), None)


async def put(database: Database, person: int, channel: int) -> None:
    """Store the id of this person's channel."""
    database.check_stays(person)
    statement = "INSERT OR REPLACE INTO dm_channels (person, channel) VALUES (?, ?)"
    await database.execute(statement, (person, channel))
