"""A table's messages in its channel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.last_clicks import LastClicks
from bot.delivery.queue import MessageQueue
from bot.delivery.sending import Address, Reply, Sender
from bot.delivery.sent import SentMessages, Shown, nonce
from bot.faults import REFUSALS, Fault, fault_of
from bot.messages import Post

#: Discord takes about five messages and edits in five seconds in one channel.
SPACING = 1.0
#: Called with a table, what is wrong and, where it is about one player, with them.
OnFault = Callable[[int, Fault, int | None], None]


class Posts:
    """A queue for each table's channel."""

    def __init__(self, sender: Sender, sent: SentMessages, budget: Budget, on_fault: OnFault) -> None:
        self._sender = sender
        self._sent = sent
        self._budget = budget
        self._on_fault = on_fault
        self._queues: dict[int, MessageQueue[Post]] = {}
        self._clicks: LastClicks[tuple[int, str]] = LastClicks(budget)

    @property
    def queues(self) -> list[MessageQueue[Post]]:
        """All of them."""
        return list(self._queues.values())

    def show(self, table: int, channel: int, key: str, post: Post, *, create: bool = True) -> None:
        """Show this; unless `create`, only where an earlier state of it is shown already."""
        known = self._sent.address(table, key) is not None
        wanted = not post.once if known else create
        queue = self._queue(table, channel)
        if not wanted:
            queue.amend(key, post)
        elif self._sent.looked_like(table, key, post):
            queue.looks(key, post)
        else:
            queue.want(key, post, patience=0.0 if known else post.patience)

    async def publish(self, table: int, channel: int, key: str, post: Post, reply: Reply) -> None:
        """Show this as the answer to a command; where it cannot be answered so, without it."""

        async def answer(message: Post | None) -> Post | None:
            id = None if message is None else await reply.publish(message)
            if id is None:
                return None
            await self._sent.put(table, key, (channel, id))
            return message

        queue = self._queue(table, channel)
        async with queue.answering(key, answer):
            queue.want(key, post)

    @asynccontextmanager
    async def answering(self, table: int, channel: int, key: str, reply: Reply) -> AsyncIterator[None]:
        """While a click on this post is dealt with, which then takes along what the post should look like."""
        address = self._sent.address(table, key)
        if address is None or address[1] != reply.clicked:
            yield  # it was clicked where this post is not
            await reply.update(None)
            return

        async def answer(message: Post | None) -> Post | None:
            await reply.update(message)
            self._clicks.keep((table, key), reply)
            return message

        async with self._queue(table, channel).answering(key, answer):
            yield

    async def idle(self, table: int) -> None:
        """Wait until the table's new posts have arrived, or have to wait for Discord."""
        if table in self._queues:
            await self._queues[table].idle(Urgency.NEW)

    def owes(self, table: int, key: str) -> bool:
        """Whether this new post of the table is on its way, or has to wait for Discord."""
        queue = self._queues.get(table)
        return queue is not None and self._sent.address(table, key) is None and queue.owes(key)

    def owes_new(self, table: int) -> bool:
        """Whether a new post of the table has to wait for Discord."""
        queue = self._queues.get(table)
        return queue is not None and any(self._sent.address(table, key) is None for key in queue.owed)

    @property
    def shown(self) -> Iterator[Shown]:
        """The posts that are certain to look so."""
        for table, queue in self._queues.items():
            yield from ((table, key, post) for key, post in queue.shown.items())

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the queue; False if the bot stops before."""
        queue = self._queues.get(table)
        if queue and not await queue.empty():
            return False
        self._queues.pop(table, None)
        self._clicks.forget(table)
        return True

    def _queue(self, table: int, channel: int) -> MessageQueue[Post]:
        if table not in self._queues:
            self._sent.begin(table, None)
            self._queues[table] = MessageQueue(
                f"table {table}",
                lambda key, post: self._show(table, channel, key, post),
                lambda key: self._urgency(table, key),
                self._budget,
                spacing=SPACING,
            )
        return self._queues[table]

    def _urgency(self, table: int, key: str) -> Urgency | None:
        if self._clicks.find((table, key)):
            return None
        return Urgency.EDIT if self._sent.address(table, key) else Urgency.NEW

    async def _show(self, table: int, channel: int, key: str, post: Post) -> None:
        try:
            address = self._sent.address(table, key)
            if address and post.once:
                return
            if address is None or not await self._edit(table, key, address, post):
                await self._send(table, channel, key, post, address)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault in REFUSALS:
                self._on_fault(table, fault, None)
            raise

    async def _edit(self, table: int, key: str, address: Address, post: Post) -> bool:
        """Whether the message is still there to be edited; through the last click on it where that serves."""
        try:
            if not await self._clicks.update((table, key), post):
                await self._sender.edit(address, post)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.ARCHIVED):
                raise
            self._budget.spend()
            return False

    async def _send(self, table: int, channel: int, key: str, post: Post, old: Address | None) -> None:
        # Whoever was called once is not called again because a message was deleted.
        ping = () if old else post.ping
        self._clicks.drop((table, key))
        with self._sent.sending(table, None) as is_doubtful:
            address = await self._sender.post(channel, post, nonce(f"{table} {key} {old}"), ping)
            await self._sent.put(table, key, address)
            if is_doubtful and not post.once:
                self._budget.spend()
                await self._sender.edit(address, post, ping)
