"""Recent invitations and calls to tables, which are limited."""

from engine.storage.database import Database

#: Every invitation in the tables that name this person.
_OF = """SELECT one.value ->> 'person' AS person, one.value ->> 'inviter' AS inviter,
        one.value ->> 'at' AS at, one.value ->> 'way' = 'invited' AS by_name
    FROM people JOIN tables ON tables.id = table_id JOIN json_each(body, '$.invitations') AS one
    WHERE people.person = ?1"""


async def invited_by(database: Database, inviter: int, since: float) -> list[tuple[int, float]]:
    """The people whom this person has invited since then (seconds since 1970), and when."""
    rows = await database.read(
        f"SELECT person, at FROM ({_OF}) WHERE inviter = ?1 AND at > ?2 AND by_name", (inviter, since)
    )
    return [(person, at) for person, at in rows]


async def times_invited(database: Database, person: int, since: float) -> int:
    """The number of invitations that this person has had since then."""
    [(count,)] = await database.read(
        f"SELECT COUNT(*) FROM ({_OF}) WHERE person = ?1 AND at > ?2 AND by_name", (person, since)
    )
    return int(count)


async def last_call_by(database: Database, person: int) -> float | None:
    """When this person last called players to a table (seconds since 1970); None if that was long ago."""
    [(at,)] = await database.read(
        f"SELECT MAX(at) FROM ({_OF}) WHERE inviter = ?1 AND NOT by_name", (person,)
    )
    return None if at is None else float(at)
