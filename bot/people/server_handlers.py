"""`/hearts settings`, for a server's managers."""

from bot.answering.answering import Click, Services, command, handles
from bot.answering.languages import ServerLanguages
from bot.delivery import Reply
from bot.people import server as settings
from bot.people.server import ChangeSettings
from bot.vocabulary.controls import Where, Who
from engine.storage.database import Database
from engine.storage.servers import ServerSettings, put_server_settings, server_settings


@command(Who.MANAGER, Where.SERVER)
async def settings_command(services: Services, reply: Reply) -> None:
    """Settings for tables, tournaments and my language in this server (Manage Server)."""
    now = await server_settings(services[Database], reply.guild)
    await reply.ask(settings.form(now, await services[ServerLanguages].chosen(reply.guild), reply.language))


@handles
async def change_settings(click: Click[ChangeSettings]) -> None:
    """Store the form's settings, and confirm them."""
    now = ServerSettings(
        click.chosen(settings.PLACE), click.chosen(settings.CALLS), click.chosen(settings.TOURNAMENTS)
    )
    chosen = click.chosen(settings.LANGUAGE)
    await put_server_settings(click.services[Database], click.guild, now, chosen)
    posts = await click.services[ServerLanguages].of(click.guild, click.language)
    await click.reply.whisper(settings.changed(now, posts, click.language))
