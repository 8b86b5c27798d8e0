"""Who has asked whom to which table lately, for the limits on that."""

from __future__ import annotations

from engine.storage.damage import readable, reader
from engine.storage.database import Database
from engine.storage.tables import Way

_LIVE = "SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT damaged"


async def invited_by(database: Database, inviter: int, since: float) -> list[tuple[int, float]]:
    """Everyone whom this person has invited since then (seconds since 1970), and when."""
    rows = await database.read(
        "SELECT person, at FROM invitations WHERE inviter = ? AND at > ? AND way = ?",
        (inviter, since, Way.INVITED.value),
    )
    return readable("an invitation", rows, reader(tuple[int, float]))


async def times_invited(database: Database, person: int, since: float) -> int:
    """How often anyone has invited this person since then."""
    rows = await database.read(
        "SELECT count(*) FROM invitations WHERE person = ? AND at > ? AND way = ?",
        (person, since, Way.INVITED.value),
    )
    return int(rows[0][0])


async def drop_old_invitations(database: Database, before: float) -> None:
    """Delete those from before then to tables that are over."""
    await database.execute(f"DELETE FROM invitations WHERE at < ? AND table_id NOT IN ({_LIVE})", (before,))


async def last_call_by(database: Database, person: int) -> float | None:
    """When this person last called players to a table (seconds since 1970); None if that was long ago."""
    rows = await database.read(
        "SELECT max(at) FROM invitations WHERE inviter = ? AND way <> ?", (person, Way.INVITED.value)
    )
    found = readable("a call", rows, reader(tuple[float | None]))
    return found[0][0] if found else None
