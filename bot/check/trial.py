"""A trial in one channel: sends as the bot does, and removes everything again."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import discord

from bot.check.account import Account
from bot.check.boards import QUEEN
from bot.check.results import NotTried, Report, Unexpected
from bot.check.words import explain
from bot.delivery.budget import Budget
from bot.delivery.building import Address, MessageBuilder
from bot.delivery.dm_channels import DmChannels
from bot.delivery.emojis import Emojis
from bot.delivery.picture_cache import Draw, NotDrawnYet, PictureCache
from bot.delivery.reply import Interaction, LobbyPages, Reply
from bot.delivery.reposting import ForeignMessages
from bot.delivery.sending import Sender
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.discord.permissions import NEEDED
from bot.pictures import DrawingProcess
from bot.vocabulary.messages import Message, Post
from bot.vocabulary.scenes import Scene
from engine.worker import Lost

T = TypeVar("T")

#: How the names of a check's emojis begin, unlike the bot's own.
EMOJI = "hearts_check_"
#: Seconds in which a picture has to be drawn.
DRAWING = 25.0
#: Seconds to wait for requests in flight when the check is stopped.
LONGEST_REQUEST = 10.0
#: Discord's number for a button.
BUTTON = 2
ATTACHMENT = re.compile(r"/attachments/\d+/(\d+)/")


@dataclass(frozen=True, slots=True)
class Sent:
    """A message, and what Discord answered when it was sent or edited."""

    address: Address
    answer: Any

    @property
    def id(self) -> int:
        """The message's id."""
        return self.address[1]

    @property
    def pictures(self) -> dict[int, str]:
        """The address of each picture it shows, by the file's id, in order."""
        # Not from `attachments`, which lack what components show (discord-api-docs, issue 8277).
        media = [item["media"] for one in components(self.answer) for item in one.get("items", ())]
        return {_file_id(one): one["url"] for one in media}

    @property
    def buttons(self) -> list[Any]:
        """Its buttons, as in Discord's answer."""
        return [one for one in components(self.answer) if one.get("type") == BUTTON]


def components(message: Any) -> Iterator[Any]:
    """All components of a message in Discord's answer, nested ones too."""
    for component in (message or {}).get("components") or ():
        yield component
        yield from components(component)


def _file_id(media: Any) -> int:
    found = ATTACHMENT.search(media["url"])
    return int(media.get("attachment_id") or (found[1] if found else hash(media["url"])))


def title(address: Address) -> str:
    """A message's name in the list of cleanups."""
    return f"message {address[1]} in channel {address[0]}"


