"""The games of tables, live or long ended, for whoever looks back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.errors import Refusal
from engine.play.deal import Deal, Phase
from engine.tables.days import date_of
from engine.tables.info import TableInfo
from engine.tables.room import Room
from engine.tables.store import TableStore
from engine.tables.table import Table

T = TypeVar("T", bound=TableInfo)


class Games:
    """Finds them at their table or in the database; that of a daily deal is secret until its day is over."""

    def __init__(self, room: Room, store: TableStore, clock: Callable[[], float]) -> None:
        self._room = room
        self._store = store
        self._clock = clock

    async def whole(self, id: int) -> Table:
        """This table with its game, live or ended; Refusal if there is none any more."""
        table = there(self._room.get(id) or await self._store.whole(id))
        self._check_day_is_over(table)
        return table

    async def done_deal(self, id: int, number: int) -> Deal:
        """This table's deal of this number (from 1), however long ago; Refusal unless it is done."""
        live = self._room.get(id)
        table = there(live or await self._store.find(id))
        self._check_day_is_over(table)
        if number < 1:
            deal = None
        elif live is None:
            deal = await self._store.deal(table, number)
        else:
            deal = next(iter(live.game.deals[number - 1 : number]), None) if live.game else None
        if deal is None or deal.phase is not Phase.DONE:
            raise Refusal("stale")
        return deal

    async def latest(self, channel: int) -> Table:
        """The game going on in this channel, or the last one there; Refusal if none has begun."""
        table = self._room.in_channel(channel)
        if table is None or table.game is None:
            table = await self._store.latest_game(channel)
        if table is None:
            raise Refusal("no_game_here")
        return table

    async def latest_done(self, channel: int) -> Table:
        """The last game of this channel with a deal that is done; Refusal if there is none."""
        table = await self.latest(channel)
        if table.is_live and not _has_done(table):
            table = await self._store.latest_game(channel, but=table.id) or table
        if not _has_done(table):
            raise Refusal("nothing_done")
        return table

    def _check_day_is_over(self, table: TableInfo) -> None:
        if table.daily and date_of(self._clock()) <= table.daily.day:
            raise Refusal("day_not_over")


def there(table: T | None) -> T:
    """A table that was looked for; Refusal if there is none."""
    if table is None:
        raise Refusal("table_gone")
    return table


def _has_done(table: Table) -> bool:
    return table.game is not None and bool(table.game.points)
