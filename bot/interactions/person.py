"""A person's preferences for all tables, and the data stored about them."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace

from bot.controls import AskToDelete, DeleteData, ExportData, KeepData, Prefer, Where, Who
from bot.delivery import Reply
from bot.interactions.answering import Click, Services, command, language_called, member
from bot.messages import Attachment, Part, Whisper
from bot.render import preferences, telling
from bot.render.preferences import EXPORTED, FORGOTTEN, KEPT, privacy_page, question
from engine.errors import Refusal
from engine.storage.call_wishes import CallWay, CallWish, drop_wish, find_wish, put_wish
from engine.storage.privacy import export_person
from engine.tables import Calls, Forced, Preference

#: Bytes that Discord takes as a file, with room to spare (its own limit is 10 MiB).
LARGEST_FILE = 8_000_000


# Preferences


@command(Who.ANYONE, Where.ANYWHERE)
async def preferences_command(services: Services, reply: Reply) -> None:
    """Who may call you to a table, which of your cards play themselves, and your language."""
    now = services.tables.preferences.of(reply.user_id)
    wish = await find_wish(services.database, reply.guild, reply.user_id) if reply.guild else None
    await reply.ask(preferences.form(now, reply.language, wish, in_server=bool(reply.guild)))


async def prefer(click: Click[Prefer]) -> None:
    """The form was sent."""
    calls = member(Calls, click.written(preferences.CALLS))
    forced = member(Forced, click.written(preferences.FORCED))
    code = click.written(preferences.LANGUAGE)
    language = None if code == preferences.AS_IN_DISCORD else language_called(code)
    invites = click.written(preferences.INVITES)
    if invites not in (preferences.ANYONE, preferences.NOBODY_MAY):
        raise Refusal("stale")
    now = click.services.tables.preferences.of(click.person.id)
    preference = Preference(calls, forced, language, invites == preferences.ANYONE, now.zone)
    tell = click.written(telling.TELL) if click.guild else None
    if tell not in (None, *telling.WAYS):
        raise Refusal("stale")
    await click.services.tables.prefer(click.person.id, preference)
    wish = await _tell(click, tell)
    told: tuple[Part, ...] = (preferences.chosen(preference, click.language),)
    await click.reply.whisper(
        Whisper(told + (telling.chosen(wish, now.zone, click.language).parts if wish else ()))
    )


async def _tell(click: Click[Prefer], way: str | None) -> CallWish | None:
    """Store whether and how the person wants to be told of tables in this server; returns that."""
    if way is None:
        return None
    before = await find_wish(click.services.database, click.guild, click.person.id)
    if way == telling.NOT:
        if before:
            await drop_wish(click.services.database, click.guild, click.person.id)
        click.services.asking.stop_writing(click.person.id)
        return None
    wish = replace(before or CallWish(click.guild, click.person.id, CallWay.DM), way=CallWay(way))
    if wish != before:
        await put_wish(click.services.database, wish)
    return wish


# Privacy


@command(Who.ANYONE, Where.ANYWHERE)
async def privacy_command(services: Services, reply: Reply) -> None:
    """See or delete what is stored about you."""
    await reply.whisper(privacy_page(reply.language))


async def export(click: Click[ExportData]) -> None:
    """Send everything stored about the person as a file."""
    stored = await export_person(click.services.database, click.person.id, click.services.load)
    file = await asyncio.to_thread(_file, stored)  # of some megabytes, perhaps
    await click.reply.whisper(Whisper((click.language.say(EXPORTED), file)))


def _file(content: bytes) -> Attachment:
    name = "hearts-privacy.json"
    if len(content) > LARGEST_FILE:
        content, name = gzip.compress(content), f"{name}.gz"
    return Attachment(name, content)


async def ask_to_delete(click: Click[AskToDelete]) -> None:
    """Ask before anything is deleted."""
    await click.edit(question(click.language))


async def forget(click: Click[DeleteData]) -> None:
    """Delete all that is stored about the person who clicked, and tell them how far that has come."""
    forgotten = await click.services.forgetting.forget(click.person)
    await click.edit(Whisper((click.language.say(FORGOTTEN[forgotten]),)))


async def remember(click: Click[KeepData]) -> None:
    """Delete nothing after all."""
    await click.edit(Whisper((click.language.say(KEPT),)))
