"""A trial in one channel: posts, edits and answers as the bot does, and removes everything again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar, cast

import discord
from discord.utils import snowflake_time

from bot.check.account import Account
from bot.check.report import CheckStopped, NotTried, Probe, Unexpected, explain
from bot.delivery.budget import Budget
from bot.delivery.building import Address, MessageBuilder
from bot.delivery.dm_channels import DmChannels
from bot.delivery.emojis import Emojis
from bot.delivery.picture_cache import Draw, NotDrawnYet, PictureCache
from bot.delivery.reply import LobbyPages, Reply
from bot.delivery.reposting import ForeignMessages
from bot.delivery.sending import Sender
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.discord.permissions import NEEDED, bot_permissions, lacks, may_post
from bot.pictures import DrawingProcess
from bot.vocabulary.messages import CHECK, Button, Part, Picture, Post, Style, Whisper
from bot.vocabulary.scenes import FanScene
from bot.words.text import mentions, visible
from engine.cards import DECK
from engine.languages import ENGLISH
from engine.worker import Lost

T = TypeVar("T")
#: Seconds for the gateway to let the bot in, for a picture, and for requests in flight when it is stopped.
LONGEST_START, LONGEST_DRAWING, LONGEST_REQUEST = 30.0, 25.0, 10.0
#: How often the picture is edited.
EDITS = 5


@dataclass
class Trial:
    """What the probes share; it asks for clicks for `seconds`, in words that are handed to `tell`."""

    account: Account
    channel: int
    draw: Draw | None
    seconds: float
    tell: Callable[[str], None]
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    guild: discord.Guild | None = None
    may: discord.Permissions = field(default_factory=discord.Permissions.none)
    connection: asyncio.Task[None] | None = None
    posted: Address | None = None
    clicked: Reply | None = None

    def __post_init__(self) -> None:
        budget, foreign = Budget(), ForeignMessages()
        self._drawing = DrawingProcess()
        if self.draw is None:
            with suppress(Lost):  # the first picture will say so
                self._drawing.open()
        self._pictures = PictureCache(self.draw or self._drawing.draw, budget)
        builder = MessageBuilder(self.client, self._pictures, Emojis(), budget)
        channels = DmChannels(self.client, None, budget)
        self.sender = Sender(self.client, budget, foreign, builder, channels)
        self.reply = partial(
            Reply,
            foreign=foreign,
            builder=builder,
            chosen_language=lambda person: None,
            posts_language=lambda channel: None,
            pages=LobbyPages(),
        )
        self._cleanups: dict[str, Callable[[], Awaitable[object]]] = {}
        self._making: set[asyncio.Task[Any]] = set()

    @property
    def client(self) -> discord.AutoShardedClient:
        """The client that sends."""
        return self.account.client

    async def draws(self, cards: int) -> Picture:
        """A picture of this many cards, drawn ahead, so that Discord isn't blamed for a slow machine."""
        scene = FanScene(DECK[:cards])
        with suppress(NotDrawnYet):
            if all(await self._pictures.pictures([scene], scene, LONGEST_DRAWING)):
                return Picture(scene, f"{cards} cards, posted by a check.", f"{cards} cards")
        raise Unexpected("This machine couldn't draw the picture: see Pictures above.")

    async def post(self, message: Post, channel: int | None = None) -> Address:
        """Send a message, by default to the trial's channel; it is deleted at the end."""
        sending = self.sender.post(channel or self.channel, message, secrets.token_hex(12))
        return await self.make(sending, _title, self.sender.delete)

    async def make(
        self, making: Awaitable[T], title: Callable[[T], str], remove: Callable[[T], Awaitable[object]]
    ) -> T:
        """Await this, and note how to remove its result, even if the check is stopped meanwhile."""

        async def finish() -> T:
            made = await making
            self._cleanups[title(made)] = partial(remove, made)
            return made

        task = asyncio.create_task(finish())
        self._making.add(task)
        return await asyncio.shield(task)

    async def next_click(self, *controls: str) -> tuple[str, Reply]:
        """The owner's next use of one of these controls; others are told that it isn't theirs."""
        prefix = f"{CHECK}{self.run}:"
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    interaction = await self.account.client.clicks.get()
                    custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
                    if custom_id.removeprefix(prefix) not in controls:
                        continue
                    if interaction.user.id in self.account.owners:
                        return custom_id.removeprefix(prefix), self.reply(interaction)
                    with suppress(discord.HTTPException, *NETWORK):
                        await self.reply(interaction).whisper("Only the bot's owner can answer its check.")
        except TimeoutError:
            raise NotTried(
                f"No click arrived within {self.seconds:.0f} s. If you did click, is another program running "
                "with this token?"
            ) from None

    def button(self, control: str, label: str, style: Style = Style.PLAIN) -> Button:
        """A button of this run of the check."""
        return Button(label, f"{CHECK}{self.run}:{control}", style)

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
        while self._cleanups:
            what, remove = self._cleanups.popitem()
            try:
                await remove()
                count += 1
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.CHANNEL_GONE):
                    self.account.report.left_behind.append(f"{what}: {explain(error)}")
        self._pictures.close()
        self._drawing.close()
        if self.connection:
            self.connection.cancel()
            await asyncio.wait([self.connection])
        return count


