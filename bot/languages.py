"""The language of each server, in which everyone there is written to."""

from __future__ import annotations

import discord

from engine.languages import Language, by_locale
from engine.storage.database import Database
from engine.storage.settings import put_server_language, server_language


class ServerLanguages:
    """Knows what was chosen for a server, or else what Discord says of it."""

    def __init__(self, client: discord.Client, database: Database) -> None:
        self._client = client
        self._database = database

    async def of(self, guild: int) -> Language:
        """The language of this server's posts; English if nothing is known. Refusal if it can't be read."""
        chosen = await server_language(self._database, guild)
        return chosen or self._by_discord(guild)

    async def choose(self, guild: int, language: Language | None) -> Language:
        """Store this choice for the server, where None follows Discord; returns what holds from now on."""
        await put_server_language(self._database, guild, language)
        return language or self._by_discord(guild)

    def _by_discord(self, guild: int) -> Language:
        found = self._client.get_guild(guild)
        return by_locale(found.preferred_locale.value if found else None)
