"""Sending, editing and deleting messages with the bot's token."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import discord

from bot.delivery.budget import Budget
from bot.delivery.building import PICTURE_PATIENCE, Address, MessageBuilder
from bot.delivery.dm_channels import DmChannels
from bot.delivery.reposting import ForeignMessages
from bot.discord.faults import Fault, fault_of, is_too_fast
from bot.vocabulary.messages import Message, Post, Whisper

#: A table, and the player who gets a private message about it.
Recipient = tuple[int, int]


class Sender:
    """Sends and edits messages with the bot's token; callers take a turn of the budget first."""

    def __init__(
        self,
        client: discord.Client,
        budget: Budget,
        foreign: ForeignMessages,
        builder: MessageBuilder,
        channels: DmChannels,
    ) -> None:
        self._client = client
        self._budget = budget
        self._foreign = foreign
        self._builder = builder
        self._channels = channels

    async def post(self, channel: int, message: Message, nonce: str, ping: Collection[int] = ()) -> Address:
        """Send a message to this channel; it notifies only the people in `ping`, or the reader of a DM.

        It is sent only once with the same nonce, unless that message is deleted.
        """
        try:
            return await self._post(channel, message, nonce, ping)
        except discord.NotFound as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            # Discord remembers a deleted message's nonce for some minutes, and sends nothing with it.
            self._budget.spend()
            return await self._post(channel, message, secrets.token_hex(12), ping)

    async def _post(self, channel: int, message: Message, nonce: str, ping: Collection[int]) -> Address:
        # In channels that notify people of every message, a game would ring at each deal.
        silent = isinstance(message, Post) and not ping

        async def send(**fields: Any) -> int:
            to = self._client.get_partial_messageable(channel)
            return (await to.send(**fields, nonce=nonce, silent=silent)).id

        id = await self._builder.new(message, channel, send, ping, self._budget.spend)
        self._foreign.wrote(channel, id)
        return channel, id

    async def dm(self, person: int, message: Whisper, nonce: str) -> Address:
        """Send a new DM. TooFast if Discord accepts none for now."""
        try:
            return await self._dm(person, message, nonce)
        except discord.HTTPException as error:
            if is_too_fast(error):
                raise self._channels.refused(person) from error
            raise

    async def _dm(self, person: int, message: Whisper, nonce: str) -> Address:
        if channel := await self._channels.find(person):
            try:
                return await self.post(channel, message, nonce)
            except discord.HTTPException as error:
                if fault_of(error) not in (Fault.CHANNEL_GONE, Fault.FORBIDDEN):
                    raise
            # The id is no longer valid, for instance after the database moved to another application.
            self._channels.channel_gone(person)
            self._budget.spend()
        return await self.post(await self._channels.open(person), message, nonce)

    async def edit(self, address: Address, message: Message, ping: Collection[int] = ()) -> None:
        """Edit the message at this address; the people in `ping` stay mentioned in it.

        Raises NotDrawnYet like MessageBuilder.
        """
        await self._builder.change(message, address, self._edit(address), ping, self._budget.spend)

    async def edit_for_certain(self, address: Address, message: Message, ping: Collection[int] = ()) -> None:
        """Edit a message whatever it may show now; it goes out in words if its pictures take long."""
        self._builder.forget(address[1])
        edit = self._edit(address)
        await self._builder.change(
            message, address, edit, ping, self._budget.spend, patience=PICTURE_PATIENCE
        )

    def _edit(self, address: Address) -> Callable[..., Awaitable[object]]:
        channel, id = address
        return self._client.get_partial_messageable(channel).get_partial_message(id).edit

    def prepare(self, address: Address, message: Message) -> Awaitable[None]:
        """Draw a message's pictures ahead of its edit, so that no other message waits for them."""
        return self._builder.prepare(message, address)

    def lacks_pictures(self, address: Address | None) -> asyncio.Future[None] | None:
        """Done when there's time for the pictures that this message lacks; None if it lacks none."""
        return self._builder.lacks_pictures(address[1]) if address else None

    def adds_pictures_only(self, address: Address, message: Message) -> bool:
        """Whether this edit would bring nothing but pictures."""
        return self._builder.adds_pictures_only(message, address[1])

    def may_move(self, address: Address, message: Message) -> bool:
        """Whether a new message may replace the one at this address without losing a picture."""
        return self._builder.may_move(message, address[1])

    async def delete(self, address: Address) -> None:
        """Delete the message at this address."""
        channel, id = address
        await self._client.get_partial_messageable(channel).get_partial_message(id).delete()
