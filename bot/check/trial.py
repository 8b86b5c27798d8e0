"""A trial in one channel: posts, edits and answers as the bot does, and removes everything again."""

import asyncio
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

import discord

from bot.check.account import Account
from bot.check.machine import HANDS
from bot.check.report import Verdict, explain
from bot.delivery.components import files, layout
from bot.delivery.emojis import Emojis
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.discord.permissions import NEEDED, bot_permissions, lacks, may_post
from bot.vocabulary.messages import CHECK, Button, Part, Picture, Post, Style
from bot.words.text import mentions, visible
from engine.languages import ENGLISH

#: Seconds for the gateway to let the bot in, and for requests in flight when the check is stopped.
LONGEST_START, LONGEST_REQUEST = 30.0, 10.0


@dataclass
class Trial:
    """What a trial's probes share. It waits these seconds for a click; 0 asks for none."""

    account: Account
    channel: int
    pictures: list[bytes]
    seconds: float
    guild: int = 0  # the channel's server
    connection: asyncio.Task[None] | None = None
    sent: list[asyncio.Task[discord.Message]] = field(default_factory=list)  # or still being sent

    async def post(self, *parts: Part, drawn: tuple[bytes, ...] = ()) -> discord.Message:
        """Send a message to the channel, with these pictures."""
        channel = self.account.client.get_partial_messageable(self.channel)
        attached = files(Post(parts), drawn)
        return await self.send(channel.send(view=_view(*parts), files=attached, silent=True))

    async def send(self, sending: Coroutine[Any, Any, discord.Message]) -> discord.Message:
        """Await this; its message is removed at the end, even if the check is stopped meanwhile."""
        task = asyncio.create_task(sending)
        self.sent.append(task)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Remove all messages, newest first, and disconnect; the report lists those that can't be removed."""
        report = self.account.report
        if self.sent:
            await asyncio.wait(self.sent, timeout=LONGEST_REQUEST)
        for task in reversed(self.sent):
            if not task.done():
                report.left_behind.append("perhaps a message that Discord was slow to take")
                continue
            if task.exception():
                continue  # nothing was sent
            message = task.result()
            try:
                await message.delete()
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.CHANNEL_GONE):
                    left = f"message {message.id} in channel {message.channel.id}: {explain(error)}"
                    report.left_behind.append(left)
        if report.left_behind:
            report.add("Afterwards", "Cleaned up", Verdict.NOTE, "Something is left behind: see below.")
        elif self.sent:
            report.add("Afterwards", "Cleaned up", Verdict.OK, "all messages were removed")
        if self.connection:
            self.connection.cancel()
            await asyncio.wait([self.connection])


def _view(*parts: Part) -> discord.ui.LayoutView:
    notice = "-# The bot is being checked. This message will be deleted."
    return layout(Post((notice, *parts)), Emojis(), pictured=True)


async def channel(trial: Trial) -> tuple[Verdict, str]:
    """A text channel or thread that the bot can see."""
    found = await trial.account.client.fetch_channel(trial.channel)
    if not isinstance(found, discord.abc.Messageable) or isinstance(found, discord.abc.PrivateChannel):
        return Verdict.FAILED, "It takes no messages. Choose a server's text channel or thread."
    trial.guild = found.guild.id
    return Verdict.OK, f"#{found.name}"


async def connection(trial: Trial) -> tuple[Verdict, str]:
    """Connect only the shard that hears from this server."""
    client, shards = trial.account.client, trial.account.shards
    if shards > 1:
        client.shard_count, client.shard_ids = shards, [(trial.guild >> 22) % shards]
    trial.connection = asyncio.create_task(client.connect(reconnect=False))
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait((ready, trial.connection), timeout=LONGEST_START, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    if trial.connection.done():
        await trial.connection  # which raises the reason
    if not client.is_ready():
        raise TimeoutError
    return Verdict.OK, "the gateway lets the bot in"


async def permissions(trial: Trial) -> tuple[Verdict, str]:
    """What the bot's roles and the channel allow together."""
    client = trial.account.client
    found = bot_permissions(client, trial.channel)
    if found is None:
        return Verdict.FAILED, "Discord hasn't sent them. Open the thread if it's archived, and check again."
    missing = lacks(found)
    if not found.send_messages:  # discord.py then reports files as forbidden too
        missing.remove(NEEDED["attach_files"])
    if missing:
        return Verdict.FAILED, f"Missing: {', '.join(missing)}."
    if not may_post(client.get_channel(trial.channel), found):
        return Verdict.FAILED, "The thread is locked."
    return Verdict.OK, "all that it needs"


async def messages(trial: Trial) -> tuple[Verdict, str]:
    """Post a picture, and edit the message to show another."""
    if len(trial.pictures) < len(HANDS):
        return Verdict.UNTRIED, "There's nothing to post: see Pictures."
    before, after = trial.pictures
    picture = Picture(HANDS[0], "A hand of cards, posted by a check.", "")
    message = await trial.post(picture, drawn=(before,))
    await message.edit(view=_view(picture), attachments=files(Post((picture,)), [after]))
    return Verdict.OK, "a picture was posted, and edited"


async def click(trial: Trial) -> tuple[Verdict, str]:
    """Ask the operator for a click, and answer it in the message and privately."""
    account, owners = trial.account, trial.account.owners
    if account.application.interactions_endpoint_url:
        return Verdict.UNTRIED, "Clicks don't come to the bot: see Application."
    if not trial.seconds:
        return Verdict.UNTRIED, "None was asked for."
    custom_id = f"{CHECK}{secrets.token_hex(4)}"
    clicked: asyncio.Future[discord.Interaction[Any]] = asyncio.get_running_loop().create_future()

    @account.client.event
    async def on_interaction(interaction: discord.Interaction[Any]) -> None:
        if cast(Any, interaction.data or {}).get("custom_id") != custom_id:
            return
        if interaction.user.id not in owners:
            sentence = "Only the bot's owner can answer its check."
            await interaction.response.send_message(sentence, ephemeral=True)
        elif not clicked.done():
            clicked.set_result(interaction)

    text = f"{mentions(owners)}: press the button, so that the check sees your click."
    await trial.post(text, (Button("Press me", custom_id, Style.MAIN),))
    who = visible(" or ".join(owners.values()), ENGLISH)
    account.report.tell(
        f"\nNow in Discord, {who}: press the button in the channel."
        f"\nThe check waits {trial.seconds:.0f} s for that. Ctrl-C stops it and cleans up."
    )
    await asyncio.wait([clicked], timeout=trial.seconds)
    if not clicked.done():
        question = "If you did click, is another program running with this token?"
        return Verdict.UNTRIED, f"No click arrived within {trial.seconds:.0f} s. {question}"
    interaction = clicked.result()
    await interaction.response.edit_message(view=_view("Thank you."))
    private = "Only you see this answer. It will be deleted too."
    await trial.send(interaction.followup.send(private, ephemeral=True, wait=True))
    return Verdict.OK, "it was answered in the message and privately"


CHANNEL = {
    "Channel": channel,
    "Connection": connection,
    "Permissions": permissions,
    "Messages": messages,
    "Click": click,
}
