"""The language of each server's posts."""

import discord

from engine.languages import Language, by_locale
from engine.storage.database import Database
from engine.storage.settings import server_language

#: The locale that Discord reports for a server that has chosen none.
UNCHOSEN = discord.Locale.american_english


class ServerLanguages:
    """Finds the language that was chosen for a server, or else its language in Discord."""

    def __init__(self, client: discord.Client, database: Database) -> None:
        self._client = client
        self._database = database

    async def of(self, guild: int, asker: Language) -> Language:
        """The language of this server's posts; if there is none, the language of the person who asks.

        Refusal if the setting can't be read.
        """
        return await server_language(self._database, guild) or self._by_discord(guild) or asker.itself

    async def chosen(self, guild: int) -> Language | None:
        """The language chosen for this server; None to follow Discord. Refusal if it can't be read."""
        return await server_language(self._database, guild)

    def _by_discord(self, guild: int) -> Language | None:
        """The server's language in Discord; None if it can't have chosen one, as only Communities can."""
        server = self._client.get_guild(guild)
        if server is None:
            return None
        is_chosen = "COMMUNITY" in server.features or server.preferred_locale is not UNCHOSEN
        return by_locale(server.preferred_locale.value) if is_chosen else None
