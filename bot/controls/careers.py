"""Statistics of another kind of game."""

from __future__ import annotations

from bot.careers import rivals, stats
from bot.click import Click
from bot.render.kinds import kind_of
from engine.storage import careers
from engine.tables import Person


async def turn(click: Click) -> None:
    """Show another game of the person, or the two people, whose statistics these are."""
    click.check_private()
    of, rival, kind = await _person(click, 0), click.number(1), kind_of(click.value)
    database, guild = click.services.database, click.guild
    if rival:
        await click.edit(await rivals(database, guild, of, await _person(click, 1), kind))
    else:
        await click.edit(await stats(database, guild, of, kind))


async def _person(click: Click, detail: int) -> Person:
    """Whom a detail of the control names; others go by the name that they had in their last game here."""
    id = click.number(detail)
    if id == click.person.id:
        return click.person
    return Person(id, await careers.newest_name(click.services.database, click.guild, id) or "")
