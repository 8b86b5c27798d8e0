"""A table's messages in its channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import discord

from bot.components import layout
from bot.delivery.places import Place, Places, Shown, nonce
from bot.faults import REFUSALS, Fault, fault_of
from bot.lanes import Lane
from bot.messages import Post
from engine.tables import PublicTable

NOBODY = discord.AllowedMentions.none()
#: Discord takes about five messages and edits in five seconds in one channel.
SPACING = 1.0
#: Called with a table, what is wrong and, where it is about one player, with them.
Troubled = Callable[[int, Fault, int | None], None]


class Posts:
    """A lane for each table's channel."""

    def __init__(self, client: discord.Client, places: Places, troubled: Troubled) -> None:
        self._client = client
        self._places = places
        self._troubled = troubled
        self._lanes: dict[int, Lane[Post]] = {}

    def lane(self, table: int, channel: int) -> Lane[Post]:
        """The lane of a table's posts."""
        if table not in self._lanes:
            self._places.begin(table, None)
            self._lanes[table] = Lane(
                f"table {table}",
                lambda key, post: self._paint(table, channel, key, post),
                spacing=SPACING,
            )
        return self._lanes[table]

    @property
    def lanes(self) -> list[Lane[Post]]:
        """All of them."""
        return list(self._lanes.values())

    def show(self, table: PublicTable, key: str, post: Post, *, create: bool = True) -> None:
        """Show this; unless `create`, only where an earlier state of it is shown already."""
        known = self._places.get(table.id, key) is not None
        wanted = not post.once if known else create
        lane = self.lane(table.id, table.channel)
        if not wanted:
            lane.replace(key, post)
        elif self._places.looked_so(table.id, key, post):
            lane.painted(key, post)
        else:
            lane.want(key, post, patience=0.0 if known else post.patience)

    async def adopt(self, table: PublicTable, key: str, message: int, post: Post) -> None:
        """This message, the answer to a command, shows that part of the table, and looks so."""
        await self._places.put(table.id, key, (table.channel, message))
        self.lane(table.id, table.channel).painted(key, post)

    async def idle(self, table: int) -> None:
        """Wait until the table's posts are as they should be, or have to wait for Discord."""
        if table in self._lanes:
            await self._lanes[table].idle()

    def owes_new(self, table: int) -> bool:
        """Whether a new post of the table has to wait for Discord."""
        lane = self._lanes.get(table)
        return lane is not None and any(self._places.get(table, key) is None for key in lane.owed)

    @property
    def shown(self) -> Iterator[Shown]:
        """The posts that are certain to look so."""
        for table, lane in self._lanes.items():
            yield from ((table, key, post) for key, post in lane.shown.items())

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the lane; False if the bot stops before."""
        lane = self._lanes.get(table)
        if lane and not await lane.empty():
            return False
        self._lanes.pop(table, None)
        return True

    async def _paint(self, table: int, channel: int, key: str, post: Post) -> None:
        try:
            place = self._places.get(table, key)
            if place and post.once:
                return
            if place is None or not await self._edit(place, post):
                await self._send(table, channel, key, post, place)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault in REFUSALS:
                self._troubled(table, fault, None)
            raise

    async def _edit(self, place: Place, post: Post) -> bool:
        """Whether the message is still there to be edited."""
        message = self._client.get_partial_messageable(place[0]).get_partial_message(place[1])
        try:
            await message.edit(view=layout(post), allowed_mentions=NOBODY)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.ARCHIVED):
                raise
            return False

    async def _send(self, table: int, channel: int, key: str, post: Post, old: Place | None) -> None:
        # Whoever was called once is not called again because a message was deleted.
        call, ping = (None, ()) if old else (post.call, post.ping)
        pinged = [discord.Object(person) for person in ping]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=pinged)
        view = layout(post, call=call)
        with self._places.sending(table, None) as is_doubtful:
            sent = await self._client.get_partial_messageable(channel).send(
                view=view, allowed_mentions=mentions, nonce=nonce(f"{table} {key} {old}")
            )
            await self._places.put(table, key, (channel, sent.id))
            if is_doubtful and not post.once:
                await sent.edit(view=layout(post, call=call), allowed_mentions=mentions)
