"""Export and deletion of everything that is stored about one person.

Tables and tournaments know where they name people: callers pass them as `Naming`s.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar

from engine.errors import Refusal
from engine.loading import Load, in_thread
from engine.names import NOBODY, look_of
from engine.storage import file, handed_in
from engine.storage.daily import note_seen
from engine.storage.database import Database
from engine.storage.deleted_players import days_seen, tournaments_missed
from engine.storage.moderation import is_blocked
from engine.storage.settings import (
    NOTE_TRACES,
    REWRITE_DUE,
    are_traces_left,
    is_rewrite_due,
    rewrite_if_due,
)

#: Replaces a deleted person's name in a longer text.
SOMEBODY = "somebody"
#: The most characters in the name of house rules, so that Discord can offer it as a choice.
LONGEST_TITLE = 100
#: The size in bytes up to which the file is rewritten at once; a larger one waits for the next start.
AT_ONCE = 64_000_000
#: The messages sent to one person, whose id is passed as text; an index finds them.
MESSAGES = "substr(key, instr(key, ':') + 1) = ?"
#: Tables whose rows are about one person alone.
_OWN = (
    *("daily_results", "tournament_results", "achievements", "standings", "call_wishes"),
    *("preferences", "locales", "dm_channels"),
)
#: Results stay without the name: opponents' places and ratings follow from them.
_BECOME_STRANGER = """UPDATE results SET name = '', mu = NULL, sigma = NULL, par_deals = 0, par_gain = 0.0,
    par_squares = 0.0, person = min(0, (SELECT min(person)
    FROM results AS others WHERE others.table_id = results.table_id)) - 1 WHERE person = ?"""
#: A game in which only strangers are left explains nobody's rating.
_DELETE_STRANGERS = """DELETE FROM results WHERE person < 0 AND NOT EXISTS
    (SELECT 1 FROM results AS others WHERE others.table_id = results.table_id AND others.person > 0)"""


class Row(Protocol):
    """A stored value that has a number, such as a table."""

    @property
    def id(self) -> int: ...


S = TypeVar("S", bound=Row)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Naming:
    """Stored values that name people, such as tables."""

    kind: str  # what an export calls them
    #: Returns what they hold about this person, as JSON values.
    about: Callable[[sqlite3.Connection, int], list[dict[str, Any]]]
    #: Returns the names that this person has there.
    names: Callable[[sqlite3.Connection, int], set[str]]
    #: Removes this person from those that are over.
    forget: Callable[[sqlite3.Connection, int], None]


# Deleting


async def begin(database: Database, person: int, name: str, naming: Collection[Naming] = ()) -> None:
    """Note that this person's deletion has begun, until `delete` finishes it.

    Their names leave texts now, while those at live values, such as nicknames in servers, are still known.
    """

    def write(connection: sqlite3.Connection) -> None:
        _note(connection, person, name)
        _leave_texts(connection, person, name, naming)

    await database.write(write)


async def begun(database: Database) -> list[tuple[int, str]]:
    """The people whose deletion has begun and isn't finished, with their names."""
    rows = await database.read("SELECT person, name FROM deletions ORDER BY person")
    return [(person, name) for person, name in rows]


async def delete(
    database: Database,
    person: int,
    name: str,
    naming: Collection[Naming] = (),
    *,
    today: str | None = None,
    is_all: bool = True,
) -> None:
    """Remove this person's id and names, including the current `name`, from everything that is over.

    In results of games with others they become a stranger, a different one in each. Until `today` is over, a
    hash remembers whether they have begun its daily deal: see `deleted_players`. With is_all=False, the
    deletion stays noted as begun. Then call `finish`, which removes the traces. Refusal, and nothing is
    changed, if nothing can be saved now.
    """

    def write(connection: sqlite3.Connection) -> None:
        before = connection.total_changes
        if today:
            note_seen(connection, today, person)
        _leave_texts(connection, person, name, naming)
        for one in naming:
            one.forget(connection, person)
        connection.execute(_BECOME_STRANGER, (person,))
        connection.execute(_DELETE_STRANGERS)
        for table in _OWN:
            connection.execute(f"DELETE FROM {table} WHERE person = ?", (person,))
        connection.execute(f"DELETE FROM messages WHERE {MESSAGES}", (str(person),))
        if is_all:
            connection.execute("DELETE FROM deletions WHERE person = ?", (person,))
        else:
            _note(connection, person, name)
        if connection.total_changes > before or are_traces_left(connection):
            connection.execute(NOTE_TRACES, (REWRITE_DUE,))

    await database.write(write)


