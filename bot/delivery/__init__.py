"""The only package that sends and edits messages."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import discord

from bot.config import CALLS_PER_SECOND
from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address, MessageBuilder
from bot.delivery.dm_channels import DmChannels
from bot.delivery.dms import Dms
from bot.delivery.emojis import Emojis
from bot.delivery.my_hand import MyHand
from bot.delivery.picture_cache import Draw, NotDrawnYet, PictureCache
from bot.delivery.posts import OnFault, Posts
from bot.delivery.queue import MessageQueue, until_done, wait_after
from bot.delivery.reply import ChosenLanguage, Interaction, LobbyPages, Reply
from bot.delivery.reposting import ForeignMessages
from bot.delivery.sending import Sender
from bot.delivery.sent import SentMessages, Shown
from bot.discord.faults import Fault
from bot.vocabulary.messages import Post
from engine.storage import tables
from engine.storage.database import Database
from engine.storage.message_ids import ENDED, LAST, TABLES, TOURNAMENTS, finish_messages

log = logging.getLogger(__name__)
__all__ = ["Budget", "Delivery", "Draw", "OnFault", "Reply", "Urgency", "until_done", "wait_after"]
#: How many times a late edit waits for its pictures, and how many seconds each time. Without a limit, late
#: edits would pile up while drawing can't keep up.
MOST_ATTEMPTS, LAST_PICTURES = 5, 60.0
#: Seconds between two edits of a tournament's post: many tables may finish a deal in that time.
TOURNAMENT_SPACING = 10.0


class Delivery:
    """Shows each table's posts in its channel, and each player their hand by DM or under My hand.

    `on_fault` is called when Discord refuses a message. `chosen_language` returns the language that a person
    has chosen for answers, if any.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        draw: Draw,
        chosen_language: ChosenLanguage,
        calls: int = CALLS_PER_SECOND,
    ) -> None:
        self._database = database
        self._chosen_language = chosen_language
        self.on_fault: OnFault = lambda table, fault, person: None
        #: The language of the table in this channel, if there is one.
        self.posts_language: ChosenLanguage = lambda channel: None
        self.budget = Budget(calls)
        self.sent = SentMessages(database, TABLES)
        self.foreign = ForeignMessages()
        self.emojis = Emojis()
        self.picture_cache = PictureCache(draw, self.budget)
        self._builder = MessageBuilder(client, self.picture_cache, self.emojis, self.budget)
        channels = DmChannels(client, database, self.budget)
        self._sender = sender = Sender(client, self.budget, self.foreign, self._builder, channels)
        self.posts = Posts(sender, self.sent, self.budget, self.foreign, self._fault)
        self.dms = Dms(sender, channels, self.sent, self.posts, self.budget, self._fault, database.leaving)
        tournaments_sent = SentMessages(database, TOURNAMENTS)
        #: Tournaments' posts never move down, so they needn't watch for others' messages.
        self.tournament_posts = Posts(
            sender, tournaments_sent, self.budget, ForeignMessages(), self._tournament_fault
        )
        self.tournament_posts.spacing = TOURNAMENT_SPACING
        self.on_tournament_fault: Callable[[int, Fault], None] = lambda tournament, fault: None
        self.my_hand = MyHand(self.posts, self.budget)
        self.pages = LobbyPages()
        self.posts.on_new = self._posted

    async def load(self) -> None:
        """Load the messages from before the bot stopped."""
        await self.sent.load()
        await self.tournament_posts.sent.load()

    def reply(self, interaction: Interaction) -> Reply:
        """An object that answers this click or command."""
        return Reply(
            interaction, self.foreign, self._builder, self._chosen_language, self.posts_language, self.pages
        )

    async def send_once(
        self, channel: int, post: Post, dedupe_key: str, urgency: Urgency = Urgency.LOW
    ) -> Address:
        """Send a post that belongs to no table, at most once per `dedupe_key`."""
        await self.budget.turn(urgency)
        return await self._sender.post(channel, post, self.sent.nonce_of(dedupe_key))

    async def edit(self, address: Address, post: Post) -> None:
        """Edit a post that belongs to no table."""
        await self.budget.turn(Urgency.LOW)
        await self._sender.edit(address, post)

    async def show_late(self, table: int, key: str, post: Post) -> None:
        """Edit a post of a table whose end has been shown, whenever there is time; ignored if it is gone."""
        if address := await self.sent.find(table, key):
            await self.edit_late(partial(self.edit, address, post))

    async def show_tournament_late(self, tournament: int, post: Post) -> None:
        """Edit a finished tournament's last post, whenever there is time."""
        for key in (ENDED, LAST):
            if address := await self.tournament_posts.sent.find(tournament, key):
                await self.edit_late(partial(self.edit, address, post))

    async def end_seen(self, tournament: int) -> None:
        """Record that a tournament's end has been shown."""
        await finish_messages(self._database, tournament)

    async def edit_late(self, edit: Callable[[], Awaitable[object]]) -> None:
        """Edit a message of a finished table or tournament as soon as Discord accepts it; ignored if gone."""

        async def drawn() -> None:
            for _ in range(MOST_ATTEMPTS):
                try:
                    await edit()
                    return
                except NotDrawnYet as late:
                    await asyncio.wait([late.until], timeout=LAST_PICTURES)

        try:
            await until_done("a late edit", drawn)
        except discord.HTTPException as error:
            log.info("a message stays as it was: %s", error)

    async def delete(self, address: Address) -> None:
        """Delete a post that belongs to no table."""
        await self.budget.turn(Urgency.LOW)
        await self._sender.delete(address)

    async def forget(self, table: int) -> None:
        """Drop the queues and addresses of a finished table, once its end has been shown."""
        until = self.budget.clock() + LAST_PICTURES
        for part in (self.posts, self.dms, self.my_hand):
            if not await part.forget(table, until):
                return  # the bot is stopping: the next start shows the rest
        await tables.end_seen(self._database, table)
        self.sent.forget(table)

    async def forget_tournament(self, tournament: int) -> None:
        """Drop the posts of a tournament once its end is shown."""
        if await self.tournament_posts.forget(tournament, self.budget.clock() + LAST_PICTURES):
            await self.end_seen(tournament)
            self.tournament_posts.sent.forget(tournament)

    def retry(self) -> None:
        """Retry failed messages now: Discord seems to be back."""
        for queue in self._queues:
            queue.retry()

    async def flush(self, seconds: float) -> None:
        """Bring all messages up to date within this many seconds; then stop, and store what they show."""
        queues = self._queues
        self.posts.cancel_pings()
        for queue in queues:
            queue.hurry()
        if waits := [asyncio.create_task(queue.idle()) for queue in queues]:
            await asyncio.wait(waits, timeout=seconds)
        messages: list[Shown] = [*self.posts.shown, *self.dms.shown]
        tournament_messages = list(self.tournament_posts.shown)
        for queue in queues:
            queue.close()
        self.picture_cache.close()
        await self.sent.note_shown(messages)
        await self.tournament_posts.sent.note_shown(tournament_messages)

    @property
    def waiting(self) -> int:
        """The number of messages that are out of date."""
        return sum(queue.waiting for queue in self._queues)

    @property
    def _queues(self) -> list[MessageQueue[Any]]:
        return [*self.posts.queues, *self.tournament_posts.queues, *self.dms.queues, *self.my_hand.queues]

    def _posted(self, table: int) -> None:
        """Show the hands that have waited for this table's new post, or belong below it."""
        self.dms.retry_now(table)
        self.my_hand.posted(table)

    def _tournament_fault(self, tournament: int, fault: Fault, person: int | None) -> None:
        self.on_tournament_fault(tournament, fault)

    def _fault(self, table: int, fault: Fault, person: int | None) -> None:
        self.on_fault(table, fault, person)
