"""How the bot does now."""

from __future__ import annotations

import math
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from bot.render.operations import Status
from engine.tables import State

if TYPE_CHECKING:
    from bot.client import HeartsBot


def status_of(bot: HeartsBot) -> Status:
    """The figures of /hearts status."""
    tables = bot.tables.live
    seats = [seat for table in tables for seat in table.seats]
    people = sum(seat.is_played_by_person for seat in seats)
    latency = bot.latency
    return Status(
        version=_version(),
        servers=len(bot.guilds),
        latency=latency if math.isfinite(latency) else None,
        lobbies=sum(table.state is State.LOBBY for table in tables),
        games=sum(table.state is State.PLAYING for table in tables),
        people=people,
        computers=len(seats) - people,
        messages_waiting=bot.delivery.waiting,
        database_waiting=bot.database.waiting,
        database_size=bot.database.size,
    )


def _version() -> str:
    try:
        return version("hearts-table")
    except PackageNotFoundError:  # run from a copy of the sources that was never installed
        return "not installed"
