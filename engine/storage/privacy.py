"""All that is stored about one person: to hand out, and to delete."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import aiosqlite

from engine.errors import Refusal
from engine.names import NOBODY, computer_name
from engine.storage import handed_in, traces
from engine.storage.database import Database

#: In place of a name that stands within other words.
SOMEBODY = "somebody"
#: Characters that what house rules are called may have, so that they can be offered as a choice.
LONGEST_TITLE = 100
#: Bytes up to which the file is rewritten at once; a larger one is when the bot next starts.
AT_ONCE = 64_000_000

#: The tables of which the service knows nothing.
_ENDED = "SELECT id FROM tables WHERE state IN ('over', 'stopped') OR damaged"
#: Nothing is left to explain where everybody is a stranger.
_DELETE_STRANGERS = """DELETE FROM results WHERE person < 0 AND NOT EXISTS
    (SELECT 1 FROM results AS others WHERE others.table_id = results.table_id AND others.person > 0)"""
_CHANGES = "SELECT total_changes()"


async def export(database: Database, person: int) -> dict[str, Any]:
    """Everything about this person, ready for JSON; ids as text, which no reader rounds."""
    return await database.read_apart(
        lambda connection: {
            "person": str(person),
            "tables": _tables(connection, person),
            "seats_lost": _departed(connection, person),
            "seats_wanted": _wanted(connection, person),
            "results": _results(connection, person),
            "daily_deals": _daily_results(connection, person),
            "achievements": _achievements(connection, person),
            "house_rules": _house_rules(connection, person),
            "direct_messages": _direct_messages(connection, person),
            "preferences": _preferences(connection, person),
            "handed_in": handed_in.export(connection, person),
        }
    )


def _tables(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT id, guild, channel, opened_at, state, rules, host = ?1, first IS ?1,
            seat, name, away, missed
        FROM tables LEFT JOIN seats ON table_id = id AND person = ?1
        WHERE person = ?1 OR host = ?1 OR first = ?1 ORDER BY id""",
        (person,),
    )
    moves = _moves(connection, person)
    picked = _picked(connection, person)
    asked = _asked(connection, person)
    return [
        {
            "table": id,
            "server": str(guild),
            "channel": str(channel),
            "opened": datetime.fromtimestamp(opened, UTC).isoformat(timespec="seconds"),
            "state": state,
            "rules": _json(rules),
            "is_host": bool(is_host),
            "is_named_to_lead_first": bool(is_first),
            "seat": seat,
            "name": name,
            "is_away": bool(away),
            "missed_turns": missed,
            "moves": moves.get(id, []),
            "picked_to_pass": picked.get(id, []),
            "hints_asked_for": asked.get(id, []),
        }
        for id, guild, channel, opened, state, rules, is_host, is_first, seat, name, away, missed in rows
    ]


def _moves(connection: sqlite3.Connection, person: int) -> dict[int, list[Any]]:
    """The moves of this person's seats by table: their own only, as a deal holds everybody's cards.

    Of a seat that has changed hands only those of the deals in which it was theirs.
    """
    found: dict[int, list[Any]] = {}
    for table, number, move in connection.execute(
        """WITH sat AS (
            SELECT table_id, seat, since, 1e18 AS until FROM seats WHERE person = ?1
            UNION ALL SELECT table_id, seat, since, until FROM departed WHERE person = ?1
        )
        SELECT moves.table_id, number, move FROM sat JOIN moves ON moves.table_id = sat.table_id
        AND CASE WHEN json_valid(move) THEN json_extract(move, '$.seat') = seat END
        AND ((since = 1 AND until = 1e18) OR (
            SELECT COUNT(*) FROM moves AS before WHERE before.table_id = moves.table_id
            AND substr(before.move, 1, 8) = '{"dealt"' AND before.number < moves.number
        ) BETWEEN since AND until)
        ORDER BY moves.table_id, number""",
        (person,),
    ):
        made = {name: value for name, value in json.loads(move).items() if name != "seat"}
        found.setdefault(table, []).append({"number": number, **made})
    return found


