"""The language of each server, in which everyone there is written to."""

from __future__ import annotations

import discord

from engine.languages import Language, by_locale
from engine.storage.database import Database
from engine.storage.settings import server_language

#: What Discord says of a server that has chosen no language.
UNCHOSEN = discord.Locale.american_english


class ServerLanguages:
    """Knows what was chosen for a server, or else what Discord says of it."""

    def __init__(self, client: discord.Client, database: Database) -> None:
        self._client = client
        self._database = database

    async def of(self, guild: int, asker: Language) -> Language:
        """The language of this server's posts; if nothing is known of it, that of who asks for one.

        Refusal if it can't be read.
        """
        return await server_language(self._database, guild) or self._by_discord(guild) or asker.itself

    async def chosen(self, guild: int) -> Language | None:
        """What was chosen for this server; None where Discord is followed. Refusal if it can't be read."""
        return await server_language(self._database, guild)

    def _by_discord(self, guild: int) -> Language | None:
        """None where nobody chose one: a server can only do that once it is a Community."""
        found = self._client.get_guild(guild)
        if found is None:
            return None
        is_chosen = "COMMUNITY" in found.features or found.preferred_locale is not UNCHOSEN
        return by_locale(found.preferred_locale.value) if is_chosen else None
