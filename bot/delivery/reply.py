"""What clicks and commands are answered, and the last click on each message, which can still change it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

import discord
from discord.utils import MISSING

from bot.delivery.budget import Budget
from bot.delivery.building import LONGEST, Address, MessageBuilder
from bot.delivery.components import modal
from bot.delivery.reposting import ForeignMessages
from bot.faults import NETWORK, Fault, fault_of
from bot.messages import Form, Message, Whisper

Interaction = discord.Interaction[Any]
#: A table, and one of its posts or players.
K = TypeVar("K", bound=tuple[int, object])
log = logging.getLogger(__name__)

#: Seconds after which a click or command is acknowledged before it is answered: Discord gives three.
SOON = 1.5


class Reply:
    """What one click or command is answered, free of the token's limit: first at once, then for 15 minutes.

    One thing after another, so that nobody has to guess which came last.
    """

    def __init__(self, interaction: Interaction, foreign: ForeignMessages, builder: MessageBuilder) -> None:
        self.interaction = interaction
        self.user_id = interaction.user.id  # who clicked
        self.clicked = interaction.message.id if interaction.message else 0  # which message; 0 for a command
        self.guild = interaction.guild_id or 0  # the server; 0 in a DM
        self.channel = interaction.channel_id or 0
        self._foreign = foreign
        self._builder = builder
        # Not the interaction's own, which refers back to it: each click, and the message that was clicked,
        # would stay in memory until Python searches for garbage.
        self._response = discord.InteractionResponse(interaction)
        self._turn = asyncio.Lock()
        self._answer = self.clicked  # the message that its token calls the original one

    @property
    def token_valid(self) -> bool:
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
            return await self._builder.change_at_once(message, (self.channel, self._answer), self._update)
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

        return await self._builder.new(shown, self.channel, send, patience=patience)

    async def publish(self, message: Message) -> int | None:
        """Answer with a message for everybody; its id, or None where it is too late for that."""

        async def send(**fields: Any) -> int | None:
            async with self._turn:
                if self._response.is_done():
                    return None
                return await self._respond(fields, private=False)

        return await self._builder.new(message, self.channel, send)

    async def announce(self, message: Message) -> Address:
        """A new message for everybody where the click was, once that has been answered."""

        async def send(**fields: Any) -> int:
            return await self._send_after(fields, private=False)

        return self.channel, await self._builder.new(message, self.channel, send)

    async def ask(self, form: Form) -> None:
        """Answer with a form, which nothing may come before."""
        async with self._turn:
            await self._response.send_modal(modal(form))

    async def follow_up(self, message: Whisper) -> Address:
        """A new message where the click was, once that has been answered."""

        async def send(**fields: Any) -> int:
            return await self._send_after(fields, private=self.interaction.guild_id is not None)

        return self.channel, await self._builder.new(message, self.channel, send)

    async def edit(self, id: int, message: Message, *, patience: float | None = LONGEST) -> None:
        """Show this instead in the message that was clicked, or in one that answered.

        It may wait so long for its pictures; with None it is left as it is, and NotDrawnYet raised.
        """
        edit = self._update if id == self._answer else partial(self.interaction.followup.edit_message, id)
        await self._builder.change(message, (self.channel, id), edit, patience=patience)

    def lacks_pictures(self, id: int) -> asyncio.Future[None] | None:
        """Until when that message is left without its pictures; None if it has them."""
        return self._builder.lacks_pictures(id)

    async def prepare(self, id: int, message: Whisper) -> None:
        """Draw its pictures before, so that nobody has to wait for them while it is edited."""
        await self._builder.prepare(message, (self.channel, id))

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
        self._foreign.wrote(self.channel, self._answer)
        return self._answer

    async def _send_after(self, fields: dict[str, Any], *, private: bool) -> int:
        sent = await self.interaction.followup.send(**fields, ephemeral=private, wait=True)
        self._foreign.wrote(self.channel, sent.id)
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


class LastClicks(Generic[K]):
    """Whatever goes through a click needs no call of the budget.

    Where Discord takes the click no more, the budget is told of the call with the token that follows.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._clicks: dict[K, Reply] = {}

    def keep(self, key: K, click: Reply) -> None:
        """This is the last one now."""
        self._clicks[key] = click

    def find(self, key: K) -> Reply | None:
        """The last one, as long as Discord takes it."""
        click = self._clicks.get(key)
        return click if click and click.token_valid else None

    def drop(self, key: K) -> None:
        """Nothing more goes through this one."""
        self._clicks.pop(key, None)

    def forget(self, table: int) -> None:
        """Drop all of a table."""
        self._clicks = {key: click for key, click in self._clicks.items() if key[0] != table}

    async def update(self, key: K, id: int, message: Message) -> bool:
        """Whether the message with this id was the one that was clicked, and looks so now.

        NotDrawnYet as MessageBuilder has it.
        """
        click = self.find(key)
        if click and click.clicked == id:
            with self._unless_expired(key):
                await click.edit(id, message, patience=None)
                return True
        return False

    async def follow_up(self, key: K, message: Whisper) -> Address | None:
        """Where a new message stands that was sent after the click; None if Discord did not take it."""
        if click := self.find(key):
            with self._unless_expired(key):
                return await click.follow_up(message)
        return None

    @contextmanager
    def _unless_expired(self, key: K) -> Iterator[None]:
        try:
            yield
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.EXPIRED:
                raise
            self.drop(key)
            self._budget.spend()
