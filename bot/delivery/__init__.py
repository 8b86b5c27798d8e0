"""The only package that sends and edits messages outside the answer to a click or command."""

from __future__ import annotations

import asyncio
from typing import Any

import discord

from bot.delivery.dms import Dms
from bot.delivery.hands import Hands, Placed
from bot.delivery.places import Places, Shown
from bot.delivery.posts import NOBODY, Posts, Troubled
from bot.lanes import Lane
from engine.storage import tables
from engine.storage.database import Database

__all__ = ["NOBODY", "Delivery", "Placed", "Troubled"]


class Delivery:
    """Brings each table's posts to its channel, and each player's hand to wherever they look at it."""

    def __init__(self, client: discord.Client, database: Database, troubled: Troubled) -> None:
        self._database = database
        self.places = Places(database)
        self.posts = Posts(client, self.places, troubled)
        self.dms = Dms(client, self.places, self.posts, troubled)
        self.hands = Hands(self.posts)

    async def forget(self, table: int) -> None:
        """Drop all that is known of a table that has ended, once its end has been shown."""
        for room in (self.posts, self.dms, self.hands):
            if not await room.forget(table):
                return  # the bot stops: the next start shows what is still to be shown
        await tables.end_seen(self._database, table)
        self.places.forget(table)

    async def flush(self, seconds: float) -> None:
        """Show what is still wanted, for at most so long; then show nothing more, and note what is shown."""
        lanes = self._lanes
        for lane in lanes:
            lane.hurry()
        if waits := [asyncio.create_task(lane.idle()) for lane in lanes]:
            await asyncio.wait(waits, timeout=seconds)
        shown: list[Shown] = [*self.posts.shown, *self.dms.shown]
        for lane in lanes:
            lane.close()
        await self.places.note_looks(shown)

    @property
    def waiting(self) -> int:
        """How many messages are not yet as they should be."""
        return sum(lane.waiting for lane in self._lanes)

    @property
    def _lanes(self) -> list[Lane[Any]]:
        return [*self.posts.lanes, *self.dms.lanes, *self.hands.lanes]
