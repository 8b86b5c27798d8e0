"""A page of a leaderboard, from the database to the message."""

from __future__ import annotations

from bot.messages import Post
from bot.render import boards
from engine.rules.options import Goal
from engine.rules.presets import PRESETS
from engine.storage import standings
from engine.storage.database import Database


async def page(database: Database, guild: int, game: str | None = None, number: int = 0) -> Post:
    """A page (from 0) of this server's leaderboard, of the game played most unless one is named."""
    games = await standings.games_played(database, guild)
    if not games:
        return boards.nothing_yet()
    shown = game if game in games else games[0]
    lowest = PRESETS[shown].options["winner"] is Goal.LOWEST
    lines, total = await standings.leaderboard(
        database, guild, shown, lowest=lowest, first=number * boards.LINES, count=boards.LINES
    )
    return boards.leaderboard(games, shown, lines, total, number)
