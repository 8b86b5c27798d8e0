"""Answers to clicks and commands, and the last click on each message, which can still edit it."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Generic, TypeVar

import discord
from discord.utils import MISSING

from bot.delivery.budget import Budget
from bot.delivery.building import LONGEST_ANSWER, Address, MessageBuilder
from bot.delivery.components import modal
from bot.delivery.reposting import ForeignMessages
from bot.discord.contexts import Context, context_of
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.vocabulary.messages import Form, Message, Whisper
from engine.languages import Language, by_locale
from engine.storage.tables import alone_place

Interaction = discord.Interaction[Any]
Kind = discord.InteractionResponseType
#: Returns the language that a person has chosen for answers; None if they have chosen none.
ChosenLanguage = Callable[[int], Language | None]
#: A table, and the key of one of its posts or the id of one of its players.
K = TypeVar("K", bound=tuple[int, object])
log = logging.getLogger(__name__)

#: Seconds until an unanswered click or command is acknowledged: Discord allows three.
ACKNOWLEDGE_AFTER = 1.5


class Reply:
    """Answers one click or command, and for 15 minutes edits and follows up, at no cost to the bot's budget.

    It makes one request at a time, so that their order is certain.
    """

    def __init__(
        self,
        interaction: Interaction,
        foreign: ForeignMessages,
        builder: MessageBuilder,
        chosen_language: ChosenLanguage,
        posts_language: ChosenLanguage,
        pages: "LobbyPages",
    ) -> None:
        self.interaction = interaction
        self.user_id = interaction.user.id  # the person who clicked
        self.clicked = interaction.message.id if interaction.message else 0  # the message; 0 for a command
        self.context = context_of(interaction)
        self.in_dm = self.context is Context.BOT_DM  # a DM with us
        #: The server; 0 where the bot isn't in one.
        self.guild = (interaction.guild_id or 0) if self.context is Context.SERVER else 0
        self.channel = interaction.channel_id or 0
        self._foreign = foreign
        self._builder = builder
        self._chosen_language = chosen_language
        self._posts_language = posts_language
        self._pages = pages
        # Not the interaction's own, which refers back to it: clicks and clicked messages would stay in memory
        # until the garbage collector runs.
        self._response = discord.InteractionResponse(interaction)
        self._turn = asyncio.Lock()
        self._answer = self.clicked  # the message that its token calls the original response
        self._arrived: Kind | None = None  # the kind of a first response that only seemed to fail
        self._followed_up = False

    @property
    def place(self) -> int:
        """The place of a command's table: this channel or, outside of servers, the person's own."""
        return self.channel if self.guild else alone_place(self.user_id)

    @property
    def language(self) -> Language:
        """The language of the person who clicked: the one they have chosen, or else their client's.

        Buttons of the table in this channel keep the labels that everyone sees.
        """
        own = self._chosen_language(self.user_id) or by_locale(self.interaction.locale.value)
        posts = self._posts_language(self.channel)
        return own.in_private(posts) if posts else own

    @property
    def token_valid(self) -> bool:
        """Whether Discord still accepts the interaction's token."""
        return not self.interaction.is_expired()

    @property
    def is_owed(self) -> bool:
        """Whether the person sees only Discord's “thinking…” so far, which fails unless a message follows."""
        return self._kind in (None, Kind.deferred_channel_message) and not self._followed_up

    @property
    def _kind(self) -> Kind | None:
        """The kind of the first response, once Discord has one."""
        return self._response.type or self._arrived

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """Acknowledge the click if the block doesn't answer it soon, so that Discord reports no failure."""
        work: list[asyncio.Task[None]] = []
        loop = asyncio.get_running_loop()
        alarm = loop.call_later(ACKNOWLEDGE_AFTER, lambda: work.append(loop.create_task(self._acknowledge())))
        try:
            yield
        finally:
            alarm.cancel()

    async def update(self, message: Message | None) -> None:
        """Answer by editing the message that was clicked; None leaves it unchanged."""
        is_first = self._kind is None
        is_whole = is_first and await self.update_at_once(message)
        if message is not None and not is_whole:
            await self.edit(self._answer, message)

    async def update_at_once(self, message: Message | None) -> bool:
        """Edit the message that was clicked without waiting for pictures; False if one is still to follow."""
        if message is not None:
            self._pages.note(self, self._answer, message)
            return await self._builder.change_at_once(message, (self.channel, self._answer), self._update)
        async with self._turn:
            if self._kind is None:
                await self._response.defer()
        return True

    async def whisper(
        self, message: Message | str, *, patience: float | None = LONGEST_ANSWER, lasting: bool = False
    ) -> int:
        """Send a new message to this person alone, and return its id.

        It waits `patience` seconds for pictures. In a DM with us, where no one else reads it, a `lasting` one
        stays until they delete it.
        """
        whisper = Whisper((message,)) if isinstance(message, str) else message
        private = not (lasting and self.in_dm)

        async def send(**fields: Any) -> int:
            async with self._turn:
                if self._kind is None:
                    return await self._respond(fields, private=private)
                return (await self._followed(fields, private=private)).id

        id = await self._builder.new(whisper, self.channel, send, patience=patience)
        self._pages.note(self, id, whisper)
        return id

    async def publish(self, message: Message, *, below: bool = False) -> int | None:
        """Answer with a message for everyone or, if `below`, send it as a follow-up after the answer.

        Returns its id, or None if the interaction has been answered already. Where the bot isn't, Discord may
        show the message to this person alone: then it is deleted, and None is returned too.
        """
        is_public = True

        async def send(**fields: Any) -> int | None:
            nonlocal is_public
            if below:
                sent = await self._followed(fields, private=False)
                is_public = not sent.flags.ephemeral
                return sent.id
            async with self._turn:
                return await self._respond(fields, private=False) if self._kind is None else None

        id = await self._builder.new(message, self.channel, send)
        if id is None or is_public:
            return id
        await self.delete(id)
        return None

    async def ask(self, form: Form) -> None:
        """Answer with a form; it must be the first answer."""
        async with self._turn:
            await self._response.send_modal(modal(form))

    async def edit(self, id: int, message: Message, *, patience: float | None = LONGEST_ANSWER) -> None:
        """Edit the message that was clicked, or one of our answers.

        It waits `patience` seconds for pictures; with None, it raises NotDrawnYet like MessageBuilder.
        """
        self._pages.note(self, id, message)
        edit = self._update if id == self._answer else partial(self.interaction.followup.edit_message, id)
        await self._builder.change(message, (self.channel, id), edit, patience=patience)

    def lacks_pictures(self, id: int) -> asyncio.Future[None] | None:
        """Done when there's time for the pictures that this message lacks; None if it lacks none."""
        return self._builder.lacks_pictures(id)

    async def prepare(self, id: int, message: Whisper) -> None:
        """Draw a message's pictures ahead of its edit, so that no other message waits for them."""
        await self._builder.prepare(message, (self.channel, id))

    async def delete(self, id: int) -> None:
        """Delete the message that was clicked, or one of our answers; a failure is only logged."""
        try:
            await self.delete_or_raise(id)
        except (discord.HTTPException, *NETWORK) as error:
            log.info("an old message stays: %s", error)

    async def delete_or_raise(self, id: int) -> None:
        """Delete the message that was clicked, or one of our answers; a failure is raised."""
        if id == self._answer:
            await self.interaction.delete_original_response()
        else:
            await self.interaction.followup.delete_message(id)

    async def _update(self, **fields: Any) -> None:
        async with self._turn:
            if fields.get("attachments") is MISSING and self._kind is None:
                # A first response removes files that it doesn't name; an edit after it keeps them.
                await self._response.defer()
            if self._kind is not None:
                await self.interaction.edit_original_response(**fields)
            else:
                await self._response.edit_message(**fields)

    async def _respond(self, fields: dict[str, Any], *, private: bool) -> int:
        try:
            answer = await self._response.send_message(**fields, ephemeral=private)
            assert answer.message_id is not None
            self._answer = answer.message_id
        except (discord.HTTPException, *NETWORK) as error:
            if not await self._has(Kind.channel_message, error):
                raise
        self._foreign.wrote(self.channel, self._answer)
        return self._answer

    async def _has(self, kind: Kind, error: Exception) -> bool:
        """Whether Discord has a first response of this kind although its request failed with this error."""
        if fault_of(error) is Fault.LATER:
            with suppress(discord.DiscordException, *NETWORK):
                self._answer = (await self.interaction.original_response()).id
                self._arrived = kind
        return self._arrived is not None

    async def _followed(self, fields: dict[str, Any], *, private: bool) -> discord.WebhookMessage:
        sent = await self.interaction.followup.send(**fields, ephemeral=private, wait=True)
        self._followed_up = True
        self._foreign.wrote(self.channel, sent.id)
        return sent

    async def _acknowledge(self) -> None:
        if self._turn.locked():
            return  # an answer is on its way
        async with self._turn:
            if self._kind is not None:
                return
            is_command = self.interaction.type is discord.InteractionType.application_command
            kind = Kind.deferred_channel_message if is_command else Kind.deferred_message_update
            try:
                # A deferred answer stays private or not as decided here.
                await self._response.defer(ephemeral=not self.in_dm, thinking=is_command)
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) is not Fault.EXPIRED and not await self._has(kind, error):
                    log.warning("a click couldn't be acknowledged: %s", error)


