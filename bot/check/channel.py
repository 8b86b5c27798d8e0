"""Probes of what the bot relies on in a channel."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import discord

from bot.check import boards
from bot.check.requests import Request
from bot.check.results import Blocked, Note, NotTried, Probes, Unexpected, add_to
from bot.check.trial import EMOJI, Sent, Trial, components, title
from bot.check.words import explain
from bot.delivery.components import files, layout
from bot.discord.faults import INVALID_FORM, Fault, fault_of
from bot.discord.permissions import NEEDED, bot_permissions, lacks, may_post
from bot.operator.messages import size
from bot.pictures import emojis
from bot.words.text import mentions

#: Seconds for the gateway to let the bot in.
LONGEST_START = 30.0
#: How often the board is edited.
EDITS = 10
UNKNOWN_MESSAGE = 10008

CHANNEL: Probes[Trial] = []
#: About all requests, once everything else has been tried.
AFTERWARDS: Probes[Trial] = []


@add_to(CHANNEL, "channel", "Channel", "a text channel or thread that the bot can see")
async def channel(trial: Trial) -> str:
    """Ask Discord for it."""
    others = "There's no channel to try it in."
    try:
        found = await trial.client.fetch_channel(trial.channel)
    except discord.NotFound:
        problem = "Discord knows no such channel. With Developer Mode on, right-click one to copy its ID."
        raise Blocked(problem, others) from None
    except discord.Forbidden:
        problem = f"The bot can't see it: {NEEDED['view_channel']} is missing, or it isn't in that server."
        raise Blocked(problem, others) from None
    if not isinstance(found, discord.abc.Messageable) or isinstance(found, discord.abc.PrivateChannel):
        raise Blocked("It takes no messages. Choose a server's text channel or thread.", others)
    trial.guild = found.guild
    return f"#{found.name}"


@add_to(CHANNEL, "session", "Session", f"the gateway lets the bot in within {LONGEST_START:.0f} s")
async def session(trial: Trial) -> str:
    """Connect only the shard that hears from this server."""
    client, shards = trial.account.client, trial.account.shards
    assert trial.guild is not None
    if shards > 1:
        client.shard_count, client.shard_ids = shards, [(trial.guild.id >> 22) % shards]
    began = time.perf_counter()
    trial.connection = connection = asyncio.create_task(client.connect(reconnect=False))
    ready = asyncio.create_task(client.wait_until_ready())
    first = asyncio.FIRST_COMPLETED
    await asyncio.wait([ready, connection], timeout=LONGEST_START, return_when=first)
    if not ready.done():
        ready.cancel()
        error = connection.exception() if connection.done() else None
        raise Blocked(explain(error or TimeoutError()), "The gateway didn't let the bot in.")
    return f"in after {time.perf_counter() - began:.1f} s"


@add_to(CHANNEL, "permissions", "Permissions here", ", ".join(NEEDED.values()))
async def permissions(trial: Trial) -> str:
    """What the bot's roles and the channel allow together."""
    found = bot_permissions(trial.client, trial.channel)
    if found is None:
        problem = "Discord hasn't sent them yet: check again in a minute."
        if trial.guild and trial.client.get_guild(trial.guild.id):
            problem = "Discord doesn't send them for an archived thread: open it, and check again."
        raise Blocked(problem, "The bot's permissions are unknown.")
    trial.may = found
    missing = lacks(found)
    if not found.send_messages:  # discord.py then reports files as forbidden too
        missing.remove(NEEDED["attach_files"])
    if not may_post(trial.client.get_channel(trial.channel), found):
        raise Blocked(f"Missing: {', '.join(missing)}.", "The bot may not write here.")
    if missing:
        raise Unexpected(f"Missing: {', '.join(missing)}.")
    return "all of them"


