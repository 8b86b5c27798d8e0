"""Deletes all that is stored about one person; engine.storage.personal hands it out."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress

from engine.errors import Refusal
from engine.names import NOBODY, computer_name
from engine.storage import handed_in, traces
from engine.storage.damage import shown
from engine.storage.database import Database
from engine.storage.personal import MESSAGES

#: In place of a name that stands within other words.
SOMEBODY = "somebody"
#: Characters that what house rules are called may have, so that they can be offered as a choice.
LONGEST_TITLE = 100
#: Bytes up to which the file is rewritten at once; a larger one is when the bot next starts.
AT_ONCE = 64_000_000

#: The tables of which the service knows; what is stored of all others is changed here.
_LIVE = "SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT damaged"
#: Nothing is left to explain where everybody is a stranger.
_DELETE_STRANGERS = """DELETE FROM results WHERE person < 0 AND NOT EXISTS
    (SELECT 1 FROM results AS others WHERE others.table_id = results.table_id AND others.person > 0)"""


async def delete(database: Database, person: int, name: str) -> None:
    """Remove this person's id and names, `name` the present one; Tables.forget sees to the live tables.

    Their seats become computers'; in results of games with others they are a stranger, another in each.
    """
    await database.write(lambda connection: _delete(connection, person, name))
    if database.size <= AT_ONCE:
        await finish(database)


def _delete(connection: sqlite3.Connection, person: int, name: str) -> None:
    before = connection.total_changes
    names = {name, *_names(connection, person)}
    _give_up_seats(connection, person)
    for statement in (
        f"UPDATE tables SET host = {NOBODY} WHERE host = ? AND id NOT IN ({_LIVE})",
        f"UPDATE tables SET first = NULL WHERE first = ? AND id NOT IN ({_LIVE})",
        # Others' places and ratings are explained by who they played against, and how strong that was.
        """UPDATE results SET name = '', mu = NULL, sigma = NULL, person = min(0, (SELECT min(person)
            FROM results AS others WHERE others.table_id = results.table_id)) - 1 WHERE person = ?""",
        f"DELETE FROM takers WHERE person = ? AND table_id NOT IN ({_LIVE})",
        # In place of a channel: a daily game has the number of who played it.
        f"UPDATE tables SET channel = 0 WHERE channel = -? AND id NOT IN ({_LIVE})",
        "DELETE FROM daily_results WHERE person = ?",
        "DELETE FROM achievements WHERE person = ?",
        "DELETE FROM standings WHERE person = ?",
        "DELETE FROM preferences WHERE person = ?",
    ):
        connection.execute(statement, (person,))
    connection.execute(_DELETE_STRANGERS)
    connection.execute(f"DELETE FROM messages WHERE {MESSAGES}", (str(person),))
    _disown_house_rules(connection, person, names)
    handed_in.delete(connection, person, names)
    if connection.total_changes > before or traces.are_left(connection):
        connection.execute(traces.NOTE, (traces.DUE,))


async def finish(database: Database) -> None:
    """Rewrite the file if something was deleted from it since; where that fails, the next start does it."""
    with suppress(Refusal):
        await traces.clear(database)


def _names(connection: sqlite3.Connection, person: int) -> set[str]:
    rows = connection.execute(
        """SELECT name FROM seats WHERE person = ?1
        UNION SELECT name FROM takers WHERE person = ?1
        UNION SELECT name FROM departed WHERE person = ?1
        UNION SELECT name FROM results WHERE person = ?1
        UNION SELECT name FROM daily_results WHERE person = ?1""",
        (person,),
    )
    return {shown(name) for (name,) in rows}


def _give_up_seats(connection: sqlite3.Connection, person: int) -> None:
    for rows in ("seats", "departed"):  # damaged ones, of no table
        connection.execute(
            f"DELETE FROM {rows} WHERE person = ? AND table_id NOT IN (SELECT id FROM tables)", (person,)
        )
    for (table,) in connection.execute(
        f"SELECT table_id FROM seats WHERE person = ? AND table_id NOT IN ({_LIVE})", (person,)
    ).fetchall():
        name = _computer(connection, table)
        connection.execute(
            """DELETE FROM picks WHERE table_id = ?1
            AND seat IN (SELECT seat FROM seats WHERE table_id = ?1 AND person = ?2)""",
            (table, person),
        )
        connection.execute(
            """UPDATE seats SET person = NULL, name = ?, away = 0, missed = 0
            WHERE table_id = ? AND person = ?""",
            (name, table, person),
        )
    for (table,) in connection.execute(
        f"SELECT DISTINCT table_id FROM departed WHERE person = ? AND table_id NOT IN ({_LIVE})", (person,)
    ).fetchall():
        connection.execute(
            f"UPDATE departed SET person = {NOBODY}, name = ? WHERE table_id = ? AND person = ?",
            (_computer(connection, table), table, person),
        )


def _computer(connection: sqlite3.Connection, table: int) -> str:
    """What the next computer of this table is called."""
    rows = connection.execute("SELECT name FROM seats WHERE table_id = ?", (table,))
    return computer_name({shown(name) for (name,) in rows}, table)


def _disown_house_rules(connection: sqlite3.Connection, person: int, names: set[str]) -> None:
    """The server keeps the rules; what they are called loses the name of who saved them."""
    for guild, name in connection.execute(
        "SELECT guild, name FROM house_rules WHERE author = ?", (person,)
    ).fetchall():
        rows = connection.execute(
            "SELECT name FROM house_rules WHERE guild = ? AND name <> CAST(? AS TEXT)",
            (guild, name),
        )
        connection.execute(
            f"UPDATE house_rules SET author = {NOBODY}, name = ? WHERE guild = ? AND name = CAST(? AS TEXT)",
            (_without_names(shown(name), names, {shown(other) for (other,) in rows}), guild, name),
        )
    # What is left is of no server: its row is damaged.
    connection.execute("DELETE FROM house_rules WHERE author = ?", (person,))


def _without_names(title: str, names: set[str], taken: set[str]) -> str:
    # The longest first: of "Ann Lee" nothing may be left because of "Ann".
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    # As a whole word: "Al" does not stand in "Always".
    title = re.sub(rf"(?<!\w)(?:{words})(?!\w)", SOMEBODY, title, flags=re.IGNORECASE)
    endings = ("", *(f" {number}" for number in range(2, len(taken) + 3)))
    titles = (title[: LONGEST_TITLE - len(ending)].rstrip() + ending for ending in endings)
    return next(other for other in titles if other not in taken)
