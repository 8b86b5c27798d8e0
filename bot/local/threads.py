"""Teaches simcord what Discord allows in archived and locked threads; `contexts.py` applies it.

Discord's documentation: Threads (locked threads, active and archived threads, editing and deleting threads).
"""

import re
from typing import Any

import discord
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel, Guild
from simcord.backend.ops.base import BackendBase
from simcord.http.router import RequestContext

MESSAGES = re.compile(r"/channels/\d+/messages")
ITSELF = re.compile(r"/channels/\d+")
#: The fields of a thread that its creator may change even without Manage Threads.
CREATORS_OWN = {"name", "archived", "auto_archive_duration"}


def unarchive(backend: BackendBase, thread: Channel) -> None:
    """Unarchive a thread, as a message or a click in it does."""
    assert isinstance(backend, Backend)
    if thread.thread_metadata and thread.thread_metadata.archived:
        backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})


def check_answer(channel: Channel) -> None:
    """Refuse to answer an interaction, or to edit the answer, in an archived thread."""
    if channel.thread_metadata and channel.thread_metadata.archived:
        raise _archived()


def require_channel_permissions(ctx: RequestContext, channel_id: int, *names: str) -> Channel:
    """Check the permissions as simcord does, and also what Discord allows in threads."""
    thread = ctx.backend.channels.get(channel_id)
    if thread is None or not thread.is_thread:
        return _simcords(ctx, channel_id, *names)
    if ITSELF.fullmatch(ctx.path) and ctx.method in ("PATCH", "DELETE"):
        names = () if _is_creators(ctx, thread) else ("manage_threads",)
    _simcords(ctx, channel_id, *names)
    if ctx.method != "GET":
        _check_state(ctx, thread)
    return thread


def guild_create_payload(backend: BackendBase, guild: Guild) -> Any:
    """The bot's payload about a server, without archived threads, which Discord leaves out."""
    payload: Any = _simcords_guild(backend, guild)
    active = [one for one in payload["threads"] if not one["thread_metadata"]["archived"]]
    return {**payload, "threads": active}


def create_thread(backend: Backend, parent_id: int, name: str, owner_id: int, **options: Any) -> Channel:
    """Start a thread, with a line about it in the channel unless it starts from a message."""
    if not options.get("message_id"):
        return _simcords_create(backend, parent_id, name, owner_id, **options)
    thread = _simcords_create(backend, parent_id, name, owner_id, **{**options, "broadcast": False})
    backend.announce_thread_create(thread)
    return thread


def _is_creators(ctx: RequestContext, thread: Channel) -> bool:
    """Whether this request changes only what the bot may change in a thread that it created."""
    is_own = thread.owner_id == ctx.backend.bot_user.id and not _is_closed_to_bot(ctx.backend, thread)
    return is_own and ctx.method == "PATCH" and set(ctx.body()) <= CREATORS_OWN


def _check_state(ctx: RequestContext, thread: Channel) -> None:
    assert thread.thread_metadata is not None
    is_deletion = ctx.method == "DELETE"
    if _is_closed_to_bot(ctx.backend, thread) and not is_deletion:
        raise BackendError(400, 160005, "This thread is locked")
    if not thread.thread_metadata.archived or is_deletion:
        return
    if ctx.method == "POST" and MESSAGES.fullmatch(ctx.path):
        unarchive(ctx.backend, thread)
    elif not (ITSELF.fullmatch(ctx.path) and ctx.body().get("archived") is False):
        raise _archived()


def _is_closed_to_bot(backend: BackendBase, thread: Channel) -> bool:
    """Whether the thread is locked and the bot may not manage threads."""
    if thread.thread_metadata is None or not thread.thread_metadata.locked or thread.guild_id is None:
        return False
    allowed = backend.compute_permissions(thread.guild_id, backend.bot_user.id, thread.id)
    return not discord.Permissions(allowed).manage_threads


def _archived() -> BackendError:
    return BackendError(400, 50083, "Thread is archived")


def is_locked(channel: Channel) -> bool:
    """Whether a moderator has locked this thread."""
    return channel.thread_metadata is not None and channel.thread_metadata.locked


_simcords = RequestContext.require_channel_permissions
_simcords_create = Backend.create_thread
_simcords_guild = serializers.guild_create_payload