@add_to(CHANNEL, "emoji", "Emoji uploaded", "Discord takes it and lists it")
async def emoji(trial: Trial) -> str:
    """Upload one for this check, and delete those that a killed check left behind."""
    before = await trial.client.fetch_application_emojis()
    for old in before:
        if old.name.startswith(EMOJI):
            await old.delete()
    name, image = f"{EMOJI}{trial.run}", emojis()["queen_of_spades"]
    creating = trial.client.create_application_emoji(name=name, image=image)
    made = await trial.make(creating, lambda one: f"emoji {one.name}", lambda one: one.delete())
    if made.id not in {one.id for one in await trial.client.fetch_application_emojis()}:
        raise Unexpected("It isn't among the application's emojis.")
    trial.use(made, {one.name: one.id for one in before})
    return f"emoji {made.id}"


@add_to(CHANNEL, "button", "Emoji on a button", "the button shows it")
async def button(trial: Trial) -> str:
    """A card as in a hand."""
    if boards.QUEEN not in trial.emojis.of:
        raise NotTried("There's no emoji.")
    queen = boards.button(trial.run, "none", boards.QUEEN.symbol, card=boards.QUEEN)
    sent = await trial.post(boards.post((queen,)))
    if boards.QUEEN not in trial.emojis.of:
        raise Unexpected("It was refused again and again, so the card became letters (7128).")
    shown = [str((one.get("emoji") or {}).get("id")) for one in sent.buttons]
    if shown != [str(trial.emojis.of[boards.QUEEN].id)]:
        raise Unexpected("The button came back without it.")
    return "as expected"


@add_to(CHANNEL, "board", f"Board edited {EDITS} times", "each edit shows one picture, the new one")
async def board(trial: Trial) -> str:
    """As cards are played."""
    trial.require("attach_files")
    first, *others = [boards.post(boards.picture(played)) for played in range(EDITS + 1)]
    await trial.prepare(first, *others)
    began = time.perf_counter()
    with trial.report.recorder.collecting() as made:
        sent = await trial.post(first)
        pictures = [*_one_picture(sent, "the new message")]
        for number, other in enumerate(others, 1):
            pictures += _one_picture(await trial.edit(sent.address, other), f"edit {number}")
    if len(set(pictures)) < len(pictures):
        raise Unexpected("An edit showed an earlier picture.")
    took = time.perf_counter() - began
    waited = max(0.0, took - sum(request.seconds for request in made))
    return f"{EDITS} new pictures in {took:.1f} s, of which {waited:.1f} s waiting for rate limits"


def _one_picture(sent: Sent, what: str) -> Iterable[int]:
    if len(sent.pictures) != 1:
        raise Unexpected(f"{what.capitalize()} showed {len(sent.pictures)} pictures.")
    return sent.pictures


@add_to(CHANNEL, "stays", "A picture that stays", "an edit that doesn't mention the picture keeps it")
async def stays(trial: Trial) -> str:
    """As when only the words below a board change."""
    trial.require("attach_files")
    shown = boards.picture(EDITS + 1)
    sent = await trial.post(boards.post(shown, "Before the edit."))
    before = list(_one_picture(sent, "the new message"))
    with trial.report.recorder.collecting() as made:
        edited = await trial.edit(sent.address, boards.post(shown, "After the edit."))
    if refused := next((request for request in made if request.status == 400), None):
        raise Unexpected(f"Such an edit is refused (error {refused.code}): the picture was sent again.")
    if list(edited.pictures) != before:
        raise Unexpected("The edit took it away." if not edited.pictures else "It's another picture now.")
    return f"all {size(await trial.fetch(edited.pictures[before[0]]))} are still there"


