"""A page of a leaderboard, from the database to the message."""

from __future__ import annotations

from bot.delivery import Reply
from bot.messages import Post
from bot.render import leaderboards
from bot.render.leaderboards import LINES_A_PAGE
from engine.storage.database import Database
from engine.storage.standings import Board, board_page, boards_of

#: More pages than a board of everybody in Discord has; a larger number is nobody's but a forger's.
MOST_PAGES = 10**9


async def page(database: Database, reply: Reply, board: Board | None = None, number: int = 0) -> Post:
    """A page (from 0) of this server's leaderboard with the line of who asks.

    It is of the game played most between people, unless one is named that has been played here.
    """
    interaction = reply.interaction
    guild, now = interaction.guild_id or 0, interaction.created_at.timestamp()
    played = await boards_of(database, guild)
    if not played:
        return leaderboards.nothing_yet()
    if board is None or (board.kind, board.ranked) not in [(one.kind, one.ranked) for one in played]:
        board, number = played[0], 0
    first = min(number, MOST_PAGES) * LINES_A_PAGE
    found = await board_page(database, guild, board, now, reply.person, first=first, count=LINES_A_PAGE)
    if number and not found.lines:  # a page that there was before the month was over, or somebody left
        return await page(database, reply, board)
    return leaderboards.leaderboard(played, board, found, number, interaction.user.display_name)