def _title(address: Address) -> str:
    return f"message {address[1]} in channel {address[0]}"


def _message(*parts: Part) -> Post:
    return Post(("-# The bot is being checked. This message will be deleted.", *parts))


async def channel(trial: Trial) -> str:
    """A text channel or thread that the bot can see."""
    try:
        found = await trial.client.fetch_channel(trial.channel)
    except discord.NotFound:
        raise CheckStopped(
            "Discord knows no such channel. With Developer Mode on, right-click one to copy its ID."
        ) from None
    except discord.Forbidden:
        raise CheckStopped(
            f"The bot can't see it: {NEEDED['view_channel']} is missing, or it isn't in that server."
        ) from None
    if not isinstance(found, discord.abc.Messageable) or isinstance(found, discord.abc.PrivateChannel):
        raise CheckStopped("It takes no messages. Choose a server's text channel or thread.")
    trial.guild = found.guild
    return f"#{found.name}"


async def connection(trial: Trial) -> str:
    """Connect only the shard that hears from this server."""
    client, shards = trial.account.client, trial.account.shards
    assert trial.guild is not None
    if shards > 1:
        client.shard_count, client.shard_ids = shards, [(trial.guild.id >> 22) % shards]
    trial.connection = task = asyncio.create_task(client.connect(reconnect=False))
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait([ready, task], timeout=LONGEST_START, return_when=asyncio.FIRST_COMPLETED)
    if not ready.done():
        ready.cancel()
        raise CheckStopped(explain((task.exception() if task.done() else None) or TimeoutError()))
    return "the gateway lets the bot in"


async def permissions(trial: Trial) -> str:
    """What the bot's roles and the channel allow together."""
    found = bot_permissions(trial.client, trial.channel)
    if found is None:
        if trial.guild and trial.client.get_guild(trial.guild.id):
            raise CheckStopped("Discord doesn't send them for an archived thread: open it, and check again.")
        raise CheckStopped("Discord hasn't sent them yet: check again in a minute.")
    trial.may = found
    missing = lacks(found)
    if not found.send_messages:  # discord.py then reports files as forbidden too
        missing.remove(NEEDED["attach_files"])
    if not may_post(trial.client.get_channel(trial.channel), found):
        raise CheckStopped(f"Missing: {', '.join(missing)}.")
    if missing:
        raise Unexpected(f"Missing: {', '.join(missing)}.")
    return "all that it needs"


async def messages(trial: Trial) -> str:
    """A message with a picture, edited as cards are played."""
    trial.posted = address = await trial.post(_message(await trial.draws(13)))
    for edit in range(1, EDITS + 1):
        await trial.sender.edit(address, _message(await trial.draws(13 - edit)))
    return f"a picture was posted, and edited {EDITS} times"