class LastClicks(Generic[K]):
    """The last click on each message, whose token can edit it at no cost to the budget.

    If Discord no longer accepts the token, the call that then goes out with the bot's is counted.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._clicks: dict[K, Reply] = {}

    def keep(self, key: K, click: Reply) -> None:
        """Keep this as the last click."""
        self._clicks[key] = click

    def find(self, key: K) -> Reply | None:
        """The last click, while its token is valid."""
        click = self._clicks.get(key)
        return click if click and click.token_valid else None

    def drop(self, key: K) -> None:
        """Stop using this click."""
        self._clicks.pop(key, None)

    def forget(self, table: int) -> None:
        """Drop all clicks of a table."""
        self._clicks = {key: click for key, click in self._clicks.items() if key[0] != table}

    async def update(self, key: K, id: int, message: Message) -> bool:
        """Edit the message with this id through its last click; False if that isn't possible.

        Raises NotDrawnYet like MessageBuilder.
        """
        click = self.find(key)
        if click and click.clicked == id:
            with self._unless_expired(key):
                await click.edit(id, message, patience=None)
                return True
        return False

    async def delete(self, key: K, id: int) -> bool:
        """Delete the message with this id through its last click; False if that isn't possible."""
        click = self.find(key)
        if click and click.clicked == id:
            with self._unless_expired(key):
                await click.delete_or_raise(id)
                return True
        return False

    async def follow_up(self, key: K, message: Whisper) -> Address | None:
        """Send a new message as a follow-up to the click; None if that isn't possible."""
        if click := self.find(key):
            with self._unless_expired(key):
                return click.channel, await click.whisper(message, patience=None, lasting=True)
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


