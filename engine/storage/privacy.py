"""Deletes all that is stored about one person; engine.storage.personal hands it out."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from engine.errors import Refusal
from engine.names import NOBODY, computer_name
from engine.storage import daily_seen, handed_in, traces
from engine.storage.damage import readable, shown, whole
from engine.storage.database import Database
from engine.storage.personal import MESSAGES

log = logging.getLogger(__name__)

#: In place of a name that stands within other words.
SOMEBODY = "somebody"
#: Characters that what house rules are called may have, so that they can be offered as a choice.
LONGEST_TITLE = 100
#: Bytes up to which the file is rewritten at once; a larger one is when the bot next starts.
AT_ONCE = 64_000_000

#: The tables of which the service knows; what is stored of all others is changed here.
_LIVE = "SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT damaged"
#: What is removed of one person, each with their id.
_STATEMENTS = (
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
    "DELETE FROM dm_channels WHERE person = ?",
)
#: Nothing is left to explain where everybody is a stranger.
_DELETE_STRANGERS = """DELETE FROM results WHERE person < 0 AND NOT EXISTS
    (SELECT 1 FROM results AS others WHERE others.table_id = results.table_id AND others.person > 0)"""


async def begin(database: Database, person: int, name: str) -> None:
    """Note that this person, who is called so, is being deleted, until `delete` has done all of it."""
    await database.write(lambda connection: _note(connection, person, name))


async def begun(database: Database) -> list[tuple[int, str]]:
    """Those whose deletion was begun and not finished, with their names."""
    rows = await database.read("SELECT person, name FROM deletions ORDER BY person")
    return readable("who is to be deleted", rows, lambda person, name: (whole(person), shown(name)))


async def delete(
    database: Database, person: int, name: str, *, today: str | None = None, is_all: bool = True
) -> bool:
    """Remove this person's id and names, `name` the present one; Tables.forget sees to the live tables.

    Their seats become computers'; in results of games with others they are a stranger, another in each. That
    they have begun the daily deal of `today` can be told until it is over: see engine.storage.daily_seen.
    Returns whether no part of the file refused: else, or unless this `is_all`, it is noted as begun. `finish`
    sees to the traces. Refusal if nothing can be saved now: then nothing was changed.
    """
    return await database.write(lambda connection: _delete(connection, person, name, today, is_all=is_all))


def _delete(
    connection: sqlite3.Connection, person: int, name: str, today: str | None, *, is_all: bool
) -> bool:
    before = connection.total_changes
    names = {name, *_names(connection, person)}
    steps: list[Callable[[], object]] = [
        *([partial(daily_seen.note, connection, today, person)] if today else ()),
        partial(_give_up_seats, connection, person),
        *(partial(connection.execute, statement, (person,)) for statement in _STATEMENTS),
        partial(connection.execute, _DELETE_STRANGERS),
        partial(connection.execute, f"DELETE FROM messages WHERE {MESSAGES}", (str(person),)),
        partial(_disown_house_rules, connection, person, names),
        partial(handed_in.delete, connection, person, names),
    ]
    refused = [step for step in steps if not _is_done(connection, step)]
    if refused or not is_all:
        _note(connection, person, name)
    else:
        connection.execute("DELETE FROM deletions WHERE person = ?", (person,))
    if connection.total_changes > before or traces.are_left(connection):
        connection.execute(traces.NOTE, (traces.DUE,))
    return not refused


def _is_done(connection: sqlite3.Connection, step: Callable[[], object]) -> bool:
    """Whether this part of a deletion could be done: where one table is damaged, all others are seen to."""
    connection.execute("SAVEPOINT step")
    try:
        step()
    except sqlite3.Error as error:
        if not connection.in_transaction:  # SQLite has given up all of it, as on a full disk
            raise
        log.error("a part of a deletion has to wait: %s", error)
        connection.execute("ROLLBACK TO step")
        return False
    finally:
        if connection.in_transaction:
            connection.execute("RELEASE step")
    return True


def _note(connection: sqlite3.Connection, person: int, name: str) -> None:
    connection.execute("INSERT OR REPLACE INTO deletions (person, name) VALUES (?, ?)", (person, name))


async def finish(database: Database, *, at_start: bool = False) -> bool:
    """Rewrite the file if something was deleted from it since; whether no byte of that is left.

    Where it fails it can be tried again. A large file is only rewritten `at_start`, when nobody has to wait:
    until then at least its log is emptied.
    """
    with suppress(Refusal):
        if not await traces.are_due(database):
            return True
        if at_start or is_small(database):
            await traces.clear(database)
            return True
        await database.empty_log()
    return False


def is_small(database: Database) -> bool:
    """Whether the file is rewritten while people play."""
    return database.size <= AT_ONCE


def _names(connection: sqlite3.Connection, person: int) -> set[str]:
    """What this person was ever called, as far as it can be read."""
    found: set[str] = set()
    for table in ("seats", "takers", "departed", "results", "daily_results"):
        with suppress(sqlite3.Error):
            rows = connection.execute(f"SELECT DISTINCT name FROM {table} WHERE person = ?", (person,))
            found.update(shown(name) for (name,) in rows)
    return found


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
