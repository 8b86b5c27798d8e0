"""The private hands that My hand shows in the channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.dms import held, stand_in
from bot.delivery.posts import Posts
from bot.delivery.queue import MessageQueue
from bot.delivery.reply import Reply
from bot.delivery.sending import Recipient
from bot.discord.faults import Fault, fault_of
from bot.vocabulary.messages import Colour, Whisper, in_words
from engine.languages import Language

#: Key of the one message in each queue.
HAND = "hand"


def moving(language: Language) -> Whisper:
    """Shown instead of a hand that is about to be sent again below, where a click would come too late."""
    why = language.say("Your hand comes below in a moment. If it does not, press **My hand**.")
    return stand_in(why, language)


@dataclass(frozen=True, slots=True)
class _Hand:
    """A message that shows a hand: `click` can change it until its token expires.

    It is the click's answer, a follow-up, or the message that was clicked.
    """

    click: Reply
    message: int


class MyHand:
    """A queue for each player who pressed My hand; the hand follows the game for 15 minutes.

    When the player has to act, the hand moves below the newest post, so that nobody has to scroll.
    """

    def __init__(self, posts: Posts, budget: Budget) -> None:
        self._posts = posts
        self._budget = budget
        self._queues: dict[Recipient, MessageQueue[Whisper]] = {}
        self._hands: dict[Recipient, _Hand] = {}

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """Every player's queue."""
        return list(self._queues.values())

    def show(self, table: int, person: int, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Update a hand that My hand has shown; it waits `patience` seconds for something newer."""
        if (table, person) in self._queues:
            patience = max(patience, whisper.patience)
            self._queue((table, person)).want(HAND, whisper, patience=patience)

    def retry_now(self, table: int) -> None:
        """Try again at once to show this table's hands that have failed."""
        for recipient, queue in self._queues.items():
            if recipient[0] == table:
                queue.retry_now()

    def knows(self, table: int, person: int) -> bool:
        """Whether we know what this player's hand shows, or should show."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.states.knows(HAND)

    def guild(self, table: int, person: int) -> int | None:
        """The server where this player sees their hand, 0 where the bot isn't; None in a DM with it."""
        hand = self._hands.get((table, person))
        return hand.click.guild if hand and not hand.click.in_dm else None

    def follow(self, table: int) -> None:
        """Move hands below the table's new post where their players have to act."""
        for recipient, hand in self._hands.items():
            states = self._queues[recipient].states
            if recipient[0] == table and self._is_above(table, hand.message, states.newest(HAND)):
                self._queues[recipient].again(HAND)

    async def open(self, table: int, reply: Reply, whisper: Whisper, *, lasting: bool = False) -> None:
        """Answer with the hand, as My hand does; a `lasting` one stays in a DM."""
        recipient = (table, reply.user_id)
        queue = self._queue(recipient)
        queue.states.forget(HAND)

        async def answer(newest: Whisper | None) -> Whisper | None:
            wanted = newest or whisper
            shown = held(reply.language) if self._posts.holds_back(table, wanted) else wanted
            if self._posts.carry(table, reply):
                await reply.update(None)
            id = await reply.whisper(shown, patience=None, lasting=lasting)
            await self._shows(recipient, _Hand(reply, id))
            return None if reply.lacks_pictures(id) else shown

        async with queue.carrying_click(HAND, answer):
            queue.want(HAND, whisper)

    @asynccontextmanager
    async def carrying_click(self, table: int, reply: Reply) -> AsyncIterator[None]:
        """Within, a click on such a hand is handled; its answer then carries the hand's newest state."""
        recipient = (table, reply.user_id)
        queue = self._queue(recipient)
        hand = self._hands.get(recipient)
        if hand is None or hand.message != reply.clicked:
            queue.states.forget(HAND)  # from now on this message shows it, not the one before

        async def answer(whisper: Whisper | None) -> Whisper | None:
            is_next = whisper is not None and whisper.colour is Colour.TURN and self._posts.owes_new(table)
            shown = whisper
            if is_next or self._is_above(table, reply.clicked, whisper):
                shown = moving(reply.language)
            elif whisper and self._posts.holds_back(table, whisper):
                shown = held(reply.language)
            is_whole = await reply.update_at_once(shown)
            await self._shows(recipient, _Hand(reply, reply.clicked))
            return shown if is_whole else None

        async with queue.carrying_click(HAND, answer):
            yield

    def late_edit(self, table: int, person: int) -> Callable[[Whisper], Awaitable[None]] | None:
        """What still edits this player's hand after it is forgotten, as long as its click's token is valid.

        Nothing if nobody has opened it. A message that shows another hand by then stays as it is.
        """
        hand = self._hands.get((table, person))
        return partial(self._edit_late, hand) if hand else None

    async def _edit_late(self, hand: _Hand, whisper: Whisper) -> None:
        is_taken = any(one is not hand and one.message == hand.message for one in self._hands.values())
        if hand.click.token_valid and not is_taken:
            await hand.click.edit(hand.message, whisper, patience=None)

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queues once they are empty, as Posts does; False if the bot stops first."""
        for recipient in [recipient for recipient in self._queues if recipient[0] == table]:
            if not await self._queues[recipient].empty(in_words, until):
                return False
            del self._queues[recipient]
            self._hands.pop(recipient, None)
        return True

    async def _shows(self, recipient: Recipient, hand: _Hand) -> None:
        """Show the hand in this message from now on, and delete the one before while its token is valid."""
        before = self._hands.get(recipient)
        self._hands[recipient] = hand
        if before and before.message != hand.message and before.click.token_valid:
            await before.click.delete(before.message)

    def _is_above(self, table: int, message: int, whisper: Whisper | None) -> bool:
        """Whether the player has to act, and would have to scroll up to this message."""
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
        """Wait for the posts that the hand belongs below, and draw its pictures ahead."""
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
                await hand.click.delete(hand.message)
                return hand.click.lacks_pictures(id)
            await hand.click.edit(hand.message, whisper, patience=None)
            return hand.click.lacks_pictures(hand.message)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault is Fault.ARCHIVED:  # until the game's next post, which may be on its way
                raise TimeoutError("its thread is archived") from error
            if fault not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they can press My hand again.
            self._hands.pop(recipient, None)
            return None


def _urgency(key: str) -> Urgency | None:
    """Always free: such hands are only sent with clicks' tokens."""
    return None
