"""A table's messages in its channel; a tournament's too, which stands here in place of a table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address
from bot.delivery.kept import Kept
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
LATE_POST = 10.0
#: Called with a table, what is wrong, and the player it concerns, if any.
OnFault = Callable[[int, Fault, int | None], None]


class Posts:
    """Each table's messages in its channel.

    `on_new` is called with each table that gets a new post, and `on_late_post` if that has failed before.
    """

    def __init__(
        self, sender: Sender, sent: SentMessages, budget: Budget, foreign: ForeignMessages, on_fault: OnFault
    ) -> None:
        self.sender = sender
        self.sent = sent
        self.budget = budget
        self.foreign = foreign
        self.on_fault = on_fault
        self.on_new: Callable[[int], None] = lambda table: None
        self.on_late_post: Callable[[int], None] = lambda table: None
        #: Seconds between two edits of a post, at tables opened from now on.
        self.spacing = SPACING
        self.clicks: LastClicks[PostKey] = LastClicks(budget)
        self.reposting = Reposting(foreign, budget.clock)
        self.kept: Kept[int, TablePosts] = Kept(lambda table: TablePosts(table, self))  # with a queue

    def of(self, table: int) -> TablePosts:
        """This table's posts."""
        return self.kept[table]

    def at(self, table: int, channel: int) -> TablePosts:
        """This table's posts, in this channel from now on."""
        found = self.of(table)
        found.channel = channel
        return found

    @property
    def queues(self) -> list[MessageQueue[Post]]:
        """Every table's queue."""
        return [one.queue for one in self.kept.values if one.queue]

    def knows(self, table: int) -> bool:
        """Whether the table's messages are still in its queue's care."""
        return table in self.kept

    def cancel_pings(self) -> None:
        """Drop the notifications still waiting: the bot is stopping, and waits again after its restart."""
        for queue in self.queues:
            for key, post in queue.states.all_wanted.items():
                if post.ping and post.patience:
                    queue.drop(key)

    @property
    def shown(self) -> Iterator[Shown]:
        """The posts whose look is certain."""
        for one in self.kept.values:
            if one.queue:
                yield from ((one.table, key, post) for key, post in one.queue.states.all_shown.items())

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queue once it is empty; False if the bot stops first.

        From the time `until` on, nothing waits for its pictures.
        """
        if table not in self.kept:
            return True
        posts = self.of(table)
        if posts.queue and not await posts.queue.empty(in_words, until):
            return False
        posts.queue = None
        self.kept.drop(table)
        self.clicks.forget(table)
        self.reposting.forget(table)
        if all(one.channel != posts.channel for one in self.kept.values):  # else a rematch has begun there
            self.foreign.forget(posts.channel)
        return True


class TablePosts:
    """One table's messages in its channel, and the queue that writes them once one is wanted."""

    def __init__(self, table: int, all: Posts) -> None:
        self.table = table
        self.channel = 0
        self.queue: MessageQueue[Post] | None = None
        self._all = all
        self._sent = all.sent
        self._repostable: set[str] = set()
        self._unwanted: set[str] = set()
        self._failing_since: dict[str, float] = {}  # deals' first posts, by the clock

    @property
    def opened(self) -> MessageQueue[Post]:
        """The queue, which there is from now on."""
        if self.queue is None:
            self._all.kept.keep(self.table, self)
            self._sent.begin(self.table, None)
            self._all.foreign.watch(self.channel)
            self.queue = MessageQueue(
                self._sent.in_words(self.table),
                self._show,
                self._urgency,
                self._all.budget,
                spacing=self._all.spacing,
                ready=self._ready,
            )
        return self.queue

    def _address(self, key: str) -> Address | None:
        return self._sent.address(self.table, key)

    # What they should show

    def show(
        self, key: str, post: Post, *, create: bool = True, moment: Callable[[], Post] | None = None
    ) -> None:
        """Show this; unless `create`, only in a post that is already there. A `moment` comes before it."""
        known = self._address(key) is not None
        wanted = not post.never_edited if known else create or bool(self._sent.retired(self.table, key))
        queue = self.opened
        if post.repost_on_change_of is not None:
            self._repostable.add(key)
        if not wanted:
            queue.amend(key, post)
        elif self._sent.looked_like(self.table, key, post):
            queue.states.set_shown(key, post)
        elif known and moment and MOMENT:
            queue.want_after(key, moment(), post, MOMENT)
        else:
            queue.want(key, post, patience=0.0 if known else post.patience)

    def remove(self, key: str) -> None:
        """Delete this post; if it hasn't been sent yet, it never is."""
        if self._address(key):
            self.opened.want(key, NOTHING)
        elif self.opened.states.owes(key) and self._sent.is_doubtful(self.table, None):
            self._unwanted.add(key)  # in flight, or perhaps there: deleted once we know where
        else:
            self.opened.drop(key)

    def tidy(self, dropped: str, *, but: str | None) -> None:
        """After a restart: delete retired posts, and all whose key begins with `dropped` but this one."""
        for key in self._sent.parts(self.table):
            if self._sent.is_replaced(self.table, key) or (key.startswith(dropped) and key != but):
                self.opened.want(key, NOTHING)

    async def publish(self, key: str, post: Post, reply: Reply) -> None:
        """Show this as the answer to a command, or if that fails as a post of its own."""

        async def answer(message: Post | None) -> Post | None:
            id = None if message is None else await reply.publish(message)
            if id is None:
                return None
            await self._sent.put(self.table, key, (self.channel, id))
            return message

        async with self.opened.carrying_click(key, answer):
            self.opened.want(key, post)

    @asynccontextmanager
    async def carrying_click(self, key: str, reply: Reply) -> AsyncIterator[None]:
        """Within, a click on this post is handled; its answer then carries the post's newest state."""
        address = self._address(key)
        if address is None or address[1] != reply.clicked:
            yield  # it was another message
            await reply.update(None)
            return

        async def answer(message: Post | None) -> Post | None:
            await reply.update(message)
            self._all.clicks.keep((self.table, key), reply)
            return message

        async with self.opened.carrying_click(key, answer):
            yield

    def carry(self, reply: Reply) -> bool:
        """Keep a click that changed nothing for later edits of its post; False if that never moves."""
        for key in self._repostable:
            address = self._address(key)
            if address and address[1] == reply.clicked:
                self._all.clicks.keep((self.table, key), reply)
                return True
        return False

    # How far they are

    @property
    def newest(self) -> int:
        """The id of the game's newest message, below which hands belong; 0 if there is none."""
        addresses = [self._address(key) for key in self._sent.parts(self.table) if key.startswith(DEAL)]
        return max((address[1] for address in addresses if address), default=0)

    async def idle(self) -> None:
        """Wait until the table's new posts have arrived or have to wait for Discord."""
        if self.queue:
            await self.queue.idle(Urgency.NEW)

    def holds_back(self, whisper: Whisper) -> bool:
        """Whether this has to wait, because the post that it follows isn't in the channel yet.

        That post may be in flight, or it can't be sent, which pauses the table.
        """
        return whisper.follows is not None and self._address(whisper.follows) is None

    def may_show(self, whisper: Whisper) -> bool:
        """Whether this may be shown now; TooEarly if it has to be retried.

        False if Discord has refused the post that it follows: all is shown again when the table resumes.
        """
        if not self.holds_back(whisper):
            return True
        if self.queue and self.queue.states.owes(str(whisper.follows)):
            raise TooEarly(f"{whisper.follows} has to be in the channel first")
        return False

    @property
    def owes_new(self) -> bool:
        """Whether a new message of the game is still to come."""
        owed = [key for key in self.queue.states.owed if key.startswith(DEAL)] if self.queue else []
        return any(self._address(key) is None for key in owed)

    # What the queue writes

    async def _ready(self, key: str, post: Post) -> None:
        """Draw a post's pictures ahead of its edit, unless calls are scarce: it may change until then."""
        address = self._address(key)
        if address and not self._all.budget.is_tight:
            await self._all.sender.prepare(address, post)

    def _urgency(self, key: str) -> Urgency | None:
        wanted = self.opened.states.wanted(key)
        if wanted == NOTHING:
            return Urgency.LOW
        if self._all.clicks.find((self.table, key)):
            return None
        if self._address(key) is None:
            return Urgency.NEW
        return Urgency.LOW if wanted and wanted.can_wait else Urgency.EDIT

    async def _show(self, key: str, post: Post) -> asyncio.Future[None] | None:
        try:
            address = self._address(key)
            if post == NOTHING:
                await self._delete(key, address)
            elif address is None:
                await self._send(key, post)
            elif not post.never_edited and not await self._edit(key, address, post):
                await self._sent.retire(self.table, key)
                await self._send(key, post)
        except Exception as error:
            fault = fault_of(error)
            if fault in REFUSALS or self._is_late(key, post, fault):
                self._all.on_fault(self.table, fault, None)
            raise
        return None if post.never_edited else self._all.sender.lacks_pictures(self._address(key))

    def _is_late(self, key: str, post: Post, fault: Fault) -> bool:
        """Whether a deal's first post has failed for so long, or for good, that the game can't go on."""
        if not key.startswith(DEAL) or not post.never_edited:
            return False
        now = self._all.budget.clock()
        since = self._failing_since.setdefault(key, now)
        return now - since >= LATE_POST or fault in (Fault.INVALID, Fault.OTHER)

    async def _edit(self, key: str, address: Address, post: Post) -> bool:
        """Edit the message, through the last click on it if possible.

        False if it is gone, takes no more edits, or should move down. Raises NotDrawnYet like MessageBuilder.
        """
        post_key, sender, clicks = (self.table, key), self._all.sender, self._all.clicks
        if self._all.reposting.is_due(post_key, post, address) and sender.may_move(address, post):
            if clicks.find(post_key):
                self._all.budget.spend()
            return False
        try:
            if not await clicks.update(post_key, address[1], post):
                await sender.edit(address, post)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.ARCHIVED):
                raise
            self._all.budget.spend()
            return False

    async def _send(self, key: str, post: Post) -> None:
        post_key, retired = (self.table, key), self._sent.retired(self.table, key)
        # A post that replaces a deleted one doesn't notify people again.
        ping = () if retired or key in self._unwanted else post.ping
        self._all.clicks.drop(post_key)
        with self._sent.sending(self.table, None) as is_doubtful:
            nonce = self._sent.nonce(self.table, f"{key} {max(retired, default=None)}")
            address = await self._all.sender.post(self.channel, post, nonce, ping)
            await self._sent.put(self.table, key, address)
            if is_doubtful and not post.never_edited:
                await self._all.budget.turn(Urgency.NEW)
                await self._all.sender.edit_for_certain(address, post, ping)
        self._all.reposting.sent(post_key, post)
        self._all.on_new(self.table)
        if self._failing_since.pop(key, None) is not None:
            self._all.on_late_post(self.table)
        dropped = [key] if key in self._unwanted else []
        self._unwanted.discard(key)
        for part in (*retired, *dropped):
            self.opened.want(part, NOTHING)

    async def _delete(self, key: str, address: Address | None) -> None:
        if address is None:
            return
        fault = await why_it_stays(
            f"{self._sent.in_words(self.table)}: an old message", self._all.sender.delete(address)
        )
        if fault is Fault.FORBIDDEN:
            self.opened.states.forget(key)  # it may go once we see the channel again
        else:
            await self._sent.drop(self.table, key)
