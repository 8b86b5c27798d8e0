"""The one door to Discord: every message that is sent or changed goes through here, whole."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import discord
from discord.utils import MISSING

from bot.delivery.budget import Budget
from bot.delivery.components import modal
from bot.delivery.dm_channels import DmChannels
from bot.delivery.moves import Below
from bot.delivery.packing import LONGEST, PATIENCE, Address, Packer
from bot.faults import NETWORK, Fault, fault_of, is_too_fast
from bot.messages import Form, Message, Post, Whisper

Interaction = discord.Interaction[Any]
#: A table, and the player who alone reads a message about it.
Recipient = tuple[int, int]
log = logging.getLogger(__name__)

#: Seconds after which a click or command is acknowledged before it is answered: Discord gives three.
SOON = 1.5


class Sender:
    """Sends and edits with the bot's token; who calls has waited for the budget's turn."""

    def __init__(
        self, client: discord.Client, budget: Budget, below: Below, packer: Packer, channels: DmChannels
    ) -> None:
        self._client = client
        self._budget = budget
        self._below = below
        self._packer = packer
        self._channels = channels

    async def post(self, channel: int, message: Message, nonce: str, ping: Collection[int] = ()) -> Address:
        """A new message in this channel, which notifies the people in `ping` alone, and in DMs who reads it.

        Sent but once with the same nonce, unless that message is deleted.
        """
        try:
            return await self._post(channel, message, nonce, ping)
        except discord.NotFound as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            # For some minutes Discord knows the nonce of a message that is deleted, and sends none with it.
            self._budget.spend()
            return await self._post(channel, message, secrets.token_hex(12), ping)

    async def _post(self, channel: int, message: Message, nonce: str, ping: Collection[int]) -> Address:
        # In a channel whose every message is notified, a game would else ring at each deal.
        silent = isinstance(message, Post) and not ping

        async def send(**fields: Any) -> int:
            to = self._client.get_partial_messageable(channel)
            return (await to.send(**fields, nonce=nonce, silent=silent)).id

        id = await self._packer.new(message, channel, send, ping, self._budget.spend)
        self._below.wrote(channel, id)
        return channel, id

    async def dm(self, person: int, message: Whisper, nonce: str) -> Address:
        """A new DM. TooFast if Discord takes none for now."""
        try:
            return await self._dm(person, message, nonce)
        except discord.HTTPException as error:
            if is_too_fast(error):
                raise self._channels.refused(person) from error
            raise

    async def _dm(self, person: int, message: Whisper, nonce: str) -> Address:
        if known := await self._channels.find(person):
            try:
                return await self.post(known, message, nonce)
            except discord.HTTPException as error:
                if fault_of(error) not in (Fault.CHANNEL_GONE, Fault.FORBIDDEN):
                    raise
            # The id is worth nothing any more, as where the database has moved to another application.
            self._channels.is_gone(person)
            self._budget.spend()
        return await self.post(await self._channels.open(person), message, nonce)

    async def edit(self, address: Address, message: Message, ping: Collection[int] = ()) -> None:
        """Show this instead in that message; whoever is in `ping` stays named in it.

        NotDrawnYet as Packer has it.
        """
        await self._packer.change(message, address, self._edit(address), ping, self._budget.spend)

    async def edit_for_certain(self, address: Address, message: Message, ping: Collection[int] = ()) -> None:
        """The same where the message may hold anything, and in words if its pictures take long."""
        self._packer.forget(address[1])
        edit = self._edit(address)
        await self._packer.change(message, address, edit, ping, self._budget.spend, patience=PATIENCE)

    def _edit(self, address: Address) -> Callable[..., Awaitable[object]]:
        channel, id = address
        return self._client.get_partial_messageable(channel).get_partial_message(id).edit

    async def prepare(self, address: Address, message: Message) -> None:
        """Draw its pictures before, so that nobody has to wait for them while it is edited."""
        await self._packer.prepare(message, address)

    def lacks_pictures(self, address: Address | None) -> asyncio.Future[None] | None:
        """Until when that message is left without its pictures; None if it has them."""
        return self._packer.lacks_pictures(address[1]) if address else None

    def may_move(self, address: Address, message: Message) -> bool:
        """Whether this may be shown in a new message instead, and no picture would be lost."""
        return self._packer.may_move(message, address[1])

    async def delete(self, address: Address) -> None:
        """Take that message away."""
        channel, id = address
        await self._client.get_partial_messageable(channel).get_partial_message(id).delete()


class Reply:
    """What one click or command is answered, free of the token's limit: first at once, then for 15 minutes.

    One thing after another, so that nobody has to guess which came last.
    """

    def __init__(self, interaction: Interaction, below: Below, packer: Packer) -> None:
        self.interaction = interaction
        self.person = interaction.user.id  # who clicked
        self.clicked = interaction.message.id if interaction.message else 0  # which message; 0 for a command
        self.guild = interaction.guild_id or 0  # the server; 0 in a DM
        self.channel = interaction.channel_id or 0
        self._below = below
        self._packer = packer
        # Not the interaction's own, which refers back to it: each click, and the message that was clicked,
        # would stay in memory until Python searches for garbage.
        self._response = discord.InteractionResponse(interaction)
        self._turn = asyncio.Lock()
        self._answer = self.clicked  # the message that its token calls the original one

    @property
    def serves(self) -> bool:
        """Whether Discord still takes its token."""
        return not self.interaction.is_expired()

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """What is not answered soon is acknowledged meanwhile, so that Discord never says it has failed."""
        work: list[asyncio.Task[None]] = []
        loop = asyncio.get_running_loop()
        alarm = loop.call_later(SOON, lambda: work.append(loop.create_task(self._acknowledge())))
        try:
            yield
        finally:
            alarm.cancel()

    async def update(self, message: Message | None) -> None:
        """Let the message that was clicked look so; with None it stays as it is."""
        is_first = not self._response.is_done()
        is_whole = is_first and await self.update_at_once(message)
        if message is not None and not is_whole:
            await self.edit(self._answer, message)

    async def update_at_once(self, message: Message | None) -> bool:
        """The same without waiting for a picture; False if one is still to follow."""
        if message is not None:
            return await self._packer.change_at_once(message, (self.channel, self._answer), self._update)
        async with self._turn:
            if not self._response.is_done():
                await self._response.defer()
        return True

    async def whisper(self, message: Message | str, *, patience: float | None = LONGEST) -> int:
        """Tell this person alone, in a new message; its id. It may wait so long for its pictures."""
        shown = Whisper((message,)) if isinstance(message, str) else message

        async def send(**fields: Any) -> int:
            async with self._turn:
                if not self._response.is_done():
                    return await self._respond(fields, private=True)
                return await self._send_after(fields, private=True)

        return await self._packer.new(shown, self.channel, send, patience=patience)

    async def publish(self, message: Message) -> int | None:
        """Answer with a message for everybody; its id, or None where it is too late for that."""

        async def send(**fields: Any) -> int | None:
            async with self._turn:
                if self._response.is_done():
                    return None
                return await self._respond(fields, private=False)

        return await self._packer.new(message, self.channel, send)

    async def announce(self, message: Message) -> Address:
        """A new message for everybody where the click was, once that has been answered."""

        async def send(**fields: Any) -> int:
            return await self._send_after(fields, private=False)

        return self.channel, await self._packer.new(message, self.channel, send)

    async def ask(self, form: Form) -> None:
        """Answer with a form, which nothing may come before."""
        async with self._turn:
            await self._response.send_modal(modal(form))

    async def follow_up(self, message: Whisper) -> Address:
        """A new message where the click was, once that has been answered."""

        async def send(**fields: Any) -> int:
            return await self._send_after(fields, private=self.interaction.guild_id is not None)

        return self.channel, await self._packer.new(message, self.channel, send)

    async def edit(self, id: int, message: Message, *, patience: float | None = LONGEST) -> None:
        """Show this instead in the message that was clicked, or in one that answered.

        It may wait so long for its pictures; with None it is left as it is, and NotDrawnYet raised.
        """
        edit = self._update if id == self._answer else partial(self.interaction.followup.edit_message, id)
        await self._packer.change(message, (self.channel, id), edit, patience=patience)

    def lacks_pictures(self, id: int) -> asyncio.Future[None] | None:
        """Until when that message is left without its pictures; None if it has them."""
        return self._packer.lacks_pictures(id)

    async def prepare(self, id: int, message: Whisper) -> None:
        """Draw its pictures before, so that nobody has to wait for them while it is edited."""
        await self._packer.prepare(message, (self.channel, id))

    async def take_away(self, id: int) -> None:
        """Remove such a message; where it cannot be, it stays."""
        try:
            if id == self._answer:
                await self.interaction.delete_original_response()
            else:
                await self.interaction.followup.delete_message(id)
        except (discord.HTTPException, *NETWORK) as error:
            log.info("an old message stays where it is: %s", error)

    async def _update(self, **fields: Any) -> None:
        async with self._turn:
            if fields.get("attachments") is MISSING and not self._response.is_done():
                # An answer takes away the files that it does not name; an edit after it leaves them.
                await self._response.defer()
            if self._response.is_done():
                await self.interaction.edit_original_response(**fields)
            else:
                await self._response.edit_message(**fields)

    async def _respond(self, fields: dict[str, Any], *, private: bool) -> int:
        answer = await self._response.send_message(**fields, ephemeral=private)
        assert answer.message_id is not None
        self._answer = answer.message_id
        self._below.wrote(self.channel, self._answer)
        return self._answer

    async def _send_after(self, fields: dict[str, Any], *, private: bool) -> int:
        sent = await self.interaction.followup.send(**fields, ephemeral=private, wait=True)
        self._below.wrote(self.channel, sent.id)
        return sent.id

    async def _acknowledge(self) -> None:
        if self._turn.locked():
            return  # an answer is on its way
        async with self._turn:
            if self._response.is_done():
                return
            is_command = self.interaction.type is discord.InteractionType.application_command
            try:
                await self._response.defer(ephemeral=True, thinking=is_command)
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) is not Fault.EXPIRED:
                    log.warning("a click could not be acknowledged: %s", error)
