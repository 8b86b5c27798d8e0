"""A server's saved house rules, each under a name."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import Refusal
from engine.names import look_of
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: The most house rules that a server can have, and that one person can save without managing it.
MOST_A_SERVER, MOST_A_PERSON = 50, 10


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Saved house rules: the rules of the cards, and who may ask for hints."""

    rules: Ruleset
    hints: str = "alone"  # a value of `Hints`


async def save(
    database: Database,
    guild: int,
    name: str,
    rules: Ruleset,
    author: int,
    *,
    may_manage: bool,
    hints: str = "alone",
) -> None:
    """Store these rules under this name, or under a saved one that looks like it.

    Refusal if the name is invisible, if it belongs to someone else's rules and this person may not manage the
    server, or if the server or this person has too many.
    """
    if not look_of(name):
        raise Refusal("unseen_name")

    database.check_stays(author)

    def write(connection: sqlite3.Connection) -> None:
        saved = connection.execute(_NAMES, (guild,)).fetchall()
        before, stored = _count(connection, guild, author), json.dumps(rules.to_whole_json())
        written = connection.execute(
            """INSERT INTO house_rules (guild, name, rules, hints, author) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (guild, name) DO UPDATE SET rules = excluded.rules, hints = excluded.hints,
            author = excluded.author WHERE author = excluded.author OR ?""",
            (guild, _alike(name, saved) or " ".join(name.split()), stored, hints, author, may_manage),
        )
        if not written.rowcount:
            raise Refusal("not_your_house_rules", name=name)
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))  # someone else may have saved the old ones
        # People who saved more while they managed the server can still change them.
        if not may_manage and _count(connection, guild, author) > max(before, MOST_A_PERSON):
            raise Refusal("too_many_own_house_rules", count=MOST_A_PERSON)
        if _count(connection, guild) > MOST_A_SERVER:
            raise Refusal("too_many_house_rules", count=MOST_A_SERVER)

    await database.write(write)


_NAMES = "SELECT name FROM house_rules WHERE guild = ? ORDER BY name"


def _alike(name: str, saved: Iterable[Sequence[Any]]) -> str | None:
    """The saved name that equals this one or, failing that, looks like it; None if there is neither."""
    names = [other for (other,) in saved]
    if name in names:
        return name
    return next((other for other in names if look_of(other) == look_of(name)), None)


async def _stored_name(database: Database, guild: int, name: str) -> str | None:
    return _alike(name, [tuple(row) for row in await database.read(_NAMES, (guild,))])


def _count(connection: sqlite3.Connection, guild: int, author: int | None = None) -> int:
    """The number of house rules in this server, or of those that one author saved."""
    [(count,)] = connection.execute(
        "SELECT COUNT(*) FROM house_rules WHERE guild = ?1 AND (?2 IS NULL OR author = ?2)", (guild, author)
    )
    return int(count)


async def find(database: Database, guild: int, name: str) -> HouseRules | None:
    """The rules saved under this name or one that looks like it; None if there are none."""
    stored_name = await _stored_name(database, guild, name)
    rows = await database.read(
        "SELECT rules, hints FROM house_rules WHERE guild = ? AND name = ?", (guild, stored_name)
    )
    return _parse(*rows[0]) if rows else None


async def author(database: Database, guild: int, name: str) -> int | None:
    """The person who saved the rules of this name, 0 if they were deleted; None without such rules."""
    stored_name = await _stored_name(database, guild, name)
    rows = await database.read(
        "SELECT author FROM house_rules WHERE guild = ? AND name = ?", (guild, stored_name)
    )
    return next((author for (author,) in rows), None)


async def every(database: Database, guild: int) -> list[tuple[str, HouseRules]]:
    """All house rules of this server with their names, sorted by name."""
    rows = await database.reader.read(
        "SELECT name, rules, hints FROM house_rules WHERE guild = ? ORDER BY name", (guild,)
    )
    return [(name, _parse(rules, hints)) for name, rules, hints in rows]


def _parse(rules: str, hints: str) -> HouseRules:
    return HouseRules(Ruleset.from_json(json.loads(rules)), hints)


async def delete(database: Database, guild: int, name: str) -> None:
    """Delete the rules saved under this name or one that looks like it."""
    stored_name = await _stored_name(database, guild, name)

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM house_rules WHERE guild = ? AND name = ?", (guild, stored_name))
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))

    await database.write(write)
