"""Teaches simcord where Discord lets people use an app: servers with and without its bot, DMs and group DMs.

Discord's documentation: Interactions (interaction contexts, authorizing integration owners, app_permissions,
follow-ups), Application Commands (contexts, integration types), Permissions (Use External Apps).
simcord, which is pinned to one version, knows only servers with the bot and DMs with it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from enum import IntEnum
from typing import Any
from unittest.mock import patch

import discord
from simcord import _modal, actors
from simcord.backend import Backend, access, command_access, serializers
from simcord.backend.command_access import Access
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import EPHEMERAL_FLAG, Channel, Interaction
from simcord.backend.ops import commands
from simcord.backend.ops.base import BackendBase
from simcord.builders import GuildHandle, UserHandle
from simcord.enums import CallbackType, InteractionType
from simcord.env import Env
from simcord.http import _helpers, router

from bot.local import threads

Json = dict[str, Any]
#: Discord's type of a group DM, which simcord lacks.
GROUP_DM = 3
#: The most follow-ups to one interaction, if the app is installed only by a person.
MOST_FOLLOW_UPS = 5
#: An app's permissions in a DM or group DM, and in the DM with its bot.
IN_PRIVATE = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)
IN_BOT_DM = IN_PRIVATE | discord.Permissions(external_emojis=True)
#: Its permissions in a server without its bot, as discord.py reports them.
ELSEWHERE = discord.Permissions(
    send_messages=True,
    send_messages_in_threads=True,
    send_tts_messages=True,
    send_voice_messages=True,
    attach_files=True,
    embed_links=True,
    external_emojis=True,
)
PLACE = re.compile(r"/(?:applications/\d+/)?(channels|guilds)/(\d+)(?:/.*)?")
ANSWER = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/.+)?|/interactions/\d+/([^/]+)/callback")
FOLLOW_UP = re.compile(r"/webhooks/\d+/([^/]+)")
CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")


class InteractionContext(IntEnum):
    """Discord's number for where an interaction comes from; the bot itself uses `bot/discord/contexts.py`."""

    GUILD = 0
    BOT_DM = 1
    PRIVATE_CHANNEL = 2


class IntegrationType(IntEnum):
    """Discord's number for who has installed the app."""

    GUILD = 0
    USER = 1


# The world: who has the app, and places without the bot


def install(env: Env, user: int) -> None:
    """Have this person add the app to their account."""
    installed_by(env.backend).add(user)


def create_guild_without_bot(env: Env, name: str, owner: UserHandle | None = None) -> GuildHandle:
    """Create a server that the bot has never been in; it gets no events about it."""
    with patch.object(env.backend, "subscribers", []):
        guild = env.create_guild(name, owner=owner)
        remove_bot(env, guild)
    allow_external_apps(env, guild)
    return guild


def remove_bot(env: Env, guild: GuildHandle) -> None:
    """Remove the bot from a server."""
    stored = env.backend.get_guild(guild.id)
    for role in stored.members.pop(env.backend.bot_user.id).role_ids:
        del stored.roles[role]
    env.backend.emit("GUILD_DELETE", {"id": str(guild.id)})


def allow_external_apps(env: Env, guild: GuildHandle, allowed: bool = True) -> None:
    """Let apps that people have installed answer publicly in a server, or have Discord hide the answers."""
    everyone = env.backend.get_guild(guild.id).everyone_role
    permissions = discord.Permissions(everyone.permissions)
    permissions.use_external_apps = allowed
    everyone.permissions = permissions.value


def has_bot(backend: BackendBase, channel: Channel) -> bool:
    """Whether the bot is in the channel's server, or it is the bot's DM."""
    if channel.guild_id is not None:
        return _is_member(backend, channel.guild_id)
    return any(backend.dm_channels.get(one) == channel.id for one in channel.recipient_ids)


def interaction_context(backend: BackendBase, channel: Channel) -> InteractionContext:
    """The context of an interaction in this channel."""
    if channel.guild_id is not None:
        return InteractionContext.GUILD
    return InteractionContext.BOT_DM if has_bot(backend, channel) else InteractionContext.PRIVATE_CHANNEL


def installed_by(backend: BackendBase) -> set[int]:
    people: set[int] = vars(backend).setdefault("installed_by", set())
    return people


def _is_member(backend: BackendBase, guild: int) -> bool:
    stored = backend.guilds.get(guild)
    return stored is not None and backend.bot_user.id in stored.members


# What people may do


def _available(backend: BackendBase, channel: Channel, user: int) -> dict[str, str]:
    """The installations that this person can use here, each with the id of its server or person."""
    owners: dict[str, str] = {}
    if has_bot(backend, channel):
        owners[str(IntegrationType.GUILD.value)] = str(channel.guild_id or 0)
    if user in installed_by(backend):
        owners[str(IntegrationType.USER.value)] = str(user)
    return owners


