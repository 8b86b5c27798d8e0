"""The messages that show players their hands by DM."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.last_clicks import LastClicks
from bot.delivery.posts import OnFault, Posts
from bot.delivery.queue import MessageQueue
from bot.delivery.sending import Address, Reply, Sender
from bot.delivery.sent import SentMessages, Shown, nonce
from bot.faults import NETWORK, Fault, fault_of
from bot.messages import Colour, Whisper

#: A table, and one of its players.
Mine = tuple[int, int]
log = logging.getLogger(__name__)


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
        self._queues: dict[Mine, MessageQueue[Whisper]] = {}
        self._clicks: LastClicks[Mine] = LastClicks(budget)
        self._refused: set[Mine] = set()

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """All of them."""
        return list(self._queues.values())

    def show(self, table: int, person: int, deal: int, whisper: Whisper, *, create: bool = True) -> None:
        """Show a player their hand in this deal, unless they take no DMs.

        Unless `create`, only where an earlier state of it is shown already.
        """
        mine, key = (table, person), _key(deal)
        address = self._sent.address(table, _part(key, person))
        if mine in self._refused or not (create or address):
            return
        queue = self._queue(mine)
        if self._sent.looked_like(table, _part(key, person), whisper):
            queue.looks(key, whisper)
        else:
            queue.want(key, whisper, patience=whisper.patience)

    def offers(self, table: int, person: int, deal: int) -> bool:
        """Whether the DM of this deal still asks its player for something."""
        queue = self._queues.get((table, person))
        shown = queue.shown.get(_key(deal)) if queue else None
        return shown is not None and shown.colour is Colour.TURN

    def knows(self, table: int, person: int, deal: int) -> bool:
        """Whether it is known what the DM of this deal looks like, or should."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.knows(_key(deal))

    @asynccontextmanager
    async def answering(self, table: int, deal: int, reply: Reply) -> AsyncIterator[None]:
        """While a click on a hand in a DM is dealt with, which then takes along what the hand looks like."""
        mine, key = (table, reply.person), _key(deal)
        queue = self._queue(mine)
        part = _part(key, reply.person)
        address = self._sent.address(table, part)
        if address is None or address[1] != reply.clicked:
            queue.forget(key)  # another message shows it: from now on this one does

        async def answer(whisper: Whisper | None) -> Whisper | None:
            await reply.update(whisper)
            self._clicks.keep(mine, reply)
            here = (reply.interaction.channel_id or 0, reply.clicked)
            if whisper and self._sent.address(table, part) != here:
                await self._sent.put(table, part, here)
            return whisper

        async with queue.answering(key, answer):
            yield

    async def leave(self, table: int, person: int) -> None:
        """Send this person nothing more about the table, once what is on its way has arrived."""
        self._clicks.drop((table, person))
        if queue := self._queues.pop((table, person), None):
            queue.hurry()
            await queue.idle()
            queue.close()

    def link(self, table: int, person: int, deal: int) -> str | None:
        """The address of the DM that shows this player's hand."""
        address = self._sent.address(table, _part(_key(deal), person))
        return f"https://discord.com/channels/@me/{address[0]}/{address[1]}" if address else None

    async def greet(self, table: int, person: int, whisper: Whisper) -> bool:
        """Whether a first DM about this table arrives; once it has, no other is sent."""
        part = f"welcome:{person}"
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
        for (table, person), queue in self._queues.items():
            yield from ((table, _part(key, person), dm) for key, dm in queue.shown.items())

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the table's queues; False if the bot stops before."""
        for mine in [mine for mine in self._queues if mine[0] == table]:
            if not await self._queues[mine].empty():
                return False
            del self._queues[mine]
        self._clicks.forget(table)
        self._refused = {mine for mine in self._refused if mine[0] != table}
        return True

    def _queue(self, mine: Mine) -> MessageQueue[Whisper]:
        if mine not in self._queues:
            self._sent.begin(*mine)
            self._queues[mine] = MessageQueue(
                f"table {mine[0]}, a DM",
                lambda key, whisper: self._show(mine, key, whisper),
                lambda key: self._urgency(mine, key),
                self._budget,
                ready=lambda key: self._ready(mine, key),
            )
        return self._queues[mine]

    async def _ready(self, mine: Mine, key: str) -> None:
        """A new hand follows the post with its seal."""
        if not self._sent.address(mine[0], _part(key, mine[1])):
            await self._posts.idle(mine[0])

    def _urgency(self, mine: Mine, key: str) -> Urgency | None:
        address, click = self._sent.address(mine[0], _part(key, mine[1])), self._clicks.find(mine)
        if click and (address is None or address[1] == click.clicked):
            return None
        return Urgency.EDIT if address else Urgency.NEW

    async def _show(self, mine: Mine, key: str, whisper: Whisper) -> None:
        try:
            address = self._sent.address(mine[0], _part(key, mine[1]))
            if address is None or not await self._edit(mine, address, whisper):
                await self._send(mine, key, whisper, address)
        except discord.HTTPException as error:
            if fault_of(error) in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                self._refused.add(mine)
                self._on_fault(mine[0], Fault.DM_REFUSED, mine[1])
            raise

    async def _edit(self, mine: Mine, address: Address, whisper: Whisper) -> bool:
        """Whether the DM is still there to be edited; through the player's last click where that serves."""
        click = self._clicks.find(mine)
        try:
            was_clicked = click is not None and click.clicked == address[1]
            if not (was_clicked and await self._clicks.update(mine, whisper)):
                await self._sender.edit(address, whisper)
            return True
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            self._budget.spend()
            return False

    async def _send(self, mine: Mine, key: str, whisper: Whisper, old: Address | None) -> None:
        table, person = mine
        if self._posts.owes_new(table):
            raise TimeoutError("the seal of a deal lies open before its hands are sent")
        with self._sent.sending(table, person) as is_doubtful:
            address = None
            if not is_doubtful:
                address = await self._clicks.follow_up(mine, whisper)
            elif self._clicks.find(mine):
                # A follow-up knows no nonce: what may have been sent before goes the way that does.
                self._budget.spend()
            if address is None:
                address = await self._sender.dm(person, whisper, nonce(f"{table} {key} {person} {old}"))
            await self._sent.put(table, _part(key, person), address)
            if is_doubtful:
                self._budget.spend()
                await self._sender.edit(address, whisper)


def _key(deal: int) -> str:
    return f"hand{deal}"


def _part(key: str, person: int) -> str:
    return f"{key}:{person}"
