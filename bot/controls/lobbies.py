"""The lobby's buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.click import Click, member
from bot.render.board import LOBBY
from bot.render.lobby import lobby
from bot.seating import greet
from engine.errors import Refusal
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed
from engine.tables import Person, Table

P = TypeVar("P", int, Person)


async def join(click: Click) -> None:
    """Take a seat, and learn whether DMs arrive."""
    table = await _change(click, click.services.tables.join, click.person)
    await greet(click.services, click.reply, table)


async def leave(click: Click) -> None:
    """Get up again."""
    await _change(click, click.services.tables.get_up, click.person.id)


async def add_computer(click: Click) -> None:
    """Seat a computer of the strength that was pressed."""
    await _change(click, _of_strength(click, click.services.tables.add_computer), click.person.id)


async def remove_computer(click: Click) -> None:
    """Send the last computer away."""
    await _change(click, click.services.tables.remove_computer, click.person.id)


async def change_strength(click: Click) -> None:
    """Give all computers the strength that was pressed."""
    await _change(click, _of_strength(click, click.services.tables.change_strength), click.person.id)


def _of_strength(
    click: Click, change: Callable[[int, int, Strength], Awaitable[Table]]
) -> Callable[[int, int], Awaitable[Table]]:
    strength = member(Strength, click.detail(0))
    return lambda id, person: change(id, person, strength)


async def end_at(click: Click) -> None:
    """Play to the total that was chosen."""
    total, tables = click.number(0), click.services.tables

    def to_total(rules: Ruleset) -> Ruleset:
        return changed(rules, {"ends_at": total})

    await _change(click, lambda id, person: tables.change_rules(id, person, to_total), click.person.id)


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
