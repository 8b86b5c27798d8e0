"""The lobby's buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.click import Click
from bot.render.board import LOBBY
from bot.render.lobby import lobby
from bot.seating import greet
from engine.tables import Person, Table

P = TypeVar("P", int, Person)


async def join(click: Click) -> None:
    """Take a seat, and learn whether DMs arrive."""
    table = await _change(click, click.bot.tables.join, click.person)
    await greet(click.bot, click.interaction, table)


async def leave(click: Click) -> None:
    """Get up again."""
    await _change(click, click.bot.tables.leave, click.person.id)


async def add_computer(click: Click) -> None:
    """Seat a computer."""
    await _change(click, click.bot.tables.add_computer, click.person.id)


async def start(click: Click) -> None:
    """Deal."""
    await _change(click, click.bot.tables.start, click.person.id)


async def _change(click: Click, change: Callable[[int, P], Awaitable[Table]], person: P) -> Table:
    """Change the table, and answer with the lobby as it is then."""
    lane = click.bot.delivery.posts.lane(click.table, click.bot.tables.get(click.table).channel)
    with lane.answering():
        table = await change(click.table, person)
        post = lobby(table.public)
        await click.edit(post)
        lane.painted(LOBBY, post)
    return table
