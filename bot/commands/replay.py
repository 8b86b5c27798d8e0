"""/hearts replay: of the last game here, or of one that somebody hands in as a file."""

from __future__ import annotations

import discord

from bot.delivery import Reply
from bot.faults import NETWORK
from bot.render.replay import faulty, replay
from bot.render.spots import Spot
from bot.services import Services
from engine.errors import RecordError, Refusal
from engine.tables.replays import LARGEST_FILE


async def open_replay(
    services: Services, reply: Reply, file: discord.Attachment | None, number: int | None
) -> None:
    """Show a game's first deal as it was dealt."""
    if file is None:
        table = await services.replays.latest(reply.channel)
        await reply.whisper(replay(table, Spot(table.id)))
        return
    try:
        id, table = await services.replays.hand_in(reply.person, await _content(file), number)
    except RecordError as fault:
        await reply.whisper(faulty(file.filename, fault))
    else:
        await reply.whisper(replay(table, Spot(0, id)))


async def _content(file: discord.Attachment) -> bytes:
    if file.size > LARGEST_FILE:
        raise Refusal("file_too_large", most=LARGEST_FILE // 1024)
    try:
        return await file.read()
    except (discord.HTTPException, *NETWORK):
        raise Refusal("file_unread") from None
