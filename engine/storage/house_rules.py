"""House rules that a server keeps under a name."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.errors import Refusal
from engine.names import NOBODY, look_of
from engine.rules.ruleset import Ruleset
from engine.storage.damage import reading, shown, text, whole
from engine.storage.database import Database
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT

#: The house rules that a server can keep, and that one person can save who does not manage it.
MOST_A_SERVER, MOST_A_PERSON = 50, 10
#: Who may ask for hints where nothing else was saved, as old house rules have it: a value of `Hints`.
USUAL_HINTS = "alone"


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a server keeps under a name: the rules of the cards, and who may ask for hints."""

    rules: Ruleset
    hints: str = USUAL_HINTS


async def save(
    database: Database,
    guild: int,
    name: str,
    rules: Ruleset,
    author: int,
    *,
    may_manage: bool,
    hints: str = USUAL_HINTS,
) -> None:
    """Store these rules under this name, or under the one that looks like it.

    Refusal if nothing of the name can be seen, if somebody else keeps others there and this person may not
    manage the server, or if the server has too many, or this person alone.
    """
    if not look_of(name):
        raise Refusal("unseen_name")

    database.check_stays(author)

    def write(connection: sqlite3.Connection) -> None:
        saved = connection.execute(_NAMES, (guild,)).fetchall()
        before, stored = _count(connection, guild, author), {**rules.to_whole_json(), "hints": hints}
        written = connection.execute(
            """INSERT INTO house_rules (guild, name, rules, author) VALUES (?, ?, ?, ?)
            ON CONFLICT (guild, name) DO UPDATE SET rules = excluded.rules, author = excluded.author
            WHERE author = excluded.author OR ?""",
            (guild, _alike(name, saved) or " ".join(name.split()), json.dumps(stored), author, may_manage),
        )
        if not written.rowcount:
            raise Refusal("not_your_house_rules", name=name)
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))  # perhaps somebody else had saved them
        # People who had more before there was a limit can still change them.
        if not may_manage and _count(connection, guild, author) > max(before, MOST_A_PERSON):
            raise Refusal("too_many_own_house_rules", count=MOST_A_PERSON)
        if _count(connection, guild) > MOST_A_SERVER:
            raise Refusal("too_many_house_rules", count=MOST_A_SERVER)

    await database.write(write)


_NAMES = "SELECT name FROM house_rules WHERE guild = ? ORDER BY name"


def _alike(name: str, saved: Iterable[Sequence[Any]]) -> Any:
    """This name among those of a server's house rules, or else the one that looks like it; None without."""
    names = [raw for (raw,) in saved]
    return (
        name if name in names else next((raw for raw in names if look_of(shown(raw)) == look_of(name)), None)
    )


async def _stored_name(database: Database, guild: int, name: str) -> Any:
    return _alike(name, [tuple(row) for row in await database.read(_NAMES, (guild,))])


def _count(connection: sqlite3.Connection, guild: int, author: int | None = None) -> int:
    """The number of house rules that this server has, or that this person saved in it."""
    [(count,)] = connection.execute(
        "SELECT COUNT(*) FROM house_rules WHERE guild = ?1 AND (?2 IS NULL OR author = ?2)", (guild, author)
    )
    return int(count)


async def find(database: Database, guild: int, name: str) -> HouseRules | None:
    """The rules of this name, or of one that looks like it; Refusal if they are damaged."""
    name = await _stored_name(database, guild, name)
    rows = await database.read("SELECT rules FROM house_rules WHERE guild = ? AND name = ?", (guild, name))
    return _rules(guild, rows[0][0]) if rows else None


async def author(database: Database, guild: int, name: str) -> int | None:
    """The person who saved the rules of this name, NOBODY if that is damaged; None if there are none."""
    name = await _stored_name(database, guild, name)
    rows = await database.read("SELECT author FROM house_rules WHERE guild = ? AND name = ?", (guild, name))
    with suppress(Refusal), reading(f"who saved house rules of server {guild}"):
        return whole(rows[0][0]) if rows else None
    return NOBODY


async def every(database: Database, guild: int) -> list[tuple[str, HouseRules]]:
    """All names and rules of this server that can be read, in order of name."""
    rows = await database.reader.read(
        "SELECT name, rules FROM house_rules WHERE guild = ? ORDER BY name", (guild,)
    )
    found = []
    for raw, rules in rows:
        with suppress(Refusal):
            found.append((shown(raw), _rules(guild, rules)))
    return found


def _rules(guild: int, rules: Any) -> HouseRules:
    with reading(f"house rules of server {guild}"):
        data = json.loads(text(rules))
        hints = text(data.pop("hints", USUAL_HINTS)) if isinstance(data, dict) else USUAL_HINTS
        return HouseRules(Ruleset.from_json(data), hints)


async def delete(database: Database, guild: int, name: str) -> None:
    """Delete the rules of this name, or of one that looks like it."""
    name = await _stored_name(database, guild, name)

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM house_rules WHERE guild = ? AND name = ?", (guild, name))
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))

    await database.write(write)
