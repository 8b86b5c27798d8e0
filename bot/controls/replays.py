"""The buttons and lists of a replay; all that it shows follows from their custom ids."""

from __future__ import annotations

import re

from bot.click import Click, number
from bot.controls.hints import look_back
from bot.messages import Whisper
from bot.render.replay import costliest, replay
from bot.render.spots import Spot
from engine.errors import Refusal
from engine.tables import Table


async def begin(click: Click) -> None:
    """Open a table's game where it began."""
    spot = Spot(click.table)
    await click.reply.whisper(_shown(await _game(click, spot), spot))


async def step(click: Click) -> None:
    """Show another step in the same message."""
    spot = _spot(click)
    await click.edit(_shown(await _game(click, spot), spot))


async def choose_deal(click: Click) -> None:
    """Show another deal as it was dealt, or more of the list."""
    spot = _spot(click)
    table = await _game(click, spot)
    if page := re.fullmatch("p([0-9]{1,9})", click.value):
        await click.edit(_shown(table, spot, int(page[1])))
    else:
        await click.edit(_shown(table, Spot(spot.table, spot.file, number(click.value))))


async def judge(click: Click) -> None:
    """Tell which choices of a player cost most in the deal that is shown."""
    click.check_private()
    spot, seat = _spot(click), number(click.value)
    table = (await _game(click, spot)).as_in(spot.deal)

    async def found() -> Whisper:
        review = await click.services.teacher.look_back(table, seat, spot.deal, file=spot.file)
        return costliest(review, spot, click.person.id)

    await look_back(click, spot.deal, found)


def _spot(click: Click) -> Spot:
    return Spot(click.table, click.number(0), click.number(1), click.number(2))


async def _game(click: Click, spot: Spot) -> Table:
    """The game that is looked at; Refusal where it is not this person's to see."""
    if spot.table:
        return await click.services.replays.of_table(spot.table)
    return await click.services.replays.of_file(spot.file, click.person.id)


def _shown(table: Table, spot: Spot, page: int | None = None) -> Whisper:
    try:
        return replay(table, spot, page)
    except IndexError:
        raise Refusal("stale") from None
