"""A page of a leaderboard, from the database to the message."""

from __future__ import annotations

from bot.messages import Post
from bot.render import leaderboards
from engine.storage import standings
from engine.storage.database import Database
from engine.storage.standings import Kind


async def page(database: Database, guild: int, kind: Kind | None = None, number: int = 0) -> Post:
    """A page (from 0) of this server's leaderboard, of the game played most unless one is named."""
    kinds = await standings.kinds_played(database, guild)
    if not kinds:
        return leaderboards.nothing_yet()
    shown = kind if kind in kinds else kinds[0]
    lines, total = await standings.leaderboard(
        database, guild, shown, first=number * leaderboards.LINES_A_PAGE, count=leaderboards.LINES_A_PAGE
    )
    return leaderboards.leaderboard(kinds, shown, lines, total, number)
