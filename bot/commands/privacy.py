"""/privacy: what is stored about the person who asks."""

from __future__ import annotations

import asyncio
import gzip

from discord import app_commands

from bot.commands.common import command
from bot.delivery import Reply
from bot.messages import Attachment, Whisper
from bot.render.privacy import EXPORTED, question
from bot.services import Services
from engine.storage.privacy import export_person

#: Bytes that Discord takes as a file, with room to spare (its own limit is 10 MiB).
LARGEST_FILE = 8_000_000


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Privacy(app_commands.Group):
    """See or delete what is stored about you."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="privacy", description="See or delete what is stored about you")
        self._database = services.database
        self._load = services.load

    @command
    async def export(self, reply: Reply) -> None:
        """Get all that is stored about you as a file."""
        stored = await export_person(self._database, reply.person, self._load)
        file = await asyncio.to_thread(_file, stored)  # of some megabytes, perhaps
        await reply.whisper(Whisper((EXPORTED, file)))

    @command
    async def delete(self, reply: Reply) -> None:
        """Delete all that is stored about you, once you have confirmed it."""
        await reply.whisper(question())


def _file(content: bytes) -> Attachment:
    name = "hearts-privacy.json"
    if len(content) > LARGEST_FILE:
        content, name = gzip.compress(content), f"{name}.gz"
    return Attachment(name, content)