@add_to(CHANNEL, "replace", "One picture of two", "an edit keeps the file it names and replaces the other")
async def replaced(trial: Trial) -> str:
    """Name a file by its id, and bring one along."""
    trial.require("attach_files")
    first, second, third = (boards.picture(EDITS + more) for more in (2, 3, 4))
    sent = await trial.post(boards.post(first, second))
    before = list(sent.pictures)
    if len(before) != 2:
        raise Unexpected(f"The new message showed {len(before)} pictures.")
    message = boards.post(first, third)
    drawn = [await trial.picture(scene) for scene in message.scenes]
    attachments = cast(Any, [_Kept(before[0]), files(message, drawn)[1]])
    view = layout(message, trial.emojis, pictured=True)
    with trial.report.recorder.collecting() as made:
        partial = trial.client.get_partial_messageable(trial.channel).get_partial_message(sent.id)
        await partial.edit(view=view, attachments=attachments)
    after = list(Sent(sent.address, made[-1].body).pictures)
    if len(after) != 2 or after[0] != before[0]:
        raise Unexpected("It didn't keep the file that it named.")
    if after[1] == before[1]:
        raise Unexpected("It didn't replace the other file.")
    return "as expected"


class _Kept:
    """A file that a message keeps, for discord.py."""

    def __init__(self, id: int) -> None:
        self._id = id

    def to_dict(self) -> dict[str, Any]:
        """The file as an edit names it."""
        return {"id": str(self._id)}


@add_to(CHANNEL, "nonce", "Nonce", "sent twice with the same one, a message comes once")
async def nonce(trial: Trial) -> str:
    """As when Discord's answer was lost."""
    once, message = secrets.token_hex(12), boards.post("Sent twice, shown once.")
    sent = await trial.post(message, nonce=once)
    again = await trial.post(message, nonce=once)
    if sent.id != again.id:
        raise Unexpected("It came twice.")
    return "as expected"


@add_to(CHANNEL, "deleted", "Nonce of a deleted message", "refused as unknown (6647), then sent with another")
async def deleted(trial: Trial) -> str:
    """As when someone deletes a message that the bot is about to send again."""
    once = secrets.token_hex(12)
    sent = await trial.post(boards.post("Deleted at once."), nonce=once)
    await trial.delete(sent)
    with trial.report.recorder.collecting() as made:
        again = await trial.post(boards.post("Sent again."), nonce=once)
    if again.id == sent.id:
        raise Unexpected("Discord answered with the deleted message and sent nothing.")
    if not any(request.code == UNKNOWN_MESSAGE for request in made):
        raise Note("A new message came at once: kinder than reported.")
    return "as expected"


@add_to(CHANNEL, "forty", "40 components", "Discord takes a message of 40, nested ones included")
async def forty(trial: Trial) -> str:
    """As many as the widest hands have."""
    sent = await trial.post(boards.forty(trial.run))
    count = len(list(components(sent.answer)))
    if count != 40:
        raise Unexpected(f"{count} came back.")
    return "as expected"


@add_to(CHANNEL, "large", "Over 10 KB of components", "an internal error (8554): the bot stays below that")
async def large(trial: Trial) -> str:
    """Stop at the first error: discord.py would try again for half a minute."""
    message, once = boards.large(trial.run), secrets.token_hex(12)
    with trial.report.recorder.collecting() as made:
        sending = asyncio.create_task(trial.sender.post(trial.channel, message, once))
        while not sending.done() and not any(request.status >= 500 for request in made):
            await asyncio.wait([sending], timeout=0.05)
    if not sending.done():
        sending.cancel()
        return f"as expected: status {made[-1].status}"
    try:
        await trial.make(sending, title, trial.sender.delete)
    except discord.HTTPException as error:
        raise Note(explain(error)) from None
    raise Note("Discord takes it: kinder than reported.")


@add_to(CHANNEL, "thread", "Thread", "a message in a thread can be edited")
async def thread(trial: Trial) -> str:
    """Use this thread, one of this channel, or a new one if the bot can delete it again."""
    trial.require("send_messages_in_threads")
    found = await _thread(trial)
    sent = await trial.post(boards.post("Before the edit."), channel=found.id)
    edited = await trial.edit(sent.address, boards.post("After the edit."))
    if "After the edit." not in json.dumps(edited.answer):
        raise Unexpected("The edit changed nothing.")
    return f"edited in “{found.name}”"


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