async def finish(database: Database, *, at_start: bool = False) -> bool:
    """Rewrite the file if a deletion requires it; returns whether no trace of deleted data is left.

    If it fails, call it again later. A large file is only rewritten `at_start`, when nobody has to wait;
    until then its log is emptied.
    """
    with suppress(Refusal):
        if not await is_rewrite_due(database):
            return True
        if at_start or is_small(database):
            await rewrite_if_due(database)
            return True
        await database.empty_log()
    return False


def is_small(database: Database) -> bool:
    """Whether the file is small enough to be rewritten while people play."""
    return database.size <= AT_ONCE


def _note(connection: sqlite3.Connection, person: int, name: str) -> None:
    connection.execute("INSERT OR REPLACE INTO deletions (person, name) VALUES (?, ?)", (person, name))


def _leave_texts(connection: sqlite3.Connection, person: int, name: str, naming: Collection[Naming]) -> None:
    """Remove this person's names, including the current `name`, from titles of house rules and uploads."""
    names = {name}.union(*[one.names(connection, person) for one in naming])
    for table in ("results", "daily_results", "tournament_results"):
        rows = connection.execute(f"SELECT DISTINCT name FROM {table} WHERE person = ?", (person,))
        names.update(name for (name,) in rows)
    _disown_house_rules(connection, person, names)
    handed_in.delete(connection, person, names)


def _disown_house_rules(connection: sqlite3.Connection, person: int, names: set[str]) -> None:
    """Remove this person as author of house rules, and their names from the titles; the rules stay."""
    for guild, name in connection.execute(
        "SELECT guild, name FROM house_rules WHERE author = ?", (person,)
    ).fetchall():
        rows = connection.execute("SELECT name FROM house_rules WHERE guild = ? AND name <> ?", (guild, name))
        connection.execute(
            f"UPDATE house_rules SET author = {NOBODY}, name = ? WHERE guild = ? AND name = ?",
            (_without_names(name, names, {other for (other,) in rows}), guild, name),
        )


def _without_names(title: str, names: set[str], others: set[str]) -> str:
    # The longest first: replacing "Ann" before "Ann Lee" would leave "Lee".
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    # Only whole words: "Always" doesn't contain the name "Al".
    title = re.sub(rf"(?<!\w)(?:{words})(?!\w)", SOMEBODY, title, flags=re.IGNORECASE)
    endings = ("", *(f" {number}" for number in range(2, len(others) + 3)))
    titles = (title[: LONGEST_TITLE - len(ending)].rstrip() + ending for ending in endings)
    looks = {look_of(other) for other in others}
    return next(other for other in titles if look_of(other) not in looks)


# Exporting


def _time(column: str) -> str:
    return f"strftime('%Y-%m-%dT%H:%M:%S+00:00', {column}, 'unixepoch')"


_SERVER = "nullif(CAST(guild AS TEXT), '0') AS server"
#: Queries for the rows about one person, by their key in the export. Ids are text, which JSON parsers don't
#: round; columns that begin with `is_` are booleans, and `rules` is JSON.
_ROWS = {
    "results": f"""SELECT table_id AS "table", {_SERVER}, seat, name, game,
        lowest AS is_won_by_the_lowest_total, {_time("ended_at")} AS ended, people, place, won AS is_won,
        gone AS is_left_early, points, deals, best, worst, moons, queens, queens_given,
        par_deals AS deals_with_par, par_gain AS better_than_par, par_squares AS squares_of_that, weight,
        experience AS full_games_before, met AS recent_meetings, mu_before, sigma_before, mu, sigma
        FROM results WHERE person = ? ORDER BY number""",
    "daily_deals": f"""SELECT day, {_SERVER}, name, table_id AS "table", first, second, third,
        {_time("finished_at")} AS finished, is_ranked, is_shared
        FROM daily_results WHERE person = ? ORDER BY day""",
    "tournament_results": f"""SELECT tournament, {_SERVER}, name, season, place,
        score AS better_than_par, deals
        FROM tournament_results WHERE person = ? ORDER BY tournament""",
    "achievements": f"""SELECT {_SERVER}, id AS achievement, table_id AS "table"
        FROM achievements WHERE person = ? ORDER BY table_id, id""",
    "wants_to_be_told": f"""SELECT {_SERVER}, way, every_hours AS at_most_every_hours,
        quiet_from AS quiet_from_hour, quiet_until AS quiet_until_hour, {_time("told_at")} AS last_told
        FROM call_wishes WHERE person = ? ORDER BY guild""",
    "house_rules": f"""SELECT {_SERVER}, name, rules, hints
        FROM house_rules WHERE author = ? ORDER BY guild, name""",
    "direct_messages": f"""SELECT table_id AS "table", substr(key, 1, instr(key, ':') - 1) AS shows,
        CAST(channel AS TEXT) AS channel, CAST(message AS TEXT) AS message
        FROM messages WHERE {MESSAGES} ORDER BY table_id, key""",
    "direct_message_channel": "SELECT CAST(channel AS TEXT) AS channel FROM dm_channels WHERE person = ?",
    "preferences": """SELECT calls, forced AS cards_that_play_themselves, language,
        may_be_invited AS is_invited_by_others, zone AS time_zone, taps_twice AS is_tapping_twice,
        two_colours AS is_with_two_colours, letters, suits AS order_of_suits
        FROM preferences WHERE person = ?""",
    "locale": "SELECT locale FROM locales WHERE person = ?",
    "being_deleted": "SELECT name FROM deletions WHERE person = ?",
}


