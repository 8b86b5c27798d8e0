"""Who wants to hear when a table in a server needs players: how, how often, and their quiet hours."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.storage.database import Database
from engine.zones import clock_in

#: The most wishes that `due_wishes` returns.
MOST_READ = 1000
_HOUR = 60 * 60


class CallWay(Enum):
    """How a person wants to hear of tables."""

    MENTION = "mention"
    DM = "dm"
    REFUSED = "refused"  # by DM, but Discord refused one, so no more are sent


@dataclass(frozen=True, slots=True)
class CallWish:
    """One person's wish in one server; quiet hours (0 to 23) are in their time zone."""

    guild: int
    person: int
    way: CallWay
    every_hours: int = 6  # the least hours between two messages
    quiet_from: int | None = None
    quiet_until: int | None = None
    told_at: float | None = None  # when they last heard (seconds since 1970)

    def is_quiet(self, now: float, zone: str | None) -> bool:
        """Whether `now` (seconds since 1970) is in the person's quiet hours.

        Without a known time zone, any hour may be one of them.
        """
        if self.quiet_from is None or self.quiet_until is None or self.quiet_from == self.quiet_until:
            return False
        if zone is None:
            return True
        hour = clock_in(zone, now).hour
        if self.quiet_from < self.quiet_until:
            return self.quiet_from <= hour < self.quiet_until
        return hour >= self.quiet_from or hour < self.quiet_until


_COLUMNS = "guild, person, way, every_hours, quiet_from, quiet_until, told_at"


async def find_wish(database: Database, guild: int, person: int) -> CallWish | None:
    """This person's wish in this server; None if they have none."""
    rows = await database.read(
        f"SELECT {_COLUMNS} FROM call_wishes WHERE guild = ? AND person = ?", (guild, person)
    )
    return _parse(rows[0]) if rows else None


async def put_wish(database: Database, wish: CallWish) -> None:
    """Store a wish, keeping the time at which the person last heard."""
    database.check_stays(wish.person)
    await database.execute(
        f"""INSERT INTO call_wishes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, NULL)
        ON CONFLICT DO UPDATE SET way = excluded.way, every_hours = excluded.every_hours,
        quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until""",
        (
            wish.guild,
            wish.person,
            wish.way.value,
            wish.every_hours,
            wish.quiet_from,
            wish.quiet_until,
        ),
    )


async def drop_wish(database: Database, guild: int, person: int) -> None:
    """Delete this person's wish in this server."""
    await database.execute("DELETE FROM call_wishes WHERE guild = ? AND person = ?", (guild, person))


async def note_refused(database: Database, guild: int, person: int) -> None:
    """Send this person no DMs until they ask for them again, as Discord refused one."""
    await database.execute(
        "UPDATE call_wishes SET way = ? WHERE guild = ? AND person = ? AND way = ?",
        (CallWay.REFUSED.value, guild, person, CallWay.DM.value),
    )


async def due_wishes(database: Database, guild: int, now: float) -> list[CallWish]:
    """The wishes in this server that are due again, longest waiting first."""
    rows = await database.read(
        f"""SELECT {_COLUMNS} FROM call_wishes WHERE guild = ? AND way <> ?
        AND (told_at IS NULL OR told_at <= ? - {_HOUR} * every_hours)
        ORDER BY told_at, person LIMIT {MOST_READ}""",
        (guild, CallWay.REFUSED.value, now),
    )
    return list(map(_parse, rows))


def _parse(row: Sequence[Any]) -> CallWish:
    guild, person, way, *others = row
    return CallWish(guild, person, CallWay(way), *others)


async def note_told(database: Database, guild: int, people: Iterable[int], now: float) -> set[int]:
    """Note that these people hear now; returns those who still have a wish."""
    statement = "UPDATE call_wishes SET told_at = ? WHERE guild = ? AND person = ?"

    def write(connection: sqlite3.Connection) -> set[int]:
        return {one for one in people if connection.execute(statement, (now, guild, one)).rowcount}

    return await database.write(write)
