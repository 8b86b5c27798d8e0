"""How the bot does now."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import discord
from discord.ext import commands

from bot.render.operations import Status
from bot.services import Services
from engine import __version__
from engine.errors import Refusal
from engine.tables import State

User = discord.User | discord.Member
#: The figures for whoever asks; Refusal unless they run the bot.
StatusFor = Callable[[User], Awaitable[Status]]


def status_for(client: commands.Bot | commands.AutoShardedBot, services: Services) -> StatusFor:
    """Answers with the figures whoever runs this bot, and nobody else."""

    async def status(user: User) -> Status:
        if not await client.is_owner(user):
            raise Refusal("owner_only")
        return _status(client, services)

    return status


def _status(client: discord.Client, services: Services) -> Status:
    tables = services.tables.live
    seats = [seat for table in tables for seat in table.seats]
    people = sum(seat.is_played_by_person for seat in seats)
    latency = client.latency
    return Status(
        version=__version__,
        servers=len(client.guilds),
        latency=latency if math.isfinite(latency) else None,
        lobbies=sum(table.state is State.LOBBY for table in tables),
        games=sum(table.state is State.PLAYING for table in tables),
        people=people,
        computers=len(seats) - people,
        messages_waiting=services.delivery.waiting,
        database_waiting=services.database.waiting,
        database_size=services.database.size,
    )
