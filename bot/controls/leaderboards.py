"""The leaderboard's pages."""

from __future__ import annotations

from bot.click import Click, member, number
from bot.leaderboards import page
from bot.messages import action
from bot.render.kinds import kind_of
from engine.errors import Refusal
from engine.storage.standings import Board, Order, Period


async def turn(click: Click) -> None:
    """Show another page, another order or period, or another game, where one stands already."""
    click.check_stands_beside(action("board", 0))
    # The list of games names one in each of its choices, and all else in its custom id.
    details = [*(click.value.split(":") if click.values else ()), *click.details]
    if len(details) < 5:  # below a post from when there was one order
        raise Refusal("stale")
    kind, people, order, period, first = details[:5]
    board = Board(kind_of(kind), people == "people", member(Order, order), member(Period, period))
    await click.reply.update(await page(click.services.database, click.reply, board, number(first)))