@dataclass
class Trial:
    """What the probes of a channel share; `draw` replaces the bot's own drawing."""

    account: Account
    channel: int
    draw: Draw | None = None
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    guild: discord.Guild | None = None
    may: discord.Permissions = field(default_factory=discord.Permissions.none)
    emojis: Emojis = field(default_factory=Emojis)
    connection: asyncio.Task[None] | None = None
    cleanups: dict[str, Callable[[], Awaitable[object]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        budget = Budget()
        self._making: set[asyncio.Task[Any]] = set()
        self._drawing = DrawingProcess()
        if self.draw is None:
            with suppress(Lost):  # the first picture will say so
                self._drawing.open()
        self.picture_cache = PictureCache(self.draw or self._drawing.draw, budget)
        self._foreign = ForeignMessages()
        self._builder = MessageBuilder(self.client, self.picture_cache, self.emojis, budget)
        channels = DmChannels(self.client, None, budget)
        self.sender = Sender(self.client, budget, self._foreign, self._builder, channels)

    @property
    def client(self) -> discord.AutoShardedClient:
        """The client that sends."""
        return self.account.client

    @property
    def report(self) -> Report:
        """Where the results go."""
        return self.account.report

    def require(self, permission: str) -> None:
        """Raise NotTried unless the bot has this permission in the channel."""
        if not getattr(self.may, permission):
            raise NotTried(f"{NEEDED[permission]} is missing here.")

    # Sending as the bot does

    async def post(
        self,
        message: Post,
        *,
        channel: int | None = None,
        nonce: str | None = None,
        ping: Collection[int] = (),
    ) -> Sent:
        """Send a message, by default to the trial's channel."""
        await self.prepare(message)
        nonce = nonce or secrets.token_hex(12)
        sending = self._send(channel or self.channel, message, nonce, ping)
        with self.report.recorder.collecting() as made:
            address = await self.make(sending, title, self.sender.delete)
        return Sent(address, made[-1].body)

    async def _send(self, channel: int, message: Post, nonce: str, ping: Collection[int]) -> Address:
        try:
            return await self.sender.post(channel, message, nonce, ping)
        except NETWORK:  # if it did arrive, the nonce finds it
            return await self.sender.post(channel, message, nonce, ping)

    async def edit(self, address: Address, message: Message) -> Sent:
        """Edit a message."""
        await self.prepare(message)
        with self.report.recorder.collecting() as made:
            await self.sender.edit(address, message)
        return Sent(address, made[-1].body)

    async def prepare(self, *messages: Message) -> None:
        """Draw the pictures of these messages ahead, so that Discord isn't blamed for a slow machine."""
        for scene in chain.from_iterable(message.scenes for message in messages):
            await self.picture(scene)

    async def picture(self, scene: Scene) -> bytes:
        """Draw this scene, and return its file."""
        with suppress(NotDrawnYet):
            [file] = await self.picture_cache.pictures([scene], scene, DRAWING)
            if file:
                return file
        raise Unexpected("This machine couldn't draw the picture: see Pictures above.")

    async def delete(self, sent: Sent) -> None:
        """Delete a message now, not at the end."""
        self.cleanups.pop(title(sent.address), None)
        await self.sender.delete(sent.address)

    def reply(self, interaction: Interaction) -> Reply:
        """The bot's way to answer a click."""
        return Reply(interaction, self._foreign, self._builder, lambda person: None, LobbyPages())

    async def fetch(self, url: str) -> int:
        """Fetch a picture, and return its number of bytes."""
        return len(await self.client.http.get_from_cdn(url))

    def use(self, emoji: discord.Emoji, own: dict[str, int]) -> None:
        """Show the queen as this emoji, and the other cards as the bot's own emojis if all are there."""
        with suppress(KeyError):  # the bot hasn't uploaded all of them yet
            self.emojis.know(own)
        self.emojis.of = {**self.emojis.of, QUEEN: discord.PartialEmoji(name=emoji.name, id=emoji.id)}

    # Cleaning up

    async def make(
        self, making: Awaitable[T], name: Callable[[T], str], remove: Callable[[T], Awaitable[object]]
    ) -> T:
        """Await this, and note how to remove its result, even if the check is stopped meanwhile."""

        async def finish() -> T:
            made = await making
            self.cleanups[name(made)] = partial(remove, made)
            return made

        task = asyncio.create_task(finish())
        self._making.add(task)
        return await asyncio.shield(task)

    async def close(self) -> int:
        """Remove everything, newest first, and disconnect; returns the number of things removed.

        What couldn't be removed is listed in the report's `left_behind`.
        """
        if self._making:
            done, _ = await asyncio.wait(self._making, timeout=LONGEST_REQUEST)
            for task in done:
                if not task.cancelled():
                    task.exception()  # the probe has reported it, unless the check was stopped
        count = 0
        while self.cleanups:
            what, remove = self.cleanups.popitem()
            try:
                await remove()
                count += 1
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.CHANNEL_GONE):
                    self.report.left_behind.append(f"{what}: {explain(error)}")
        self.picture_cache.close()
        self._drawing.close()
        if self.connection:
            self.connection.cancel()
            await asyncio.wait([self.connection])
        return count
