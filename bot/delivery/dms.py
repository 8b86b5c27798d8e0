"""The messages that show players their hands by DM."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.last_clicks import LastClicks
from bot.delivery.packing import Address
from bot.delivery.posts import OnFault, Posts
from bot.delivery.queue import MessageQueue
from bot.delivery.sending import Recipient, Reply, Sender
from bot.delivery.sent import SentMessages, Shown
from bot.faults import NETWORK, Fault, fault_of
from bot.messages import Colour, Whisper
from bot.render.absence import AWAY, VOTE
from bot.render.text import message_link

log = logging.getLogger(__name__)
#: In place of a hand until the post with its deal's seal stands in the channel.
HELD = Whisper(
    (
        "### Your hand\n-# Your cards come here once the deal's seal is posted in the channel. "
        "If they don't, press **My hand** there.",
    ),
    Colour.DONE,
)


class Dms:
    """A queue for each player of each table."""

    def __init__(
        self, sender: Sender, sent: SentMessages, posts: Posts, budget: Budget, on_fault: OnFault
    ) -> None:
        self._sender = sender
        self._sent = sent
        self._posts = posts
        self._budget = budget
        self._on_fault = on_fault
        self._queues: dict[Recipient, MessageQueue[Whisper]] = {}
        self._clicks: LastClicks[Recipient] = LastClicks(budget)
        self._refused: set[Recipient] = set()
        self._letters: dict[Recipient, set[str]] = {}  # the keys of open DMs other than hands
        self._greetings: dict[Recipient, asyncio.Lock] = {}

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """All of them."""
        return list(self._queues.values())

    def show(
        self,
        table: int,
        person: int,
        deal: int,
        whisper: Whisper,
        *,
        create: bool = True,
        patience: float = 0.0,
    ) -> None:
        """Show a player their hand in this deal, unless they take no DMs.

        After `patience` seconds if nothing newer comes. Unless `create`, only where an earlier state of it is
        shown already.
        """
        self._want(table, person, _key(deal, person), whisper, create=create, patience=patience)

    def write(self, table: int, person: int, letter: str, whisper: Whisper) -> None:
        """Let a DM other than a hand look so; one that was never sent is not sent when it is final."""
        recipient, key = (table, person), f"{letter}:{person}"
        queue = self._queues.get(recipient)
        is_there = self._sent.address(table, key) or (queue and queue.states.on_its_way == key)
        if is_there or not whisper.is_final:
            self._letters_of(recipient).add(letter)
            self._want(table, person, key, whisper, create=True)
            return
        self._letters_of(recipient).discard(letter)
        if queue:
            queue.drop(key)

    def letters(self, table: int, person: int) -> list[str]:
        """The keys of this player's open DMs other than hands."""
        return sorted(self._letters_of((table, person)))

    def _letters_of(self, recipient: Recipient) -> set[str]:
        if recipient not in self._letters:
            end = f":{recipient[1]}"
            keys = [key for key in self._sent.parts(recipient[0]) if _is_letter(key) and key.endswith(end)]
            self._letters[recipient] = {key.removesuffix(end) for key in keys}
        return self._letters[recipient]

    def _want(
        self, table: int, person: int, key: str, whisper: Whisper, *, create: bool, patience: float = 0.0
    ) -> None:
        recipient = (table, person)
        if recipient in self._refused or not (create or self._sent.address(table, key)):
            return
        queue = self._queue(recipient)
        if self._sent.looked_like(table, key, whisper):
            queue.states.looks(key, whisper)
        else:
            queue.want(key, whisper, patience=max(patience, whisper.patience))

    def is_open(self, table: int, person: int, deal: int) -> bool:
        """Whether a DM of this deal is there, or about to be, and is not known to be final."""
        queue, key = self._queues.get((table, person)), _key(deal, person)
        if queue and queue.states.is_coming(key):
            return True
        shown = queue.states.shown(key) if queue else None
        is_final = shown is not None and shown.is_final
        return not is_final and self.link(table, person, deal) is not None

    def open_before(self, table: int, person: int, deal: int) -> int | None:
        """The newest deal before this one of which there is a DM, unless that is known to be final.

        Nobody gets one of the deals for which they are away, so it may be an old one.
        """
        queue = self._queues.get((table, person))
        for number in range(deal - 1, 0, -1):
            key = _key(number, person)
            if self._sent.address(table, key) or (queue and queue.states.is_coming(key)):
                return number if self.is_open(table, person, number) else None
        return None

    def knows(self, table: int, person: int, deal: int) -> bool:
        """Whether it is known what the DM of this deal looks like, or should."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.states.knows(_key(deal, person))

    def answering(self, table: int, deal: int, reply: Reply) -> AbstractAsyncContextManager[None]:
        """While a click on a hand in a DM is dealt with, which then takes along what the hand looks like."""
        return self._answering(table, _key(deal, reply.person), reply)

    @asynccontextmanager
    async def answering_letter(self, table: int, reply: Reply) -> AsyncIterator[bool]:
        """The same of a click on another of our DMs; yields whether it was on one that is still open."""
        found = [f"{letter}:{reply.person}" for letter in self.letters(table, reply.person)]
        key = next(
            (key for key in found if self._sent.address(table, key) == (reply.channel, reply.clicked)), ""
        )
        if not key:
            yield False
            return
        async with self._answering(table, key, reply):
            yield True

    @asynccontextmanager
    async def _answering(self, table: int, key: str, reply: Reply) -> AsyncIterator[None]:
        recipient = (table, reply.person)
        queue, address = self._queue(recipient), self._sent.address(table, key)
        if address is None or address[1] != reply.clicked:
            queue.states.forget(key)  # another message shows it: from now on this one does

        async def answer(whisper: Whisper | None) -> Whisper | None:
            shown = HELD if whisper and self._posts.holds_back(table, whisper) else whisper
            is_whole = await reply.update_at_once(shown)
            self._clicks.keep(recipient, reply)
            here = (reply.channel, reply.clicked)
            if whisper and self._sent.address(table, key) != here:
                await self._sent.put(table, key, here)
            if whisper:
                await self._lay_aside(table, key, whisper)
            return shown if is_whole else None

        async with queue.answering(key, answer):
            yield

    async def leave(self, table: int, person: int) -> None:
        """Send this person nothing more about the table, once what is on its way has arrived."""
        self._clicks.drop((table, person))
        self._letters.pop((table, person), None)
        if queue := self._queues.pop((table, person), None):
            queue.hurry()
            await queue.idle()
            queue.close()

    async def leave_all(self, person: int) -> None:
        """The same of all tables, those that are over too: their last words may still be on their way."""
        for table, recipient in list(self._queues):
            if recipient == person:
                await self.leave(table, person)

    def link(self, table: int, person: int, deal: int) -> str | None:
        """The address of the DM that shows this player's hand."""
        address = self._sent.address(table, _key(deal, person))
        return message_link(0, *address) if address else None

    async def greet(self, table: int, person: int, whisper: Whisper) -> bool:
        """Whether a first DM about this table arrives; once it has, no other is sent."""
        part = f"welcome:{person}"
        async with self._greetings.setdefault((table, person), asyncio.Lock()):
            if self._sent.address(table, part):
                return True
            self._refused.discard((table, person))
            address = await self.tell(table, person, whisper)
            if address is None:
                return False
            await self._sent.put(table, part, address)
            return True

    async def tell(self, table: int, person: int, whisper: Whisper) -> Address | None:
        """Send a DM that nothing ever changes; None if it does not arrive."""
        await self._budget.turn(Urgency.NEW)
        try:
            return await self._sender.dm(person, whisper, secrets.token_hex(12))
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is Fault.DM_REFUSED:
                # Never tried again by itself: refusals in numbers get a bot banned.
                self._refused.add((table, person))
            else:
                log.warning("table %s: a DM could not be sent: %s", table, error)
            return None

    @property
    def shown(self) -> Iterator[Shown]:
        """The DMs that are certain to look so."""
        for (table, _), queue in self._queues.items():
            yield from ((table, key, dm) for key, dm in queue.states.all_shown.items())

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the table's queues; False if the bot stops before."""
        for recipient, queue in [one for one in self._queues.items() if one[0][0] == table]:
            if not await queue.empty() and recipient in self._queues:  # not if they have left meanwhile
                return False
            self._queues.pop(recipient, None)
        self._clicks.forget(table)
        self._refused = {recipient for recipient in self._refused if recipient[0] != table}
        self._letters = {
            recipient: keys for recipient, keys in self._letters.items() if recipient[0] != table
        }
        self._greetings = {greeted: lock for greeted, lock in self._greetings.items() if greeted[0] != table}
        return True

    def _queue(self, recipient: Recipient) -> MessageQueue[Whisper]:
        if recipient not in self._queues:
            self._sent.begin(*recipient)
            self._queues[recipient] = MessageQueue(
                f"table {recipient[0]}, a DM",
                partial(self._show, recipient),
                partial(self._urgency, recipient),
                self._budget,
                ready=partial(self._ready, recipient),
            )
        return self._queues[recipient]

    async def _ready(self, recipient: Recipient, key: str, whisper: Whisper) -> None:
        """A hand comes after the post that it follows, and one that is known is drawn before its turn."""
        if self._posts.holds_back(recipient[0], whisper):
            await self._posts.idle(recipient[0])
        if address := self._sent.address(recipient[0], key):
            await self._sender.prepare(address, whisper)

    def _urgency(self, recipient: Recipient, key: str) -> Urgency | None:
        address = self._sent.address(recipient[0], key)
        click = self._clicks.find(recipient)
        if click and (address is None or address[1] == click.clicked):
            return None
        return Urgency.EDIT if address else Urgency.NEW

    async def _show(self, recipient: Recipient, key: str, whisper: Whisper) -> None:
        if not self._posts.may_show(recipient[0], whisper):
            if queue := self._queues.get(recipient):  # not if they have left meanwhile
                queue.states.forget(key)
            return
        try:
            address = self._sent.address(recipient[0], key)
            if address is None or not await self._edit(recipient, address, whisper):
                await self._send(recipient, key, whisper, address)
            await self._lay_aside(recipient[0], key, whisper)
        except discord.HTTPException as error:
            if fault_of(error) in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                self._refused.add(recipient)
                self._on_fault(recipient[0], Fault.DM_REFUSED, recipient[1])
            raise

    async def _lay_aside(self, table: int, key: str, whisper: Whisper) -> None:
        """Forget where a DM other than a hand stands once it is final."""
        if whisper.is_final and _is_letter(key):
            letter, _, person = key.rpartition(":")
            self._letters_of((table, int(person))).discard(letter)
            await self._sent.drop(table, key)

    async def _edit(self, recipient: Recipient, address: Address, whisper: Whisper) -> bool:
        """Whether the DM is still there to be edited; through the player's last click where that serves."""
        try:
            if not await self._clicks.update(recipient, address[1], whisper):
                await self._sender.edit(address, whisper)
            return True
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            self._budget.spend()
            return False

    async def _send(self, recipient: Recipient, key: str, whisper: Whisper, old: Address | None) -> None:
        table, person = recipient
        with self._sent.sending(table, person) as is_doubtful:
            address = None
            if not is_doubtful:
                address = await self._clicks.follow_up(recipient, whisper)
            elif self._clicks.find(recipient):
                # A follow-up knows no nonce: what may have been sent before goes the way that does.
                self._budget.spend()
            if address is None:
                address = await self._sender.dm(person, whisper, self._sent.nonce(f"{table} {key} {old}"))
            await self._sent.put(table, key, address)
            if is_doubtful:
                self._budget.spend()
                await self._sender.edit(address, whisper)


def _is_letter(key: str) -> bool:
    return key.startswith((AWAY, VOTE)) and ":" in key


def _key(deal: int, person: int) -> str:
    return f"hand{deal}:{person}"
