"""The program's own notes, players' preferences and locales, and servers' languages.

Two of the notes record that the file may still hold deleted data. SQLite overwrites deleted rows but leaves
stray copies where it rearranged pages; only rewriting the file removes these.
"""

import sqlite3
from dataclasses import astuple, dataclass, fields, replace

from engine.languages import Language, by_code
from engine.storage.database import Database


async def find(database: Database, name: str) -> str | None:
    """The note under this name; None if there is none."""
    rows = await database.read("SELECT value FROM settings WHERE name = ?", (name,))
    return next((value for (value,) in rows), None)


async def put(database: Database, name: str, value: str) -> None:
    """Store a note under this name."""
    await database.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))


@dataclass(frozen=True, slots=True)
class StoredPreference:
    """One person's choices: the columns of `preferences`."""

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


#: The columns with a person's choices.
CHOICES = ", ".join([field.name for field in fields(StoredPreference)][1:])


async def every_preference(database: Database) -> list[StoredPreference]:
    """The choices of everyone who has made any."""
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
    """Store a person's choices."""
    database.check_stays(preference.person)
    await database.execute(
        f"INSERT OR REPLACE INTO preferences (person, {CHOICES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        astuple(preference),
    )


async def every_locale(database: Database) -> list[tuple[int, str]]:
    """The stored locales, each with its person."""
    rows = await database.read("SELECT person, locale FROM locales")
    return [(person, locale) for person, locale in rows]


async def put_locale(database: Database, person: int, locale: str) -> None:
    """Store this person's locale."""
    database.check_stays(person)
    await database.execute("INSERT OR REPLACE INTO locales (person, locale) VALUES (?, ?)", (person, locale))


async def change_locale(database: Database, person: int, locale: str) -> None:
    """Change a stored locale; does nothing if the person's data has been deleted meanwhile."""
    await database.execute("UPDATE locales SET locale = ? WHERE person = ?", (locale, person))


async def server_language(database: Database, guild: int) -> Language | None:
    """The language chosen for this server; None if none was chosen."""
    rows = await database.read("SELECT language FROM server_languages WHERE guild = ?", (guild,))
    return next((by_code(code) for (code,) in rows), None)


def write_server_language(connection: sqlite3.Connection, guild: int, language: Language | None) -> None:
    """Store a server's language, within a transaction; None removes the choice."""
    if language is None:
        connection.execute("DELETE FROM server_languages WHERE guild = ?", (guild,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO server_languages (guild, language) VALUES (?, ?)", (guild, language.code)
    )


#: The names of these notes. A rewrite is due once someone has deleted their data; traces are left whenever a
#: person's name was removed, for example by leaving a lobby.
REWRITE_DUE, TRACES_LEFT = "rewrite due", "traces left"
#: Stores one of these notes; executed in the transaction that deletes.
NOTE_TRACES = "INSERT OR IGNORE INTO settings (name, value) VALUES (?, '1')"


def are_traces_left(connection: sqlite3.Connection) -> bool:
    """Whether anyone's name was removed since the file was last rewritten."""
    return connection.execute("SELECT 1 FROM settings WHERE name = ?", (TRACES_LEFT,)).fetchone() is not None


async def is_rewrite_due(database: Database) -> bool:
    """Whether the file has to be rewritten."""
    return bool(await database.read("SELECT 1 FROM settings WHERE name = ?", (REWRITE_DUE,)))


async def rewrite_if_due(database: Database) -> None:
    """Rewrite the file if that is due; Refusal if it cannot be done now."""
    async with database.rewriting:
        # Checked with the lock held: the first of several callers rewrites the file for all.
        if await is_rewrite_due(database):
            await database.rewrite("DELETE FROM settings WHERE name IN (?, ?)", (REWRITE_DUE, TRACES_LEFT))
