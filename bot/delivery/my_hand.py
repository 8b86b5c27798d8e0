"""The hands that My hand shows in the channel, each to its player alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.posts import Posts
from bot.delivery.queue import MessageQueue
from bot.delivery.sending import Recipient, Reply
from bot.faults import Fault, fault_of
from bot.messages import Colour, Whisper

#: Key of the one message in each queue.
HAND = "hand"
#: In place of a hand that is about to come again below what happens now: a click would come too late.
MOVING = Whisper(
    ("### Your hand\n-# Your hand comes below in a moment. If it does not, press **My hand**.",), Colour.DONE
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A hand under My hand, and the post below which it belongs so that nobody has to scroll for it."""

    whisper: Whisper
    below: str | None = None


@dataclass(frozen=True, slots=True)
class _Hand:
    """A message that shows a hand: `click` can change it until its token expires.

    It is what the click was answered with, a follow-up, or the message it came from.
    """

    click: Reply
    message: int
    below: str | None


class MyHand:
    """A queue for each player who has pressed My hand; it follows the game for some minutes."""

    def __init__(self, posts: Posts, budget: Budget) -> None:
        self._posts = posts
        self._budget = budget
        self._queues: dict[Recipient, MessageQueue[Placed]] = {}
        self._hands: dict[Recipient, _Hand] = {}

    @property
    def queues(self) -> list[MessageQueue[Placed]]:
        """All of them."""
        return list(self._queues.values())

    def show(self, table: int, person: int, placed: Placed) -> None:
        """Show this where My hand has shown a hand before."""
        if (table, person) in self._queues:
            self._queue((table, person)).want(HAND, placed, patience=placed.whisper.patience)

    def knows(self, table: int, person: int) -> bool:
        """Whether it is known what this player's hand looks like, or should."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.knows(HAND)

    async def open(self, table: int, reply: Reply, placed: Placed, below: str) -> None:
        """Answer My hand, pressed when `below` was the newest post."""
        recipient = (table, reply.person)
        queue = self._queue(recipient)
        queue.forget(HAND)
        if self._posts.owes_new(table):
            below = ""  # that post is still to come, and the hand then follows it

        async def answer(newest: Placed | None) -> Placed | None:
            shown = newest or placed
            self._hands[recipient] = _Hand(reply, await reply.whisper(shown.whisper), below)
            return Placed(shown.whisper, shown.below and below)

        async with queue.answering(HAND, answer):
            queue.want(HAND, placed)

    @asynccontextmanager
    async def answering(self, table: int, reply: Reply) -> AsyncIterator[None]:
        """While a click on such a hand is dealt with, which then takes along what the hand looks like."""
        recipient = (table, reply.person)
        queue = self._queue(recipient)
        if self._stands_below(recipient, reply) is None:
            queue.forget(HAND)  # another message shows it: from now on this one does

        async def answer(placed: Placed | None) -> Placed | None:
            below = self._stands_below(recipient, reply)
            shown = placed
            if placed and placed.below not in (None, below):
                shown = Placed(MOVING, below)
            await reply.update(shown.whisper if shown else None)
            self._hands[recipient] = _Hand(reply, reply.clicked, below)
            return shown

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

    def _stands_below(self, recipient: Recipient, reply: Reply) -> str | None:
        """The post below which the hand stands that was clicked, if it is the newest."""
        hand = self._hands.get(recipient)
        return hand.below if hand and hand.message == reply.clicked else None

    def _queue(self, recipient: Recipient) -> MessageQueue[Placed]:
        if recipient not in self._queues:
            self._queues[recipient] = MessageQueue(
                f"table {recipient[0]}, a hand",
                lambda _, placed: self._show(recipient, placed),
                _urgency,
                self._budget,
                ready=lambda _: self._posts.idle(recipient[0]),
            )
        return self._queues[recipient]

    async def _show(self, recipient: Recipient, placed: Placed) -> None:
        hand = self._hands.get(recipient)
        if hand is None or not hand.click.serves:
            self._hands.pop(recipient, None)
            return
        try:
            if placed.below in (None, hand.below):
                await hand.click.edit(hand.message, placed.whisper)
            else:
                id = await hand.click.whisper(placed.whisper)
                self._hands[recipient] = _Hand(hand.click, id, placed.below)
                await hand.click.take_away(hand.message)
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they press My hand when they want it again.
            self._hands.pop(recipient, None)


def _urgency(key: str) -> Urgency | None:
    """Such hands go through clicks' own tokens alone."""
    return None