async def export_person(
    database: Database, person: int, naming: Sequence[Naming] = (), load: Load = in_thread
) -> bytes:
    """Everything about this person as JSON. Refusal if it can't be read."""
    async with database.for_own_connection() as path:
        return await load(_export, path, person, naming)


def _export(path: Path, person: int, naming: Sequence[Naming]) -> bytes:
    uri = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=file.LOCK_WAIT)) as connection:
        connection.execute("BEGIN")
        stored = about_person(connection, person, naming)
    return json.dumps(stored, ensure_ascii=False, indent=2).encode()


def names_in(
    rows: Iterable[S], restore: Callable[[S], V], people_of: Callable[[V], Mapping[int, str]], person: int
) -> set[str]:
    """The names that this person has in these rows; damaged ones, which are deleted in the end, have none."""
    names: set[str] = set()
    for row in rows:
        with suppress(Exception):
            names.add(people_of(restore(row)).get(person, ""))
    return names - {""}


def about_each(
    name: str, rows: Iterable[S], restore: Callable[[S], V], about: Callable[[S, V], dict[str, Any]]
) -> list[dict[str, Any]]:
    """What each of these rows holds about a person, as JSON values; a damaged one is only named."""
    values: list[dict[str, Any]] = []
    for row in rows:
        try:
            value = restore(row)
        except Exception:  # damage can raise anything, and keeps nobody from the rest of their data
            values.append({name: row.id, "is_damaged": True})
        else:
            values.append(about(row, value))
    return values


def about_person(
    connection: sqlite3.Connection, person: int, naming: Sequence[Naming] = ()
) -> dict[str, Any]:
    """Everything about this person, read from this connection."""
    return {
        "person": str(person),
        **{one.kind: one.about(connection, person) for one in naming},
        **{what: _rows(connection, select, person) for what, select in _ROWS.items()},
        "daily_deals_seen": days_seen(connection, person),
        "tournaments_missed": tournaments_missed(connection, person),
        "handed_in": handed_in.export(connection, person),
        "is_blocked": is_blocked(connection, person),
    }


def _rows(connection: sqlite3.Connection, select: str, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(select, (str(person) if MESSAGES in select else person,))
    names = [column for column, *_ in rows.description]
    return [{name: _value(name, value) for name, value in zip(names, row, strict=True)} for row in rows]


def _value(name: str, value: Any) -> Any:
    if name.startswith("is_"):
        return bool(value)
    return json.loads(value) if name == "rules" else value


def moves_of(connection: sqlite3.Connection, table: int, seat: int, since: int, until: int) -> list[Any]:
    """The seat's own moves in the deals from `since` to `until` (from 1), in order.

    They come without their numbers, which would tell how many hidden moves others have made (C2).
    """
    rows = connection.execute(
        """SELECT move FROM moves WHERE table_id = ?1 AND move ->> '$.seat' = ?2
        AND (SELECT COUNT(*) FROM moves AS before WHERE before.table_id = ?1
            AND substr(before.move, 1, 8) = '{"dealt"' AND before.number < moves.number
        ) BETWEEN ?3 AND ?4 ORDER BY number""",
        (table, seat, since, until),
    )
    moves = [json.loads(move) for (move,) in rows]
    return [{name: value for name, value in move.items() if name != "seat"} for move in moves]


def id_text(id: int) -> str | None:
    """The id of a server or channel as text; None for a private table, which has neither."""
    return None if id <= 0 else str(id)


def time_text(seconds: float | None) -> str | None:
    """A time (seconds since 1970) in ISO format, by UTC; None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
