"""A person's preferences for all tables, and the data stored about them."""

import asyncio
import gzip
from dataclasses import replace

from bot.answering.answering import Click, Services, command, handles
from bot.delivery import Reply
from bot.invitations import telling
from bot.invitations.asking import Invitations
from bot.people import preferences
from bot.people.preferences import (
    EXPORTED,
    FORGOTTEN,
    NOTHING_DELETED,
    AskToDelete,
    DeleteData,
    ExportData,
    KeepData,
    OpenPreferences,
    Prefer,
    Topic,
    privacy_page,
    question,
)
from bot.vocabulary.controls import Where, Who
from bot.vocabulary.messages import Attachment, Whisper
from engine.cards import Faces
from engine.loading import Loader
from engine.storage.call_wishes import CallWay, CallWish, drop_wish, find_wish, put_wish
from engine.storage.database import Database
from engine.tables import Forgetting, Preference, Tables

#: The most bytes of a file that is sent uncompressed (Discord's limit is 10 MiB).
LARGEST_FILE = 8_000_000


# Preferences


@command(Who.ANYONE, Where.ANYWHERE)
async def preferences_command(services: Services, reply: Reply) -> None:
    """Who may call you to a table, how your cards look and are played, and your language."""
    now, wish = await _chosen(services, reply)
    await reply.whisper(preferences.page(now, reply.language, wish))


@handles
async def open_preferences(click: Click[OpenPreferences]) -> None:
    """Open one of the forms, filled in with the current preferences."""
    now, wish = await _chosen(click.services, click.reply)
    form = preferences.form(click.action.topic, now, click.language, wish, in_server=bool(click.guild))
    await click.reply.ask(form)


async def _chosen(services: Services, reply: Reply) -> tuple[Preference, CallWish | None]:
    """This person's preferences, and their wish to be told of tables in this server."""
    wish = await find_wish(services[Database], reply.guild, reply.user_id) if reply.guild else None
    return services[Tables].preferences.of(reply.user_id), wish


@handles
async def prefer(click: Click[Prefer]) -> None:
    """Store what one of the forms says, and show the new preferences."""
    topic, before = click.action.topic, click.services[Tables].preferences.of(click.person.id)
    asks_to_tell = topic is Topic.INVITATIONS and bool(click.guild)
    way = click.chosen(telling.TELL) if asks_to_tell else None
    await click.services[Tables].prefer(click.person.id, _changed(click, topic, before))
    if asks_to_tell:
        await _store_wish(click, way)
    now, wish = await _chosen(click.services, click.reply)
    await click.edit(preferences.page(now, click.language, wish))


def _changed(click: Click[Prefer], topic: Topic, now: Preference) -> Preference:
    """The preferences with the form's fields replaced."""
    match topic:
        case Topic.TURNS:
            return replace(
                now,
                calls=click.chosen(preferences.CALLS),
                forced=click.chosen(preferences.FORCED),
                taps_twice=click.chosen(preferences.TAPS_TWICE),
            )
        case Topic.CARDS:
            faces = Faces(click.chosen(preferences.TWO_COLOURS), click.chosen(preferences.LETTERS))
            return replace(now, faces=faces, suits=click.chosen(preferences.SUITS))
        case Topic.INVITATIONS:
            return replace(now, may_be_invited=click.chosen(preferences.INVITES))
        case Topic.LANGUAGE:
            return replace(now, language=click.chosen(preferences.LANGUAGE))


async def _store_wish(click: Click[Prefer], way: CallWay | None) -> None:
    """Store whether and how the person wants to be told of tables in this server."""
    before = await find_wish(click.services[Database], click.guild, click.person.id)
    if way is None:
        if before:
            await drop_wish(click.services[Database], click.guild, click.person.id)
        click.services[Invitations].cancel_dms(click.person.id)
        return
    wish = replace(before or CallWish(click.guild, click.person.id, CallWay.DM), way=way)
    if wish != before:
        await put_wish(click.services[Database], wish)


# Privacy


@command(Who.ANYONE, Where.ANYWHERE, own_data=True)
async def privacy_command(services: Services, reply: Reply) -> None:
    """See or delete what is stored about you."""
    await reply.whisper(privacy_page(reply.language))


@handles
async def export_data(click: Click[ExportData]) -> None:
    """Send everything stored about the person as a file."""
    stored = await click.services[Forgetting].export(click.person.id, click.services[Loader])
    file = await asyncio.to_thread(_file, stored)  # compressing some megabytes would block the loop
    await click.reply.whisper(Whisper((click.language.say(EXPORTED), file)))


def _file(content: bytes) -> Attachment:
    name = "hearts-privacy.json"
    if len(content) > LARGEST_FILE:
        content, name = gzip.compress(content), f"{name}.gz"
    return Attachment(name, content)


@handles
async def ask_to_delete(click: Click[AskToDelete]) -> None:
    """Ask for confirmation before anything is deleted."""
    await click.edit(question(click.language))


@handles
async def delete_data(click: Click[DeleteData]) -> None:
    """Delete everything stored about the person who clicked, and say whether all of it is gone."""
    forgotten = await click.services[Forgetting].forget(click.person)
    await click.edit(Whisper((click.language.say(FORGOTTEN[forgotten]),)))


@handles
async def keep_data(click: Click[KeepData]) -> None:
    """Keep the data after all."""
    await click.edit(Whisper((click.language.say(NOTHING_DELETED),)))
