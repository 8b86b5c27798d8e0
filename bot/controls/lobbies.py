"""The lobby's buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.click import Click
from bot.render.board import LOBBY
from bot.render.lobby import lobby
from bot.seating import greet
from engine.errors import Refusal
from engine.tables import Person, Table

P = TypeVar("P", int, Person)


async def join(click: Click) -> None:
    """Take a seat, and learn whether DMs arrive."""
    table = await _change(click, click.services.tables.join, click.person)
    await greet(click.services, click.reply, table)


async def leave(click: Click) -> None:
    """Get up again."""
    await _change(click, click.services.tables.leave, click.person.id)


async def add_computer(click: Click) -> None:
    """Seat a computer."""
    tables = click.services.tables

    async def add(id: int, person: int) -> Table:
        return await tables.add_computer(id, person, tables.get(id).strength)

    await _change(click, add, click.person.id)


async def start(click: Click) -> None:
    """Deal."""
    await _change(click, click.services.tables.start, click.person.id)


async def _change(click: Click, change: Callable[[int, P], Awaitable[Table]], person: P) -> Table:
    """Change the table; the answer takes along the lobby as it is then."""
    table, posts = click.services.tables.get(click.table), click.services.delivery.posts
    async with posts.answering(table.id, table.channel, LOBBY, click.reply):
        try:
            return await change(click.table, person)
        except Refusal:
            # What was clicked may look as it did long ago.
            now = click.services.tables.get(click.table).public
            posts.show(now.id, now.channel, LOBBY, lobby(now), create=False)
            raise
