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
from bot.delivery.kept import Kept
from bot.delivery.posts import Posts, TablePosts
from bot.delivery.queue import MessageQueue
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
class _Shown:
    """A message that shows a hand: `click` can change it until its token expires.

    It is the click's answer, a follow-up, or the message that was clicked.
    """

    click: Reply
    message: int


class MyHand:
    """Each player's hand under My hand, which follows the game for 15 minutes: `of` finds it."""

    def __init__(self, posts: Posts, budget: Budget) -> None:
        def make(recipient: Recipient) -> PrivateHand:
            return PrivateHand(*recipient, posts.of(recipient[0]), budget, self._hands)

        self._hands: Kept[Recipient, PrivateHand] = Kept(make)

    def of(self, table: int, person: int) -> PrivateHand:
        """This player's hand at this table, opened or not."""
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
        """Drop the table's queues once they are empty, as Posts does; False if the bot stops first."""
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

    When the player has to act, the hand moves below the newest post, so that nobody has to scroll.
    """

    def __init__(
        self, table: int, person: int, posts: TablePosts, budget: Budget, hands: Kept[Recipient, PrivateHand]
    ) -> None:
        self.table = table
        self.person = person
        self.queue: MessageQueue[Whisper] | None = None
        self._posts = posts
        self._budget = budget
        self._hands = hands
        self._shown: _Shown | None = None

    @property
    def opened(self) -> MessageQueue[Whisper]:
        """The queue, which there is from now on."""
        if self.queue is None:
            self._hands.keep((self.table, self.person), self)
            self.queue = MessageQueue(
                f"table {self.table}, a hand", self._show, _urgency, self._budget, ready=self._ready
            )
        return self.queue

    def show(self, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Update a hand that is open; it waits `patience` seconds for something newer."""
        if self.queue:
            self.queue.want(HAND, whisper, patience=max(patience, whisper.patience))

    @property
    def is_known(self) -> bool:
        """Whether we know what the hand shows, or should show."""
        return self.queue is not None and self.queue.states.knows(HAND)

    @property
    def guild(self) -> int | None:
        """The server where the player sees it, 0 where the bot isn't; None in a DM with it."""
        shown = self._shown
        return shown.click.guild if shown and not shown.click.in_dm else None

    def posted(self) -> None:
        """The table has a new post: try again what has failed, and move below it if the player has to act."""
        if self.queue:
            self.queue.retry_now()
            if self._shown and self._is_above(self._shown.message, self.queue.states.newest(HAND)):
                self.queue.again(HAND)

    async def open(self, reply: Reply, whisper: Whisper, *, lasting: bool = False) -> None:
        """Answer with the hand, as My hand does; a `lasting` one stays in a DM."""
        self.opened.states.forget(HAND)

        async def answer(newest: Whisper | None) -> Whisper | None:
            wanted = newest or whisper
            shown = waiting_for_seal(reply.language) if self._posts.holds_back(wanted) else wanted
            if self._posts.carry(reply):
                await reply.update(None)
            id = await reply.whisper(shown, patience=None, lasting=lasting)
            await self._shows(_Shown(reply, id))
            return None if reply.lacks_pictures(id) else shown

        async with self.opened.carrying_click(HAND, answer):
            self.opened.want(HAND, whisper)

    @asynccontextmanager
    async def carrying_click(self, reply: Reply) -> AsyncIterator[None]:
        """Within, a click on such a hand is handled; its answer then carries the hand's newest state."""
        if self._shown is None or self._shown.message != reply.clicked:
            self.opened.states.forget(HAND)  # from now on this message shows it, not the one before

        async def answer(whisper: Whisper | None) -> Whisper | None:
            is_asked = whisper is not None and whisper.colour is Colour.TURN
            shown = whisper
            if (is_asked and self._posts.owes_new) or self._is_above(reply.clicked, whisper):
                shown = moved_below(reply.language)
            elif whisper and self._posts.holds_back(whisper):
                shown = waiting_for_seal(reply.language)
            is_whole = await reply.update_at_once(shown)
            await self._shows(_Shown(reply, reply.clicked))
            return shown if is_whole else None

        async with self.opened.carrying_click(HAND, answer):
            yield

    def late_edit(self) -> Callable[[Whisper], Awaitable[None]] | None:
        """What still edits the hand after it is forgotten, as long as its click's token is valid.

        Nothing if nobody has opened it.
        """
        return partial(self._edit_late, self._shown) if self._shown else None

    async def _edit_late(self, shown: _Shown, whisper: Whisper) -> None:
        """Edit it, unless its message shows another hand by now."""
        others = [hand._shown for hand in self._hands.values]
        is_taken = any(one and one is not shown and one.message == shown.message for one in others)
        if shown.click.token_valid and not is_taken:
            await shown.click.edit(shown.message, whisper, patience=None)

    async def _shows(self, shown: _Shown) -> None:
        """Show the hand in this message from now on, and delete the one before while its token is valid."""
        before, self._shown = self._shown, shown
        if before and before.message != shown.message and before.click.token_valid:
            await before.click.delete(before.message)

    def _is_above(self, message: int, whisper: Whisper | None) -> bool:
        """Whether the player has to act, and would have to scroll up to this message."""
        is_asked = whisper is not None and whisper.colour is Colour.TURN
        return is_asked and message < self._posts.newest

    async def _ready(self, key: str, whisper: Whisper) -> None:
        """Wait for the posts that the hand belongs below, and draw its pictures ahead."""
        if self._posts.owes_new or self._posts.holds_back(whisper):
            await self._posts.idle()
        if shown := self._shown:
            await shown.click.prepare(shown.message, whisper)

    async def _show(self, key: str, whisper: Whisper) -> asyncio.Future[None] | None:
        shown = self._shown
        if shown is None or not shown.click.token_valid:
            self._shown = None
            return None
        if not self._posts.may_show(whisper):
            self.opened.states.forget(HAND)
            return None
        try:
            if self._is_above(shown.message, whisper):
                id = await shown.click.whisper(whisper, patience=None)
                self._shown = _Shown(shown.click, id)
                await shown.click.delete(shown.message)
                return shown.click.lacks_pictures(id)
            await shown.click.edit(shown.message, whisper, patience=None)
            return shown.click.lacks_pictures(shown.message)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault is Fault.ARCHIVED:  # until the game's next post, which may be on its way
                raise TimeoutError("its thread is archived") from error
            if fault not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they can press My hand again.
            self._shown = None
            return None


def _urgency(key: str) -> Urgency | None:
    """Always free: such hands are only sent with clicks' tokens."""
    return None
