"""A table's messages in its channel, or a tournament's: here “table” means either."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address
from bot.delivery.queue import MessageQueue, why_it_stays
from bot.delivery.registry import Registry
from bot.delivery.reply import LastClicks, Reply
from bot.delivery.reposting import ForeignMessages, PostKey, Reposting
from bot.delivery.sending import Sender
from bot.delivery.sent import SentMessages, Shown
from bot.discord.faults import REFUSALS, Fault, TooEarly, fault_of
from bot.vocabulary.messages import Post, Whisper, in_words

log = logging.getLogger(__name__)
#: Seconds between two edits of a post; cards played faster than that share an edit.
SPACING = 2.0
#: Seconds for which a moment, such as a finished trick, is shown at least; 0 turns moments off.
MOMENT = 1.5
#: The wanted state of a message that is to be deleted.
NOTHING = Post(())
#: The beginning of the keys of posts that show the game itself, rather than notices about it.
DEAL = "deal"
#: Seconds after which a deal's first post is late, and the table pauses, as all hands wait for that post.
LATE_POST = 10.0
#: Called with a table, the fault, and the player whom it concerns, if any.
OnFault = Callable[[int, Fault, int | None], None]


class Posts:
    """Each table's messages in its channel.

    `on_new` is called with each table that gets a new post, and `on_late_post` if an attempt failed before.
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
        self.registry: Registry[int, TablePosts] = Registry(lambda table: TablePosts(table, self))

    def of(self, table: int) -> "TablePosts":
        """This table's posts."""
        return self.registry[table]

    def at(self, table: int, channel: int) -> "TablePosts":
        """This table's posts, in this channel from now on."""
        posts = self.of(table)
        posts.channel = channel
        return posts

    @property
    def queues(self) -> list[MessageQueue[Post]]:
        """Every table's queue."""
        return [posts.queue for posts in self.registry.values if posts.queue]

    def knows(self, table: int) -> bool:
        """Whether the table still has a queue for its messages."""
        return table in self.registry

    def cancel_pings(self) -> None:
        """Drop notifications that are still waiting: the bot is stopping, and will renew them."""
        for queue in self.queues:
            for key, post in queue.states.all_wanted.items():
                if post.ping and post.patience:
                    queue.drop(key)

    @property
    def shown(self) -> Iterator[Shown]:
        """What each post shows, if that is certain."""
        for posts in self.registry.values:
            if posts.queue:
                yield from ((posts.table, key, post) for key, post in posts.queue.states.all_shown.items())

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queue once it is empty; False if the bot stops first.

        After the time `until`, words replace pictures that aren't drawn yet.
        """
        if table not in self.registry:
            return True
        posts = self.of(table)
        if posts.queue and not await posts.queue.empty(in_words, until):
            return False
        posts.queue = None
        self.registry.drop(table)
        self.clicks.forget(table)
        self.reposting.forget(table)
        if posts.channel not in [other.channel for other in self.registry.values]:  # a rematch may be there
            self.foreign.forget(posts.channel)
        return True


class TablePosts:
    """One table's messages in its channel; their queue is created with the first one."""

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
        """The queue, created if there is none yet."""
        if self.queue is None:
            self._all.registry.keep(self.table, self)
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

    # The state that they should show

    def show(
        self, key: str, post: Post, *, create: bool = True, moment: Callable[[], Post] | None = None
    ) -> None:
        """Show this post, after a `moment` if given; without `create`, only an existing post is edited."""
        is_there = self._address(key) is not None
        is_wanted = not post.never_edited if is_there else create or bool(self._sent.retired(self.table, key))
        queue = self.opened
        if post.repost_on_change_of is not None:
            self._repostable.add(key)
        if not is_wanted:
            queue.amend(key, post)
        elif self._sent.looked_like(self.table, key, post):
            queue.states.set_shown(key, post)
        elif is_there and moment and MOMENT:
            queue.want_after(key, moment(), post, MOMENT)
        else:
            queue.want(key, post, patience=0.0 if is_there else post.patience)

    def remove(self, key: str) -> None:
        """Delete this post, or drop it if it hasn't been sent."""
        if self._address(key):
            self.opened.want(key, NOTHING)
        elif self.opened.states.owes(key) and self._sent.is_doubtful(self.table, None):
            self._unwanted.add(key)  # in flight, or perhaps there: deleted once its address is known
        else:
            self.opened.drop(key)

    def tidy(self, dropped: str, *, but: str | None) -> None:
        """After a restart, delete retired posts and those whose key begins with `dropped`, but not `but`."""
        for key in self._sent.parts(self.table):
            if self._sent.is_replaced(self.table, key) or (key.startswith(dropped) and key != but):
                self.opened.want(key, NOTHING)

    async def publish(self, key: str, post: Post, reply: Reply) -> None:
        """Show this post as the answer to a command or, if that fails, as an ordinary message."""

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
        """Handle a click on this post; the answer on leaving carries the post's newest state."""
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
        """Keep a click that changed nothing, for later edits of its post; False if that post never moves."""
        for key in self._repostable:
            address = self._address(key)
            if address and address[1] == reply.clicked:
                self._all.clicks.keep((self.table, key), reply)
                return True
        return False

    # Progress

    @property
    def newest(self) -> int:
        """The id of the game's newest message, below which hands belong; 0 if there is none."""
        addresses = [self._address(key) for key in self._sent.parts(self.table) if key.startswith(DEAL)]
        return max((address[1] for address in addresses if address), default=0)

    async def idle(self) -> None:
        """Wait until the table's new posts have been sent or have to wait for Discord."""
        if self.queue:
            await self.queue.idle(Urgency.NEW)

    def holds_back(self, whisper: Whisper) -> bool:
        """Whether a message has to wait because the post that it follows isn't in the channel yet.

        That post may be in flight; if it can't be sent, the table pauses.
        """
        return whisper.follows is not None and self._address(whisper.follows) is None

    def may_show(self, whisper: Whisper) -> bool:
        """Whether this may be shown now; TooEarly if it has to be retried.

        False if Discord has refused the post that it follows: when the table resumes, everything is shown
        again.
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
        """Draw a post's pictures ahead of its edit, unless calls are scarce: by then it may have changed."""
        address = self._address(key)
        if address and not self._all.budget.is_tight:
            await self._all.sender.prepare(address, post)

    def _urgency(self, key: str) -> Urgency | None:
        post = self.opened.states.wanted(key)
        if post == NOTHING:
            return Urgency.LOW
        if self._all.clicks.find((self.table, key)):
            return None
        if self._address(key) is None:
            return Urgency.NEW
        return Urgency.LOW if post and post.can_wait else Urgency.EDIT

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
        """Whether a deal's first post has failed for good or for LATE_POST seconds: the game can't go on."""
        if not key.startswith(DEAL) or not post.never_edited:
            return False
        now = self._all.budget.clock()
        since = self._failing_since.setdefault(key, now)
        return now - since >= LATE_POST or fault in (Fault.INVALID, Fault.OTHER)

    async def _edit(self, key: str, address: Address, post: Post) -> bool:
        """Edit the message, through the last click on it if possible.

        False if it is gone, accepts no more edits, or should move down. Raises NotDrawnYet like
        MessageBuilder.
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
            self.opened.states.forget(key)  # it can be deleted once we see the channel again
        else:
            await self._sent.drop(self.table, key)
