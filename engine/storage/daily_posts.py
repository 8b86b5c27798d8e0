"""Where servers hear of the daily deals: the channel of each for the morning post, and what was posted."""

from __future__ import annotations

from typing import Any

from engine.storage.damage import readable, whole
from engine.storage.database import Database


async def channels(database: Database) -> list[tuple[int, int]]:
    """The servers that want a post each morning, and the channel of each; nothing damaged."""
    rows = await database.read("SELECT guild, channel FROM daily_channels")
    return readable("the channel of server {0} for the daily deal", rows, _address)


async def put_channel(database: Database, guild: int, channel: int | None) -> None:
    """From now on this server wants its post there; with None it wants none."""
    if channel is None:
        await database.execute("DELETE FROM daily_channels WHERE guild = ?", (guild,))
        return
    await database.execute(
        "INSERT OR REPLACE INTO daily_channels (guild, channel) VALUES (?, ?)", (guild, channel)
    )


async def first(database: Database, day: str, guild: int) -> tuple[int, int] | None:
    """The channel and the id of the first post of this day in this server, which shows the seals."""
    rows = await database.read(
        "SELECT channel, message FROM daily_posts WHERE day = ? AND guild = ? ORDER BY message", (day, guild)
    )
    found = readable(f"a post of {day} in server {guild}", rows, _address)
    return found[0] if found else None


async def told(database: Database, day: str) -> set[int]:
    """The servers that have had their post of this morning."""
    rows = await database.read("SELECT guild FROM daily_posts WHERE day = ? AND is_morning", (day,))
    return set(readable(f"a post of the morning of {day}", rows, whole))


async def put(
    database: Database, day: str, guild: int, channel: int, message: int, *, is_morning: bool
) -> None:
    """This message told of this day in this server; of those that share a result, the first is kept."""
    await database.execute(
        """INSERT OR IGNORE INTO daily_posts (day, guild, is_morning, channel, message)
        VALUES (?, ?, ?, ?, ?)""",
        (day, guild, is_morning, channel, message),
    )


def _address(server_or_channel: Any, id: Any) -> tuple[int, int]:
    """Two ids of Discord's; ValueError or TypeError if they are damaged."""
    if whole(id) <= 0:
        raise ValueError(f"{id} is no id")
    return whole(server_or_channel), id