@add_to(CHANNEL, "mention", "Mention", "it notifies one person, and is gone once deleted")
async def mention(trial: Trial) -> str:
    """The bot mentions itself, to disturb nobody."""
    assert trial.client.user is not None
    me = trial.client.user.id
    message = replace(boards.post("This notifies nobody else: @everyone"), call=mentions([me]))
    sent = await trial.post(message, ping=(me,))
    named = [int(user["id"]) for user in sent.answer.get("mentions", ())]
    if named != [me] or sent.answer.get("mention_everyone"):
        raise Unexpected("It notifies others too." if named else "It notifies nobody.")
    await trial.sender.delete(sent.address)
    try:
        await trial.delete(sent)
    except discord.NotFound as error:
        if fault_of(error) is Fault.MESSAGE_GONE:
            return "as expected"
        raise
    raise Unexpected("It was still there after it had been deleted.")


@add_to(AFTERWARDS, "refusals", "Emojis refused", "never; one message in 25 was reported (7128)")
async def refusals(trial: Trial) -> str:
    """Over the whole check."""
    requests = [request for request in trial.report.recorder.requests if _sends(request)]
    refused = [request for request in requests if _refuses_emoji(request)]
    if refused:
        raise Note(f"{len(refused)} times in {len(requests)} messages and edits; the bot sends them again.")
    return f"never in {len(requests)} messages and edits"


def _sends(request: Request) -> bool:
    """Whether it sends or edits a message."""
    ends = ("/messages", "/messages/{}", "/messages/@original", "/callback", "/***")
    return request.method in ("POST", "PATCH") and request.kind.endswith(ends)


def _refuses_emoji(request: Request) -> bool:
    return request.code == INVALID_FORM and "emoji" in json.dumps(request.body).lower()


@add_to(AFTERWARDS, "answers", "Answers", "one to each request")
async def answers(trial: Trial) -> str:
    """Count them, and how long they took."""
    requests = trial.report.recorder.requests
    lost = sum(not request.status for request in requests)
    if lost:
        raise Note(f"{lost} of {len(requests)} requests had none: the network loses them.")
    seconds = sorted(request.seconds for request in requests)
    half, all = (f"{one * 1000:.0f} ms" for one in (seconds[len(seconds) // 2], seconds[-1]))
    return f"{len(requests)}: half of them within {half}, all within {all}"


#: The calls that a table makes most.
KINDS = {
    "messages": "POST /channels/{}/messages",
    "edits": "PATCH /channels/{}/messages/{}",
    "deletions": "DELETE /channels/{}/messages/{}",
}


@add_to(AFTERWARDS, "limits", "Rate limits", "sent in the answers' headers, and never exceeded")
async def limits(trial: Trial) -> str:
    """The limits of the most frequent calls, and requests that were refused."""
    requests = trial.report.recorder.requests
    if refused := [request for request in requests if request.status == 429]:
        kinds = sorted({f"{one.kind} ({one.scope or 'scope unknown'})" for one in refused})
        raise Note(f"{len(refused)} refused with status 429: {', '.join(kinds)}")
    found = [f"{what} {limit}" for what, kind in KINDS.items() if (limit := _limit(requests, kind))]
    if not found:
        raise Note("The answers had none: is there a proxy in between?")
    return "; ".join(found)


def _limit(requests: Iterable[Request], kind: str) -> str:
    """`5 in 5.0 s`; nothing if the headers don't say."""
    same = [one for one in requests if one.kind == kind and one.limit is not None]
    seconds = max((one.reset_after or 0.0 for one in same), default=0.0)
    return f"{same[-1].limit} in {seconds:.1f} s" if same else ""