class LobbyPages:
    """Private messages about lobbies, for as long as their clicks' tokens can edit them."""

    def __init__(self) -> None:
        self._pages: dict[int, dict[int, Reply]] = {}  # by table and message

    def note(self, reply: Reply, id: int, message: Message) -> None:
        """Note that this reply shows `message` in the message with this id."""
        for pages in self._pages.values():
            pages.pop(id, None)
        if isinstance(message, Whisper) and message.lobby_of:
            self._drop_expired()
            self._pages.setdefault(message.lobby_of, {})[id] = reply

    def has(self, table: int) -> bool:
        """Whether any of them is about this table's lobby."""
        return bool(self._pages.get(table))

    async def close(self, table: int, instead: Callable[[int], Whisper]) -> None:
        """The table's lobby is over: replace each page by what `instead` returns for its reader's id."""
        pages = self._pages.pop(table, {})
        await asyncio.gather(*[self._edit(reply, id, instead(reply.user_id)) for id, reply in pages.items()])

    def _drop_expired(self) -> None:
        for table, pages in list(self._pages.items()):
            valid = {id: reply for id, reply in pages.items() if reply.token_valid}
            if valid:
                self._pages[table] = valid
            else:
                del self._pages[table]

    async def _edit(self, reply: Reply, id: int, whisper: Whisper) -> None:
        try:
            await reply.edit(id, whisper)
        except (discord.HTTPException, *NETWORK) as error:  # dismissed, for instance
            log.info("a page about a lobby stays: %s", error)
