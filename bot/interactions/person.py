"""A person's preferences for all tables, and the data stored about them."""

from __future__ import annotations

import asyncio
import gzip

from discord import app_commands

from bot.controls import DeleteData, KeepData, Prefer
from bot.delivery import Reply
from bot.interactions.answering import Click, Services, command, group, language_called, member
from bot.messages import Attachment, Whisper
from bot.render import preferences
from bot.render.preferences import EXPORTED, FORGOTTEN, KEPT, question
from engine.errors import Refusal
from engine.storage.privacy import export_person
from engine.tables import Calls, Forced, Preference

#: Bytes that Discord takes as a file, with room to spare (its own limit is 10 MiB).
LARGEST_FILE = 8_000_000


# Preferences


@command
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
async def preferences_command(services: Services, reply: Reply) -> None:
    """Choose when you are mentioned, which of your cards play themselves, and your language."""
    now = services.tables.preferences.of(reply.user_id)
    await reply.ask(preferences.form(now, reply.language))


async def prefer(click: Click[Prefer]) -> None:
    """The form was sent."""
    calls = member(Calls, click.written(preferences.CALLS))
    forced = member(Forced, click.written(preferences.FORCED))
    code = click.written(preferences.LANGUAGE)
    language = None if code == preferences.AS_IN_DISCORD else language_called(code)
    invites = click.written(preferences.INVITES)
    if invites not in (preferences.ANYONE, preferences.NOBODY_MAY):
        raise Refusal("stale")
    preference = Preference(calls, forced, language, may_be_invited=invites == preferences.ANYONE)
    await click.services.tables.prefer(click.person.id, preference)
    await click.reply.whisper(preferences.chosen(preference, click.language))


# Privacy


@command
async def export_command(services: Services, reply: Reply) -> None:
    """Get everything stored about you as a file."""
    stored = await export_person(services.database, reply.user_id, services.load)
    file = await asyncio.to_thread(_file, stored)  # of some megabytes, perhaps
    await reply.whisper(Whisper((reply.language.say(EXPORTED), file)))


def _file(content: bytes) -> Attachment:
    name = "hearts-privacy.json"
    if len(content) > LARGEST_FILE:
        content, name = gzip.compress(content), f"{name}.gz"
    return Attachment(name, content)


@command
async def delete_command(services: Services, reply: Reply) -> None:
    """Delete everything stored about you, after asking you once."""
    await reply.whisper(question(reply.language))


async def forget(click: Click[DeleteData]) -> None:
    """Delete all that is stored about the person who clicked, and tell them how far that has come."""
    click.check_private()
    forgotten = await click.services.forgetting.forget(click.person)
    await click.edit(Whisper((click.language.say(FORGOTTEN[forgotten]),)))


async def remember(click: Click[KeepData]) -> None:
    """Delete nothing after all."""
    await click.edit(Whisper((click.language.say(KEPT),)))


PRIVACY = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)(
    group("privacy", "See or delete what is stored about you", export_command, delete_command)
)
