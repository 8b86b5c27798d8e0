"""The hands that My hand shows in the channel, each to its player alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.dms import HELD
from bot.delivery.posts import Posts
from bot.delivery.queue import MessageQueue
from bot.delivery.reply import Reply
from bot.delivery.sending import Recipient
from bot.faults import Fault, fault_of
from bot.messages import Colour, Whisper

#: Key of the one message in each queue.
HAND = "hand"
#: In place of a hand that is about to come again below what happens now: a click would come too late.
MOVING = Whisper(
    ("### Your hand\n-# Your hand comes below in a moment. If it does not, press **My hand**.",), Colour.DONE
)


@dataclass(frozen=True, slots=True)
class _Hand:
    """A message that shows a hand: `click` can change it until its token expires.

    It is what the click was answered with, a follow-up, or the message it came from.
    """

    click: Reply
    message: int


class MyHand:
    """A queue for each player who has pressed My hand; it follows the game for some minutes.

    A hand with which something is to be done comes below the newest post, where nobody has to scroll for it.
    """

    def __init__(self, posts: Posts, budget: Budget) -> None:
        self._posts = posts
        self._budget = budget
        self._queues: dict[Recipient, MessageQueue[Whisper]] = {}
        self._hands: dict[Recipient, _Hand] = {}

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """All of them."""
        return list(self._queues.values())

    def show(self, table: int, person: int, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Show this where My hand has shown a hand before; with patience if nothing newer comes."""
        if (table, person) in self._queues:
            patience = max(patience, whisper.patience)
            self._queue((table, person)).want(HAND, whisper, patience=patience)

    def knows(self, table: int, person: int) -> bool:
        """Whether it is known what this player's hand looks like, or should."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.states.knows(HAND)

    def follow(self, table: int) -> None:
        """The table has a new post: hands that now stand above it come below, where that matters."""
        for recipient, hand in self._hands.items():
            states = self._queues[recipient].states
            if recipient[0] == table and self._is_above(table, hand.message, states.newest(HAND)):
                self._queues[recipient].again(HAND)

    async def open(self, table: int, reply: Reply, whisper: Whisper) -> None:
        """Answer My hand."""
        recipient = (table, reply.user_id)
        queue = self._queue(recipient)
        queue.states.forget(HAND)

        async def answer(newest: Whisper | None) -> Whisper | None:
            wanted = newest or whisper
            shown = HELD if self._posts.holds_back(table, wanted) else wanted
            if self._posts.carry(table, reply):
                await reply.update(None)
            id = await reply.whisper(shown, patience=None)
            await self._shows(recipient, _Hand(reply, id))
            return None if reply.lacks_pictures(id) else shown

        async with queue.answering(HAND, answer):
            queue.want(HAND, whisper)

    @asynccontextmanager
    async def answering(self, table: int, reply: Reply) -> AsyncIterator[None]:
        """While a click on such a hand is dealt with, which then takes along what the hand looks like."""
        recipient = (table, reply.user_id)
        queue = self._queue(recipient)
        hand = self._hands.get(recipient)
        if hand is None or hand.message != reply.clicked:
            queue.states.forget(HAND)  # another message shows it: from now on this one does

        async def answer(whisper: Whisper | None) -> Whisper | None:
            is_next = whisper is not None and whisper.colour is Colour.TURN and self._posts.owes_new(table)
            shown = MOVING if is_next or self._is_above(table, reply.clicked, whisper) else whisper
            if shown is whisper and whisper and self._posts.holds_back(table, whisper):
                shown = HELD
            is_whole = await reply.update_at_once(shown)
            await self._shows(recipient, _Hand(reply, reply.clicked))
            return shown if is_whole else None

        async with queue.answering(HAND, answer):
            yield

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the table's queues; False if the bot stops before."""
        for recipient in [recipient for recipient in self._queues if recipient[0] == table]:
            if not await self._queues[recipient].empty():
                return False
            del self._queues[recipient]
            self._hands.pop(recipient, None)
        return True

    async def _shows(self, recipient: Recipient, hand: _Hand) -> None:
        """From now on this message shows it; one that did is taken away, as long as its click can do that."""
        before = self._hands.get(recipient)
        self._hands[recipient] = hand
        if before and before.message != hand.message and before.click.token_valid:
            await before.click.take_away(before.message)

    def _is_above(self, table: int, message: int, whisper: Whisper | None) -> bool:
        """Whether a player would have to scroll up to this message, with which something is to be done."""
        is_asked = whisper is not None and whisper.colour is Colour.TURN
        return is_asked and message < self._posts.newest(table)

    def _queue(self, recipient: Recipient) -> MessageQueue[Whisper]:
        if recipient not in self._queues:
            self._queues[recipient] = MessageQueue(
                f"table {recipient[0]}, a hand",
                lambda _, whisper: self._show(recipient, whisper),
                _urgency,
                self._budget,
                ready=lambda _, whisper: self._ready(recipient, whisper),
            )
        return self._queues[recipient]

    async def _ready(self, recipient: Recipient, whisper: Whisper) -> None:
        """A hand comes after what it belongs below, and is drawn before a click could wait for it."""
        if self._posts.owes_new(recipient[0]) or self._posts.holds_back(recipient[0], whisper):
            await self._posts.idle(recipient[0])
        if hand := self._hands.get(recipient):
            await hand.click.prepare(hand.message, whisper)

    async def _show(self, recipient: Recipient, whisper: Whisper) -> asyncio.Future[None] | None:
        hand = self._hands.get(recipient)
        if hand is None or not hand.click.token_valid:
            self._hands.pop(recipient, None)
            return None
        if not self._posts.may_show(recipient[0], whisper):
            self._queues[recipient].states.forget(HAND)
            return None
        try:
            if self._is_above(recipient[0], hand.message, whisper):
                id = await hand.click.whisper(whisper, patience=None)
                self._hands[recipient] = _Hand(hand.click, id)
                await hand.click.take_away(hand.message)
                return hand.click.lacks_pictures(id)
            await hand.click.edit(hand.message, whisper, patience=None)
            return hand.click.lacks_pictures(hand.message)
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they press My hand when they want it again.
            self._hands.pop(recipient, None)
            return None


def _urgency(key: str) -> Urgency | None:
    """Such hands go through clicks' own tokens alone."""
    return None
