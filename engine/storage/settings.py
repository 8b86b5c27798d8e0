"""The program's own notes, by name, each player's preferences and locale, and each server's language.

Two of the names note that the file may still hold deleted data. SQLite overwrites what is deleted, but
leaves stray copies where it rearranged pages: only rewriting the file removes them.
"""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, dataclass, fields, replace

from engine.languages import Language, by_code
from engine.storage.database import Database


async def find(database: Database, name: str) -> str | None:
    """The value last stored under this name; None if there is none."""
    rows = await database.read("SELECT value FROM settings WHERE name = ?", (name,))
    return next((value for (value,) in rows), None)


async def put(database: Database, name: str, value: str) -> None:
    """Store a value under this name."""
    await database.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))


@dataclass(frozen=True, slots=True)
class StoredPreference:
    """A person who has chosen something, and what they have chosen: the columns of `preferences`."""

    person: int
    calls: str
    forced: str
    language: str | None
    may_be_invited: bool
    zone: str | None
    taps_twice: bool
    two_colours: bool
    letters: str
    suits: str


#: What people choose, as columns.
CHOICES = ", ".join([field.name for field in fields(StoredPreference)][1:])


async def every_preference(database: Database) -> list[StoredPreference]:
    """What everyone has chosen who has chosen something."""
    rows = await database.read(f"SELECT person, {CHOICES} FROM preferences")
    return [
        replace(
            one,
            may_be_invited=bool(one.may_be_invited),
            taps_twice=bool(one.taps_twice),
            two_colours=bool(one.two_colours),
        )
        for one in [StoredPreference(*row) for row in rows]
    ]


async def put_preference(database: Database, preference: StoredPreference) -> None:
    """Store what this person prefers from now on."""
    database.check_stays(preference.person)
    await database.execute(
        f"INSERT OR REPLACE INTO preferences (person, {CHOICES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        astuple(preference),
    )


async def every_locale(database: Database) -> list[tuple[int, str]]:
    """The people whose locale is kept, and that."""
    rows = await database.read("SELECT person, locale FROM locales")
    return [(person, locale) for person, locale in rows]


async def put_locale(database: Database, person: int, locale: str) -> None:
    """Keep this person's locale."""
    database.check_stays(person)
    await database.execute("INSERT OR REPLACE INTO locales (person, locale) VALUES (?, ?)", (person, locale))


async def change_locale(database: Database, person: int, locale: str) -> None:
    """Keep another locale of this person; nothing if everything about them has been deleted meanwhile."""
    await database.execute("UPDATE locales SET locale = ? WHERE person = ?", (locale, person))


async def server_language(database: Database, guild: int) -> Language | None:
    """The language that was chosen for this server; None if none was."""
    rows = await database.read("SELECT language FROM server_languages WHERE guild = ?", (guild,))
    return next((by_code(code) for (code,) in rows), None)


def write_server_language(connection: sqlite3.Connection, guild: int, language: Language | None) -> None:
    """Store the language of this server, within a transaction; None forgets the choice."""
    if language is None:
        connection.execute("DELETE FROM server_languages WHERE guild = ?", (guild,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO server_languages (guild, language) VALUES (?, ?)", (guild, language.code)
    )


#: The names of these notes: someone was promised that nothing is left, or a person's name was removed, for
#: example by leaving a lobby.
REWRITE_DUE, TRACES_LEFT = "rewrite due", "traces left"
#: Sets one of these notes, in the transaction that deletes.
NOTE_TRACES = "INSERT OR IGNORE INTO settings (name, value) VALUES (?, '1')"


def are_traces_left(connection: sqlite3.Connection) -> bool:
    """Whether a person's name was removed since the file was last rewritten: nobody knows whose."""
    return connection.execute("SELECT 1 FROM settings WHERE name = ?", (TRACES_LEFT,)).fetchone() is not None


async def is_rewrite_due(database: Database) -> bool:
    """Whether the file is to be rewritten."""
    return bool(await database.read("SELECT 1 FROM settings WHERE name = ?", (REWRITE_DUE,)))


async def rewrite_if_due(database: Database) -> None:
    """Rewrite the file if that is due; Refusal if it cannot be done now."""
    async with database.rewriting:
        # Asked while holding the lock: the first of several waiting callers does it for all.
        if await is_rewrite_due(database):
            await database.rewrite("DELETE FROM settings WHERE name IN (?, ?)", (REWRITE_DUE, TRACES_LEFT))
