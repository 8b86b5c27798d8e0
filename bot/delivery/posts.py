"""A table's messages in its channel."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address
from bot.delivery.queue import MessageQueue, why_it_stays
from bot.delivery.reply import LastClicks, Reply
from bot.delivery.reposting import ForeignMessages, PostKey, Reposting
from bot.delivery.sending import Sender
from bot.delivery.sent import SentMessages, Shown
from bot.discord.faults import REFUSALS, Fault, TooEarly, fault_of
from bot.vocabulary.messages import Post, Whisper, in_words

log = logging.getLogger(__name__)
#: Seconds between two edits of a post: cards played faster than that share a call.
SPACING = 2.0
#: Seconds for which a moment is shown at least, such as a finished trick; with 0, none is.
MOMENT = 1.5
#: The wanted state of a message that is to be deleted.
NOTHING = Post(())
#: How the keys of posts begin that show the game itself, rather than notices about it.
DEAL = "deal"
#: Seconds after which a deal's first post is late, and its table pauses: all hands wait for it.
LATE = 10.0
#: Called with a table, what is wrong, and the player it concerns, if any.
OnFault = Callable[[int, Fault, int | None], None]


class Posts:
    """A queue for each table's channel.

    `on_new` is called with each table that gets a new post, and `on_late_post` if that has failed before.
    """

    def __init__(
        self, sender: Sender, sent: SentMessages, budget: Budget, foreign: ForeignMessages, on_fault: OnFault
    ) -> None:
        self._sender = sender
        self._sent = sent
        self._budget = budget
        self._foreign = foreign
        self._on_fault = on_fault
        self.on_new: Callable[[int], None] = lambda table: None
        self.on_late_post: Callable[[int], None] = lambda table: None
        #: Seconds between two edits of a post, at tables opened from now on.
        self.spacing = SPACING
        self._queues: dict[int, MessageQueue[Post]] = {}
        self._channels: dict[int, int] = {}
        self._clicks: LastClicks[PostKey] = LastClicks(budget)
        self._repostable: set[PostKey] = set()
        self._unwanted: set[PostKey] = set()
        self._failing_since: dict[PostKey, float] = {}  # deals' first posts, by the clock
        self._reposting = Reposting(foreign, budget.clock)

    @property
    def queues(self) -> list[MessageQueue[Post]]:
        """Every table's queue."""
        return list(self._queues.values())

    def show(
        self,
        table: int,
        channel: int,
        key: str,
        post: Post,
        *,
        create: bool = True,
        moment: Callable[[], Post] | None = None,
    ) -> None:
        """Show this; unless `create`, only in a post that is already there. A `moment` comes before it."""
        known = self._sent.address(table, key) is not None
        wanted = not post.never_edited if known else create or bool(self._sent.retired(table, key))
        queue = self._queue(table, channel)
        if post.repost_on_change_of is not None:
            self._repostable.add((table, key))
        if not wanted:
            queue.amend(key, post)
        elif self._sent.looked_like(table, key, post):
            queue.states.set_shown(key, post)
        elif known and moment and MOMENT:
            queue.want_after(key, moment(), post, MOMENT)
        else:
            queue.want(key, post, patience=0.0 if known else post.patience)

    def knows(self, table: int) -> bool:
        """Whether the table's messages are still in its queue's care."""
        return table in self._queues

    def remove(self, table: int, channel: int, key: str) -> None:
        """Delete this post; if it hasn't been sent yet, it never is."""
        queue = self._queue(table, channel)
        if self._sent.address(table, key):
            queue.want(key, NOTHING)
        elif queue.states.owes(key) and self._sent.is_doubtful(table, None):
            self._unwanted.add((table, key))  # in flight, or perhaps there: deleted once we know where
        else:
            queue.drop(key)

    def cancel_pings(self) -> None:
        """Drop the notifications still waiting: the bot is stopping, and waits again after its restart."""
        for queue in self.queues:
            for key, post in queue.states.all_wanted.items():
                if post.ping and post.patience:
                    queue.drop(key)

    def tidy(self, table: int, channel: int, dropped: str, *, but: str | None) -> None:
        """After a restart: delete retired posts, and all whose key begins with `dropped` but this one."""
        for key in self._sent.parts(table):
            if self._sent.is_replaced(table, key) or (key.startswith(dropped) and key != but):
                self._queue(table, channel).want(key, NOTHING)

    async def publish(self, table: int, channel: int, key: str, post: Post, reply: Reply) -> None:
        """Show this as the answer to a command, or if that fails as a post of its own."""

        async def answer(message: Post | None) -> Post | None:
            id = None if message is None else await reply.publish(message)
            if id is None:
                return None
            await self._sent.put(table, key, (channel, id))
            return message

        queue = self._queue(table, channel)
        async with queue.carrying_click(key, answer):
            queue.want(key, post)

    @asynccontextmanager
    async def carrying_click(self, table: int, channel: int, key: str, reply: Reply) -> AsyncIterator[None]:
        """Within, a click on this post is handled; its answer then carries the post's newest state."""
        address = self._sent.address(table, key)
        if address is None or address[1] != reply.clicked:
            yield  # it was another message
            await reply.update(None)
            return

        async def answer(message: Post | None) -> Post | None:
            await reply.update(message)
            self._clicks.keep((table, key), reply)
            return message

        async with self._queue(table, channel).carrying_click(key, answer):
            yield

    def carry(self, table: int, reply: Reply) -> bool:
        """Keep a click that changed nothing for later edits of its post; False if that never moves."""
        for key in self._sent.parts(table):
            address = self._sent.address(table, key)
            if (table, key) in self._repostable and address and address[1] == reply.clicked:
                self._clicks.keep((table, key), reply)
                return True
        return False

    def newest(self, table: int) -> int:
        """The id of the game's newest message, below which hands belong; 0 if there is none."""
        parts = self._sent.parts(table)
        addresses = [self._sent.address(table, key) for key in parts if key.startswith(DEAL)]
        return max((address[1] for address in addresses if address), default=0)

    async def idle(self, table: int) -> None:
        """Wait until the table's new posts have arrived or have to wait for Discord."""
        if table in self._queues:
            await self._queues[table].idle(Urgency.NEW)

    def owes(self, table: int, key: str) -> bool:
        """Whether this new post of the table is in flight or has to wait for Discord."""
        queue = self._queues.get(table)
        return queue is not None and self._sent.address(table, key) is None and queue.states.owes(key)

    def holds_back(self, table: int, whisper: Whisper) -> bool:
        """Whether this has to wait, because the post that it follows isn't in the channel yet.

        That post may be in flight, or it can't be sent, which pauses the table.
        """
        key = whisper.follows
        return key is not None and self._sent.address(table, key) is None

    def may_show(self, table: int, whisper: Whisper) -> bool:
        """Whether this may be shown now; TooEarly if it has to be retried.

        False if Discord has refused the post that it follows: all is shown again when the table resumes.
        """
        if not self.holds_back(table, whisper):
            return True
        if self.owes(table, str(whisper.follows)):
            raise TooEarly(f"{whisper.follows} has to be in the channel first")
        return False

    def owes_new(self, table: int) -> bool:
        """Whether a new message of the game is still to come."""
        queue = self._queues.get(table)
        owed = [key for key in queue.states.owed if key.startswith(DEAL)] if queue else []
        return any(self._sent.address(table, key) is None for key in owed)

    @property
    def shown(self) -> Iterator[Shown]:
        """The posts whose look is certain."""
        for table, queue in self._queues.items():
            yield from ((table, key, post) for key, post in queue.states.all_shown.items())

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queue once it is empty; False if the bot stops first.

        From the time `until` on, nothing waits for its pictures.
        """
        queue = self._queues.get(table)
        if queue and not await queue.empty(in_words, until):
            return False
        self._queues.pop(table, None)
        self._clicks.forget(table)
        self._reposting.forget(table)
        self._repostable = {post_key for post_key in self._repostable if post_key[0] != table}
        self._unwanted = {post_key for post_key in self._unwanted if post_key[0] != table}
        self._failing_since = {one: since for one, since in self._failing_since.items() if one[0] != table}
        channel = self._channels.pop(table, 0)
        if channel not in self._channels.values():  # a rematch may have begun there
            self._foreign.forget(channel)
        return True

    def _queue(self, table: int, channel: int) -> MessageQueue[Post]:
        if table not in self._queues:
            self._sent.begin(table, None)
            self._channels[table] = channel
            self._foreign.watch(channel)
            self._queues[table] = MessageQueue(
                f"table {table}",
                partial(self._show, table, channel),
                partial(self._urgency, table),
                self._budget,
                spacing=self.spacing,
                ready=partial(self._ready, table),
            )
        return self._queues[table]

    async def _ready(self, table: int, key: str, post: Post) -> None:
        """Draw a post's pictures ahead of its edit, unless calls are scarce: it may change until then."""
        address = self._sent.address(table, key)
        if address and not self._budget.is_tight:
            await self._sender.prepare(address, post)

    def _urgency(self, table: int, key: str) -> Urgency | None:
        wanted = self._queues[table].states.wanted(key)
        if wanted == NOTHING:
            return Urgency.LOW
        if self._clicks.find((table, key)):
            return None
        if self._sent.address(table, key) is None:
            return Urgency.NEW
        return Urgency.LOW if wanted and wanted.can_wait else Urgency.EDIT

    async def _show(self, table: int, channel: int, key: str, post: Post) -> asyncio.Future[None] | None:
        try:
            address = self._sent.address(table, key)
            if post == NOTHING:
                await self._delete(table, key, address)
            elif address is None:
                await self._send(table, channel, key, post)
            elif not post.never_edited and not await self._edit(table, key, address, post):
                await self._sent.retire(table, key)
                await self._send(table, channel, key, post)
        except Exception as error:
            fault = fault_of(error)
            if fault in REFUSALS or self._is_late((table, key), post, fault):
                self._on_fault(table, fault, None)
            raise
        return None if post.never_edited else self._sender.lacks_pictures(self._sent.address(table, key))

    def _is_late(self, post_key: PostKey, post: Post, fault: Fault) -> bool:
        """Whether a deal's first post has failed for so long, or for good, that the game can't go on."""
        if not post_key[1].startswith(DEAL) or not post.never_edited:
            return False
        now = self._budget.clock()
        since = self._failing_since.setdefault(post_key, now)
        return now - since >= LATE or fault in (Fault.INVALID, Fault.OTHER)

    async def _edit(self, table: int, key: str, address: Address, post: Post) -> bool:
        """Edit the message, through the last click on it if possible.

        False if it is gone, takes no more edits, or should move down. Raises NotDrawnYet like MessageBuilder.
        """
        post_key = (table, key)
        if self._reposting.is_due(post_key, post, address) and self._sender.may_move(address, post):
            if self._clicks.find(post_key):
                self._budget.spend()
            return False
        try:
            if not await self._clicks.update(post_key, address[1], post):
                await self._sender.edit(address, post)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.ARCHIVED):
                raise
            self._budget.spend()
            return False

    async def _send(self, table: int, channel: int, key: str, post: Post) -> None:
        post_key, retired = (table, key), self._sent.retired(table, key)
        # A post that replaces a deleted one doesn't notify people again.
        ping = () if retired or post_key in self._unwanted else post.ping
        self._clicks.drop(post_key)
        with self._sent.sending(table, None) as is_doubtful:
            nonce = self._sent.nonce(f"{table} {key} {max(retired, default=None)}")
            address = await self._sender.post(channel, post, nonce, ping)
            await self._sent.put(table, key, address)
            if is_doubtful and not post.never_edited:
                await self._budget.turn(Urgency.NEW)
                await self._sender.edit_for_certain(address, post, ping)
        self._reposting.sent(post_key, post)
        self.on_new(table)
        if self._failing_since.pop(post_key, None) is not None:
            self.on_late_post(table)
        dropped = [key] if post_key in self._unwanted else []
        self._unwanted.discard(post_key)
        for part in (*retired, *dropped):
            self._queues[table].want(part, NOTHING)

    async def _delete(self, table: int, key: str, address: Address | None) -> None:
        if address is None:
            return
        fault = await why_it_stays(f"table {table}: an old message", self._sender.delete(address))
        if fault is Fault.FORBIDDEN:
            self._queues[table].states.forget(key)  # it may go once we see the channel again
        else:
            await self._sent.drop(table, key)