async def thread(trial: Trial) -> str:
    """A message in this thread, one of this channel, or a new one if the bot can delete it again."""
    if not trial.may.send_messages_in_threads:
        raise NotTried(f"{NEEDED['send_messages_in_threads']} is missing here.")
    found = await _thread(trial)
    address = await trial.post(_message("Before the edit."), found.id)
    await trial.sender.edit(address, _message("After the edit."))
    return f"posted and edited in “{found.name}”"


async def _thread(trial: Trial) -> discord.Thread:
    here, may = trial.client.get_channel(trial.channel), trial.may
    if isinstance(here, discord.Thread):
        return here
    if not isinstance(here, discord.TextChannel):
        raise NotTried("This kind of channel has no threads.")
    if may.create_public_threads and may.manage_threads and may.read_message_history:
        creating = here.create_thread(name="Hearts check", type=discord.ChannelType.public_thread)
        return await trial.make(creating, lambda one: f"thread {one.id}", _delete_thread)
    for found in here.threads:
        if not found.locked and not found.archived:
            return found
    raise NotTried("There's none here, and the bot couldn't delete its own. Open one and check again.")


async def _delete_thread(thread: discord.Thread) -> None:
    """Delete it, and Discord's notice of it in the channel."""
    channel = thread.parent
    await thread.delete()
    if isinstance(channel, discord.TextChannel):
        async for message in channel.history(after=thread, limit=20):
            if message.type is discord.MessageType.thread_created and message.author == channel.guild.me:
                await message.delete()


async def click(trial: Trial) -> str:
    """Ask the operator for a click, and answer it in the message and privately."""
    if trial.account.application.interactions_endpoint_url:
        raise NotTried("Clicks don't come to the bot: see Application.")
    if not trial.seconds:
        raise NotTried("None was asked for.")
    owners = trial.account.owners
    text = f"{mentions(owners)}: press the button, so that the check sees your click."
    address = await trial.post(_message(text, (trial.button("press", "Press me", Style.MAIN),)))
    who = visible(" or ".join(owners.values()), ENGLISH)
    trial.tell(
        f"\nNow in Discord, {who}: press the button in the channel."
        f"\nThe check waits {trial.seconds:.0f} s for that. Ctrl-C stops it and cleans up."
    )
    _, reply = await trial.next_click("press")
    # By Discord's clock: this machine's may be off.
    arrived = datetime.now(UTC) - snowflake_time(reply.interaction.id)
    question = (trial.button("dm", "Send me a test DM"), trial.button("nodm", "No DM"))
    await reply.update(_message(f"{mentions(owners)}: may the bot send you a DM?", question))
    await trial.make(
        reply.whisper("Only you see this answer. It will be deleted too."),
        lambda id: f"private answer {id} to message {address[1]}",
        reply.delete,
    )
    trial.clicked = reply
    return f"it arrived after {arrived.total_seconds() * 1000:.0f} ms, and was answered privately"


async def dm(trial: Trial) -> str:
    """Send a DM to the operator, if they want one, and edit it."""
    if trial.clicked is None:
        raise NotTried("Nobody was asked.")
    control, reply = await trial.next_click("dm", "nodm")
    await reply.update(None)
    if control == "nodm":
        raise NotTried("You chose none.")
    shown = await trial.draws(13)
    sending = trial.sender.dm(
        reply.user_id, Whisper(("A DM. It will be deleted.", shown)), secrets.token_hex(12)
    )
    address = await trial.make(sending, lambda one: f"DM: {_title(one)}", trial.sender.delete)
    await trial.sender.edit(address, Whisper(("Edited. It will be deleted.", shown)))
    return "it was sent, and edited"


CHANNEL: dict[str, Probe[Trial]] = {
    "Channel": channel,
    "Connection": connection,
    "Permissions": permissions,
    "Messages": messages,
    "Thread": thread,
    "Click": click,
    "DM": dm,
}