def _authorized(backend: BackendBase, command: Mapping[str, Any], channel: Channel, user: int) -> Json:
    """The available installations that the command supports; empty if the person can't use it here."""
    kinds = [str(int(kind)) for kind in command.get("integration_types") or (IntegrationType.GUILD,)]
    return {kind: owner for kind, owner in _available(backend, channel, user).items() if kind in kinds}


def _command_access(backend: Any, command: Json, *, user_id: int, channel_id: int) -> Access:
    channel = backend.get_channel(channel_id)
    context, contexts = interaction_context(backend, channel), command.get("contexts")
    if contexts is not None and context not in contexts:
        return Access(allowed=False, reason="context")
    if not _authorized(backend, command, channel, user_id):
        return Access(allowed=False, reason="installation")
    if context is InteractionContext.PRIVATE_CHANNEL:
        return Access(allowed=True, reason=None)
    return _simcords_command_access(backend, command, user_id=user_id, channel_id=channel_id)


def _channel_accessible(
    backend: BackendBase, channel_id: int, viewer_id: int, *, history: bool = False
) -> bool:
    channel = backend.channels.get(channel_id)
    if channel is not None and interaction_context(backend, channel) is InteractionContext.PRIVATE_CHANNEL:
        return viewer_id in channel.recipient_ids
    return _simcords_channel_accessible(backend, channel_id, viewer_id, history=history)


def _check_user_dm_channel(actor: Any, channel_id: int) -> None:
    if isinstance(actor, UserHandle):
        channel = actor._env.backend.get_channel(channel_id)
        if channel.guild_id is not None or actor.id not in channel.recipient_ids:
            raise SetupError("This person isn't in that DM")


# The bot's events


def _emit(backend: BackendBase, event: str, payload: Mapping[str, Any]) -> None:
    if event == "INTERACTION_CREATE":
        payload = {**payload, **_described(backend, payload)}
    elif not _hears(backend, event, payload):
        return
    _simcords_emit(backend, event, payload)


def _hears(backend: BackendBase, event: str, payload: Mapping[str, Any]) -> bool:
    """Whether Discord sends the bot this event, which depends on whether the bot is in that place."""
    if event == "GUILD_DELETE":
        return True
    guild = payload.get("id" if event in ("GUILD_CREATE", "GUILD_UPDATE") else "guild_id")
    if guild is not None:
        return _is_member(backend, int(guild))
    channel = backend.channels.get(int(payload.get("channel_id") or 0))
    return channel is None or has_bot(backend, channel)


def _described(backend: BackendBase, payload: Mapping[str, Any]) -> Json:
    """The fields of an interaction that simcord leaves out or gets wrong."""
    record = backend.interactions[int(payload["id"])]
    channel = backend.get_channel(record.channel_id)
    if not threads.is_locked(channel):
        threads.unarchive(backend, channel)
    context = interaction_context(backend, channel)
    owners = _owners(backend, payload, record)
    vars(record)["owners"] = owners
    fields: Json = {"context": context.value, "authorizing_integration_owners": owners}
    if channel.guild_id is not None:
        locale = backend.get_guild(channel.guild_id).preferred_locale
        fields["guild"] = {"id": str(channel.guild_id), "locale": locale, "features": []}
        if not has_bot(backend, channel):
            fields["app_permissions"] = str(ELSEWHERE.value)
        return fields
    fields["app_permissions"] = str((IN_BOT_DM if context is InteractionContext.BOT_DM else IN_PRIVATE).value)
    if context is InteractionContext.PRIVATE_CHANNEL:
        fields["channel"] = _private_payload(backend, channel)
    return fields


def _owners(backend: BackendBase, payload: Mapping[str, Any], record: Interaction) -> dict[str, str]:
    """Who installed the app that this interaction uses.

    A message's controls keep the installation of the command that sent it, whoever presses them.
    """
    channel = backend.get_channel(record.channel_id)
    if record.type in (InteractionType.MESSAGE_COMPONENT, InteractionType.MODAL_SUBMIT):
        sent_by = (payload.get("message") or {}).get("interaction_metadata") or {}
        return sent_by.get("authorizing_integration_owners") or _available(backend, channel, record.user_id)
    id = str(payload["data"]["id"])
    registered = (one for scope in backend.commands.values() for one in scope.values())
    command = next((one for one in registered if str(one["id"]) == id), {})
    return _authorized(backend, command, channel, record.user_id)


def _private_payload(backend: BackendBase, channel: Channel) -> Json:
    payload: Json = {
        "id": str(channel.id),
        "type": int(channel.type),
        "flags": 0,
        "last_message_id": str(channel.last_message_id) if channel.last_message_id else None,
        "recipients": [dict(serializers.user_payload(backend.users[one])) for one in channel.recipient_ids],
    }
    if channel.type == GROUP_DM:
        payload |= {"name": channel.name, "icon": None, "owner_id": str(channel.owner_id)}
    return payload


