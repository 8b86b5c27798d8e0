"""Statistics of another kind of game."""

from __future__ import annotations

from bot.careers import rivals, stats
from bot.click import Click
from bot.render.kinds import kind_of
from engine.storage.results import Kind
from engine.storage.standings import newest_name
from engine.tables import Person


async def turn(click: Click) -> None:
    """Show another game of the person, or the two people, whose statistics these are."""
    click.check_private()
    rival, kind = click.number(1), kind_of(click.value)
    of, database, guild = await _person(click, 0, kind), click.services.database, click.guild
    if rival:
        await click.edit(await rivals(database, guild, of, await _person(click, 1, kind), kind))
    else:
        await click.edit(await stats(database, guild, of, kind, asker=click.person.id))


async def _person(click: Click, detail: int, kind: Kind) -> Person:
    """Whom a detail of the control names; others go by what they were called in their last such game."""
    id = click.number(detail)
    if id == click.person.id:
        return click.person
    return Person(id, await newest_name(click.services.database, click.guild, id, kind) or "")
