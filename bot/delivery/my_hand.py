"""The private hands that My hand shows in the channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.dms import placeholder, waiting_for_seal
from bot.delivery.posts import Posts, TablePosts
from bot.delivery.queue import MessageQueue
from bot.delivery.registry import Registry
from bot.delivery.reply import Reply
from bot.delivery.sending import Recipient
from bot.discord.faults import Fault, fault_of
from bot.vocabulary.messages import Colour, Whisper, in_words
from engine.languages import Language

#: Key of the one message in each queue.
HAND = "hand"


def moved_below(language: Language) -> Whisper:
    """Shown instead of a hand that is about to be sent again below, where a click would come too late."""
    why = language.say("Your hand comes below in a moment. If it does not, press **My hand**.")
    return placeholder(why, language)


@dataclass(frozen=True, slots=True)
class _HandMessage:
    """A message that shows a hand, which `click` can edit until its token expires.

    It is the answer to the click, a follow-up, or the message that was clicked.
    """

    click: Reply
    id: int


class MyHand:
    """Each player's private hand under My hand, which follows the game for 15 minutes."""

    def __init__(self, posts: Posts, budget: Budget) -> None:
        def make(recipient: Recipient) -> PrivateHand:
            return PrivateHand(*recipient, posts.of(recipient[0]), budget, self._hands)

        self._hands: Registry[Recipient, PrivateHand] = Registry(make)

    def of(self, table: int, person: int) -> PrivateHand:
        """This player's hand at this table, whether or not they have opened it."""
        return self._hands[table, person]

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """Every player's queue."""
        return [hand.queue for hand in self._hands.values if hand.queue]

    def posted(self, table: int) -> None:
        """Show the hands that have waited for this table's new post, or belong below it."""
        for hand in self._of_table(table):
            hand.posted()

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queues once they are empty, like `Posts.forget`; False if the bot stops first."""
        for hand in self._of_table(table):
            if hand.queue and not await hand.queue.empty(in_words, until):
                return False
            hand.queue = None
            self._hands.drop((table, hand.person))
        return True

    def _of_table(self, table: int) -> list[PrivateHand]:
        return [hand for hand in self._hands.values if hand.table == table]


class PrivateHand:
    """One player's hand in a private message, and the queue that edits it once it is open.

    When the player has to act, the hand moves below the newest post, so that they needn't scroll up.
    """

    def __init__(
        self,
        table: int,
        person: int,
        posts: TablePosts,
        budget: Budget,
        hands: Registry[Recipient, PrivateHand],
    ) -> None:
        self.table = table
        self.person = person
        self.queue: MessageQueue[Whisper] | None = None
        self._posts = posts
        self._budget = budget
        self._hands = hands
        self._message: _HandMessage | None = None

    @property
    def opened(self) -> MessageQueue[Whisper]:
        """The queue, created if there is none yet."""
        if self.queue is None:
            self._hands.keep((self.table, self.person), self)
            self.queue = MessageQueue(
                f"table {self.table}, a hand", self._show, _urgency, self._budget, ready=self._ready
            )
        return self.queue

    def show(self, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Update the hand if it is open; the edit waits `patience` seconds for something newer."""
        if self.queue:
            self.queue.want(HAND, whisper, patience=max(patience, whisper.patience))

    @property
    def is_known(self) -> bool:
        """Whether we know what the hand shows, or should show."""
        return self.queue is not None and self.queue.states.knows(HAND)

    @property
    def guild(self) -> int | None:
        """The server where the player sees the hand; 0 in one without the bot, None in a DM with the bot."""
        message = self._message
        return message.click.guild if message and not message.click.in_dm else None

    def posted(self) -> None:
        """Retry after the table's new post, and move below it if the player has to act."""
        if self.queue:
            self.queue.retry_now()
            if self._message and self._is_above(self._message.id, self.queue.states.newest(HAND)):
                self.queue.again(HAND)

    async def open(self, reply: Reply, whisper: Whisper, *, lasting: bool = False) -> None:
        """Answer a click on My hand; a `lasting` hand stays in a DM."""
        self.opened.states.forget(HAND)

        async def answer(newest: Whisper | None) -> Whisper | None:
            hand = newest or whisper
            if self._posts.holds_back(hand):
                hand = waiting_for_seal(reply.language)
            if self._posts.carry(reply):
                await reply.update(None)
            id = await reply.whisper(hand, patience=None, lasting=lasting)
            await self._move_to(_HandMessage(reply, id))
            return None if reply.lacks_pictures(id) else hand

        async with self.opened.carrying_click(HAND, answer):
            self.opened.want(HAND, whisper)

    @asynccontextmanager
    async def carrying_click(self, reply: Reply) -> AsyncIterator[None]:
        """Handle a click on such a hand; the answer on leaving carries the hand's newest state."""
        if self._message is None or self._message.id != reply.clicked:
            self.opened.states.forget(HAND)  # from now on this message shows the hand, not the one before

        async def answer(whisper: Whisper | None) -> Whisper | None:
            newest = whisper
            if (_has_to_act(whisper) and self._posts.owes_new) or self._is_above(reply.clicked, whisper):
                newest = moved_below(reply.language)
            elif whisper and self._posts.holds_back(whisper):
                newest = waiting_for_seal(reply.language)
            is_whole = await reply.update_at_once(newest)
            await self._move_to(_HandMessage(reply, reply.clicked))
            return newest if is_whole else None

        async with self.opened.carrying_click(HAND, answer):
            yield

    def late_edit(self) -> Callable[[Whisper], Awaitable[None]] | None:
        """A function that edits the hand even after it is forgotten, while its click's token is valid.

        None if the player hasn't opened it.
        """
        return partial(self._edit_late, self._message) if self._message else None

    async def _edit_late(self, message: _HandMessage, whisper: Whisper) -> None:
        """Edit this message, unless it shows another hand by now."""
        others = [hand._message for hand in self._hands.values]
        is_reused = any(other and other is not message and other.id == message.id for other in others)
        if message.click.token_valid and not is_reused:
            await message.click.edit(message.id, whisper, patience=None)

    async def _move_to(self, message: _HandMessage) -> None:
        """Show the hand in this message from now on, and delete the one before if its token is valid."""
        before, self._message = self._message, message
        if before and before.id != message.id and before.click.token_valid:
            await before.click.delete(before.id)

    def _is_above(self, message: int, whisper: Whisper | None) -> bool:
        """Whether the player has to act, and would have to scroll up to this message."""
        return _has_to_act(whisper) and message < self._posts.newest

    async def _ready(self, key: str, whisper: Whisper) -> None:
        """Wait for the posts that the hand belongs below, and draw its pictures ahead."""
        if self._posts.owes_new or self._posts.holds_back(whisper):
            await self._posts.idle()
        if message := self._message:
            await message.click.prepare(message.id, whisper)

    async def _show(self, key: str, whisper: Whisper) -> asyncio.Future[None] | None:
        message = self._message
        if message is None or not message.click.token_valid:
            self._message = None
            return None
        if not self._posts.may_show(whisper):
            self.opened.states.forget(HAND)
            return None
        try:
            if self._is_above(message.id, whisper):
                id = await message.click.whisper(whisper, patience=None)
                self._message = _HandMessage(message.click, id)
                await message.click.delete(message.id)
                return message.click.lacks_pictures(id)
            await message.click.edit(message.id, whisper, patience=None)
            return message.click.lacks_pictures(message.id)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault is Fault.ARCHIVED:  # until the game's next post, which may be on its way
                raise TimeoutError("its thread is archived") from error
            if fault not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # The player dismissed it, or it is too old: they can press My hand again.
            self._message = None
            return None


def _has_to_act(whisper: Whisper | None) -> bool:
    return whisper is not None and whisper.colour is Colour.TURN


def _urgency(key: str) -> Urgency | None:
    """Always free: such hands are only sent with clicks' tokens."""
    return None