# What the bot may do


def _check_request(backend: Backend, method: str, path: str) -> None:
    _simcords_check_faults(backend, method, path)
    if match := PLACE.fullmatch(path):
        _check_place(backend, match[1], int(match[2]))
    elif match := ANSWER.fullmatch(path):
        record = _record(backend, match[1] or match[2])
        if record and record.channel_id in backend.channels:
            threads.check_answer(backend.channels[record.channel_id])
        if record and method == "POST" and FOLLOW_UP.fullmatch(path):
            _check_follow_ups(record)


def _check_place(backend: Backend, kind: str, id: int) -> None:
    """Refuse the bot's token in places without the bot."""
    if kind == "guilds" and id in backend.guilds and not _is_member(backend, id):
        raise BackendError(404, 10004, "Unknown Guild")
    channel = backend.channels.get(id) if kind == "channels" else None
    if channel and not has_bot(backend, channel):
        raise BackendError(403, 50001, "Missing Access")


def _check_follow_ups(record: Interaction) -> None:
    if _is_external(record) and not record.loading and len(record.followup_ids) >= MOST_FOLLOW_UPS:
        raise BackendError(400, 40094, "This interaction has hit the maximum number of follow up messages")


def _record(backend: BackendBase, token: str) -> Interaction | None:
    return backend.interactions.get(backend.interaction_tokens.get(token, 0))


def _is_external(record: Interaction) -> bool:
    """Whether only a person has installed the app that this interaction uses."""
    return list(vars(record).get("owners", ())) == [str(IntegrationType.USER.value)]


def _is_hidden(backend: BackendBase, record: Interaction) -> bool:
    """Whether Discord makes answers ephemeral because the person may not use external apps in this server."""
    if record.guild_id is None or not _is_external(record):
        return False
    allowed = backend.compute_permissions(record.guild_id, record.user_id, record.channel_id)
    return not discord.Permissions(allowed).use_external_apps


def _body(ctx: router.RequestContext) -> Json:
    """A request's body, with the ephemeral flag if Discord would set it."""
    body: Json = _simcords_body(ctx)
    if ctx.method != "POST":
        return body
    if match := CALLBACK.fullmatch(ctx.path):
        record = ctx.backend.interactions.get(int(match[1]))
        sends = body.get("type") in (
            CallbackType.CHANNEL_MESSAGE_WITH_SOURCE,
            CallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
        )
        if record and sends and _is_hidden(ctx.backend, record):
            return {**body, "data": _hidden(body.get("data") or {})}
    elif match := FOLLOW_UP.fullmatch(ctx.path):
        record = _record(ctx.backend, match[1])
        if record and not record.loading and _is_hidden(ctx.backend, record):
            return _hidden(body)
    return body


def _hidden(message: Json) -> Json:
    return {**message, "flags": int(message.get("flags") or 0) | EPHEMERAL_FLAG}


def _prepare_message(ctx: Any, channel_id: int, **options: Any) -> Any:
    """Record in a message which installation of the app sent it."""
    message, uploads = _simcords_prepare_message(ctx, channel_id, **options)
    if interaction := options.get("interaction"):
        owners = vars(interaction).get("owners", {})
        message.interaction_metadata = {
            **(message.interaction_metadata or {}),
            "authorizing_integration_owners": owners,
        }
    return message, uploads


_simcords_command_access = command_access.command_access
_simcords_channel_accessible = access.channel_accessible
_simcords_emit = BackendBase.emit
_simcords_check_faults = router._check_faults
_simcords_body: Callable[[router.RequestContext], Json] = router.RequestContext.body
_simcords_prepare_message = _helpers.prepare_bot_message

#: Replacements in simcord: the owner of a name, the name, and its new value.
PATCHES: tuple[tuple[Any, str, Any], ...] = (
    (actors, "command_access", _command_access),
    (commands, "command_access", _command_access),
    (access, "channel_accessible", _channel_accessible),
    (actors, "_check_user_dm_channel", _check_user_dm_channel),
    (_modal, "_check_user_dm_channel", _check_user_dm_channel),
    (BackendBase, "emit", _emit),
    (router, "_check_faults", _check_request),
    (router.RequestContext, "body", _body),
    (router.RequestContext, "require_channel_permissions", threads.require_channel_permissions),
    (Backend, "create_thread", threads.create_thread),
    (serializers, "guild_create_payload", threads.guild_create_payload),
    (_helpers, "prepare_bot_message", _prepare_message),
)


@contextmanager
def with_contexts() -> Iterator[None]:
    """Patch simcord within this context."""
    with ExitStack() as patches:
        for owner, name, ours in PATCHES:
            patches.enter_context(patch.object(owner, name, ours))
        yield