def _departed(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """The seats that others have taken after this person had left them."""
    moves = _moves(connection, person)
    rows = connection.execute(
        """SELECT table_id, guild, channel, seat, name, since, until
        FROM departed JOIN tables ON id = table_id WHERE person = ? ORDER BY table_id, until""",
        (person,),
    )
    return [
        {
            "table": table,
            "server": str(guild),
            "channel": str(channel),
            "seat": seat,
            "name": name,
            "from_deal": since,
            "to_deal": until,
            "moves": moves.get(table, []),
        }
        for table, guild, channel, seat, name, since, until in rows
    ]


def _wanted(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """The seats that this person takes, or would have taken, with the next deal."""
    rows = connection.execute(
        """SELECT table_id, guild, channel, seat, name FROM takers JOIN tables ON id = table_id
        WHERE person = ? ORDER BY table_id""",
        (person,),
    )
    return [
        {"table": table, "server": str(guild), "channel": str(channel), "seat": seat, "name": name}
        for table, guild, channel, seat, name in rows
    ]


def _picked(connection: sqlite3.Connection, person: int) -> dict[int, Any]:
    """The cards that this person has picked to pass and not passed yet, by table."""
    rows = connection.execute(
        """SELECT table_id, cards FROM picks JOIN seats USING (table_id, seat) WHERE person = ?""", (person,)
    )
    return {table: _json(cards) for table, cards in rows}


def _asked(connection: sqlite3.Connection, person: int) -> dict[int, Any]:
    """The hints that this person's tables were told of, by table; damaged, all are handed out as they are."""
    found: dict[int, Any] = {}
    for table, seat, conduct in connection.execute(
        "SELECT id, seat, conduct FROM seats JOIN tables ON id = table_id WHERE person = ?", (person,)
    ):
        try:
            asked = json.loads(conduct)["asked"]
            found[table] = [{"deal": deal, "after_cards": after} for deal, of, after in asked if of == seat]
        except (ValueError, TypeError, LookupError):
            found[table] = conduct
    return found


def _results(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT table_id, guild, seat, name, game, lowest, ended_at, people, place, won, gone, points,
            deals, best, worst, moons, queens, queens_given, mu_before, sigma_before, mu, sigma
        FROM results WHERE person = ? ORDER BY number""",
        (person,),
    )
    names = [column for column, *_ in rows.description]
    return [_result(dict(zip(names, row, strict=True))) for row in rows]


def _result(row: dict[str, Any]) -> dict[str, Any]:
    """One person's game, its columns called so that a stranger understands them."""
    return {
        "table": row.pop("table_id"),
        "server": str(row.pop("guild")),
        "lowest_total_wins": bool(row.pop("lowest")),
        "ended": datetime.fromtimestamp(row.pop("ended_at"), UTC).isoformat(timespec="seconds"),
        "won": bool(row.pop("won")),
        "left_for_good": bool(row.pop("gone")),
        **row,
    }


def _daily_results(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT day, guild, name, table_id, first, second, third, finished_at, is_ranked, is_shared
        FROM daily_results WHERE person = ? ORDER BY day""",
        (person,),
    )
    return [
        {
            "day": day,
            "server": str(guild),
            "name": name,
            "table": table,
            "points": points,
            "finished": datetime.fromtimestamp(finished, UTC).isoformat(timespec="seconds"),
            "is_ranked": bool(is_ranked),
            "is_shared": bool(is_shared),
        }
        for day, guild, name, table, *points, finished, is_ranked, is_shared in rows
    ]


def _achievements(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT guild, id, table_id FROM achievements WHERE person = ? ORDER BY table_id, id", (person,)
    )
    return [{"server": str(guild), "achievement": id, "table": table} for guild, id, table in rows]


def _house_rules(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT guild, name, rules FROM house_rules WHERE author = ? ORDER BY guild, name", (person,)
    )
    return [{"server": str(guild), "name": name, "rules": _json(rules)} for guild, name, rules in rows]


def _direct_messages(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT table_id, key, channel, message FROM messages WHERE key LIKE ? ORDER BY table_id, key",
        (_of_person(person),),
    )
    return [
        {
            "table": table,
            "shows": key.partition(":")[0],
            "channel": str(channel),
            "message": str(message),
        }
        for table, key, channel, message in rows
    ]


def _preferences(connection: sqlite3.Connection, person: int) -> dict[str, str] | None:
    """What this person has chosen; None if nothing."""
    rows = connection.execute("SELECT calls, forced FROM preferences WHERE person = ?", (person,))
    return next(({"calls": calls, "cards_that_play_themselves": forced} for calls, forced in rows), None)


def _json(text: str) -> Any:
    """What this says; damaged, it is handed out as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _of_person(person: int) -> str:
    """The keys of the messages that one person gets."""
    return f"%:{person}"


async def delete(database: Database, person: int, name: str) -> None:
    """Remove this person's id and names, `name` the present one; Tables.forget sees to the live tables.

    Their seats become computers'; in results of games with others they are a stranger, another in each.
    """
    async with database.transaction() as connection:
        [(before,)] = await connection.execute_fetchall(_CHANGES)
        names = {name, *await _names(connection, person)}
        await _give_up_seats(connection, person)
        for statement in (
            f"UPDATE tables SET host = {NOBODY} WHERE host = ? AND id IN ({_ENDED})",
            f"UPDATE tables SET first = NULL WHERE first = ? AND id IN ({_ENDED})",
            # Others' places and ratings are explained by who they played against, and how strong that was.
            """UPDATE results SET name = '', mu = NULL, sigma = NULL, person = min(0, (SELECT min(person)
                FROM results AS others WHERE others.table_id = results.table_id)) - 1 WHERE person = ?""",
            f"DELETE FROM takers WHERE person = ? AND table_id IN ({_ENDED})",
            f"DELETE FROM departed WHERE person = ? AND table_id IN ({_ENDED})",
            # In place of a channel: a daily game has the number of who played it.
            f"UPDATE tables SET channel = 0 WHERE channel = -? AND id IN ({_ENDED})",
            "DELETE FROM daily_results WHERE person = ?",
            "DELETE FROM achievements WHERE person = ?",
            "DELETE FROM standings WHERE person = ?",
            "DELETE FROM preferences WHERE person = ?",
        ):
            await connection.execute(statement, (person,))
        await connection.execute(_DELETE_STRANGERS)
        await connection.execute("DELETE FROM messages WHERE key LIKE ?", (_of_person(person),))
        await _disown_house_rules(connection, person, names)
        await handed_in.delete(connection, person, names)
        [(after,)] = await connection.execute_fetchall(_CHANGES)
        if after > before or await traces.are_left(connection):
            await connection.execute(traces.NOTE, (traces.DUE,))
    if database.size <= AT_ONCE:
        await finish(database)


async def finish(database: Database) -> None:
    """Rewrite the file if something was deleted from it since; where that fails, the next start does it."""
    with suppress(Refusal):
        await traces.clear(database)


async def _names(connection: aiosqlite.Connection, person: int) -> set[str]:
    rows = await connection.execute_fetchall(
        """SELECT CAST(name AS BLOB) FROM seats WHERE person = ?1
        UNION SELECT CAST(name AS BLOB) FROM takers WHERE person = ?1
        UNION SELECT CAST(name AS BLOB) FROM departed WHERE person = ?1
        UNION SELECT CAST(name AS BLOB) FROM results WHERE person = ?1
        UNION SELECT CAST(name AS BLOB) FROM daily_results WHERE person = ?1""",
        (person,),
    )
    return _texts(rows)


def _texts(rows: Iterable[Any]) -> set[str]:
    """Names that were read as their bytes: one that is no UTF-8 must not keep anything from being deleted."""
    return {bytes(name).decode(errors="replace") for (name,) in rows}


async def _give_up_seats(connection: aiosqlite.Connection, person: int) -> None:
    for table, seat in await connection.execute_fetchall(
        f"SELECT table_id, seat FROM seats WHERE person = ? AND table_id IN ({_ENDED})", (person,)
    ):
        rows = await connection.execute_fetchall(
            "SELECT CAST(name AS BLOB) FROM seats WHERE table_id = ?", (table,)
        )
        await connection.execute("DELETE FROM picks WHERE table_id = ? AND seat = ?", (table, seat))
        await connection.execute(
            "UPDATE seats SET person = NULL, name = ?, away = 0, missed = 0 WHERE table_id = ? AND seat = ?",
            (computer_name(_texts(rows), table), table, seat),
        )


async def _disown_house_rules(connection: aiosqlite.Connection, person: int, names: set[str]) -> None:
    """The server keeps the rules; what they are called loses the name of who saved them."""
    for guild, name in await connection.execute_fetchall(
        "SELECT guild, CAST(name AS BLOB) FROM house_rules WHERE author = ?", (person,)
    ):
        rows = await connection.execute_fetchall(
            "SELECT CAST(name AS BLOB) FROM house_rules WHERE guild = ? AND name <> CAST(? AS TEXT)",
            (guild, name),
        )
        title = bytes(name).decode(errors="replace")
        await connection.execute(
            f"UPDATE house_rules SET author = {NOBODY}, name = ? WHERE guild = ? AND name = CAST(? AS TEXT)",
            (_without_names(title, names, _texts(rows)), guild, name),
        )


def _without_names(title: str, names: set[str], taken: set[str]) -> str:
    # The longest first: of "Ann Lee" nothing may be left because of "Ann".
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    # As a whole word: "Al" does not stand in "Always".
    title = re.sub(rf"(?<!\w)(?:{words})(?!\w)", SOMEBODY, title, flags=re.IGNORECASE)
    endings = ("", *(f" {number}" for number in range(2, len(taken) + 3)))
    titles = (title[: LONGEST_TITLE - len(ending)].rstrip() + ending for ending in endings)
    return next(other for other in titles if other not in taken)
