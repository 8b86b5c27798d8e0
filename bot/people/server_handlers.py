"""A server's settings, which its managers change."""

from __future__ import annotations

from bot.answering.answering import Click, Services, command, handles, language_called
from bot.answering.languages import ServerLanguages
from bot.delivery import Reply
from bot.people import server as settings
from bot.people.server import ChangeSettings
from bot.vocabulary.controls import Where, Who
from engine.errors import Refusal
from engine.storage.database import Database
from engine.storage.servers import ServerSettings, put_server_settings, server_settings


@command(Who.MANAGER, Where.SERVER)
async def settings_command(services: Services, reply: Reply) -> None:
    """Choose what holds for tables, tournaments and my language in this server (Manage Server)."""
    now = await server_settings(services[Database], reply.guild)
    await reply.ask(settings.form(now, await services[ServerLanguages].chosen(reply.guild), reply.language))


@handles
async def change(click: Click[ChangeSettings]) -> None:
    """The form was sent."""
    place, code = click.written(settings.PLACE), click.written(settings.LANGUAGE)
    calls, hosting = click.written(settings.CALLS), click.written(settings.TOURNAMENTS)
    if place not in settings.PLACES or calls not in settings.CALLING or hosting not in settings.HOSTING:
        raise Refusal("stale")
    chosen = None if code == settings.AS_IN_DISCORD else language_called(code)
    now = ServerSettings(settings.PLACES[place][0], settings.CALLING[calls][0], settings.HOSTING[hosting][0])
    await put_server_settings(click.services[Database], click.guild, now, chosen)
    posts = await click.services[ServerLanguages].of(click.guild, click.language)
    await click.reply.whisper(settings.changed(now, posts, click.language))
