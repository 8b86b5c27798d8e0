"""/privacy: what is stored about the person who asks."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.click import Interaction, whisper
from bot.commands.answering import command
from bot.delivery import NOBODY
from bot.render.privacy import EXPORTED, question
from engine.storage import privacy

if TYPE_CHECKING:
    from bot.client import HeartsBot

#: Bytes that Discord takes as a file, with room to spare (its own limit is 10 MiB).
LARGEST = 8_000_000


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Privacy(app_commands.Group):
    """See or delete what is stored about you."""

    def __init__(self, bot: HeartsBot) -> None:
        super().__init__(name="privacy", description="See or delete what is stored about you")
        self._bot = bot

    @command
    async def export(self, interaction: Interaction) -> None:
        """Get all that is stored about you as a file."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        stored = await privacy.export(self._bot.database, interaction.user.id)
        await interaction.followup.send(EXPORTED, file=_file(stored), ephemeral=True, allowed_mentions=NOBODY)

    @command
    async def delete(self, interaction: Interaction) -> None:
        """Delete all that is stored about you, once you have confirmed it."""
        await whisper(interaction, question())


def _file(stored: dict[str, Any]) -> discord.File:
    content = json.dumps(stored, ensure_ascii=False, indent=2).encode()
    name = "hearts-privacy.json"
    if len(content) > LARGEST:
        content, name = gzip.compress(content), f"{name}.gz"
    return discord.File(io.BytesIO(content), filename=name)
