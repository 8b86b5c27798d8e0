"""All that is stored about one person, to hand out; engine.storage.privacy deletes it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.loading import Load, in_thread
from engine.storage import daily_seen, handed_in, locks
from engine.storage.database import Database

#: Which messages one person gets, whose id is given as text; an index finds them.
MESSAGES = "substr(key, instr(key, ':') + 1) = ?"


async def export(database: Database, person: int, load: Load = in_thread) -> bytes:
    """Everything about this person as JSON; ids as text, which no reader rounds. Refusal if it fails."""
    async with database.apart() as path:
        return await load(_export, path, person)


def _export(path: Path, person: int) -> bytes:
    file = f"{path.as_uri()}?mode=ro"
    with closing(
        sqlite3.connect(file, uri=True, isolation_level=None, timeout=locks.LOCK_WAIT)
    ) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        connection.execute("BEGIN")
        stored = about(connection, person)
    return json.dumps(stored, ensure_ascii=False, indent=2, default=_damaged).encode()


def _damaged(value: bytes) -> str:
    """What a column holds in place of its text."""
    return value.decode(errors="replace")


def about(connection: sqlite3.Connection, person: int) -> dict[str, Any]:
    """Everything about this person, as this connection finds it."""
    return {
        "person": str(person),
        "tables": _tables(connection, person),
        "seats_lost": _departed(connection, person),
        "seats_wanted": _wanted(connection, person),
        "results": _results(connection, person),
        "daily_deals": _daily_results(connection, person),
        "daily_deals_seen": daily_seen.days(connection, person),
        "achievements": _achievements(connection, person),
        "house_rules": _house_rules(connection, person),
        "direct_messages": _direct_messages(connection, person),
        "direct_message_channel": _dm_channel(connection, person),
        "preferences": _preferences(connection, person),
        "handed_in": handed_in.export(connection, person),
        "being_deleted_as": _deletion(connection, person),
    }


def _tables(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT id, guild, channel, opened_at, state, rules, host = ?1, first IS ?1,
            seat, name, away, missed
        FROM tables LEFT JOIN seats ON table_id = id AND person = ?1
        WHERE id IN (
            SELECT table_id FROM seats WHERE person = ?1
            UNION SELECT id FROM tables WHERE host = ?1
            UNION SELECT id FROM tables WHERE first = ?1
        ) ORDER BY id""",
        (person,),
    )
    moves = _moves(connection, person)
    picked = _picked(connection, person)
    conduct = _conduct(connection, person)
    return [
        {
            "table": id,
            "server": str(guild),
            "channel": _channel(channel),
            "opened": _moment(opened),
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
            **conduct.get(id, {"hints_asked_for": [], "seat_kept_until": None}),
        }
        for id, guild, channel, opened, state, rules, is_host, is_first, seat, name, away, missed in rows
    ]


def _moves(connection: sqlite3.Connection, person: int) -> dict[int, list[Any]]:
    """The moves of this person's seats by table, in order: their own only, as a deal holds everybody's cards.

    Their numbers would tell how many moves others have made that nobody has seen (C2). Of a seat that has
    changed hands only those of the deals in which it was theirs.
    """
    found: dict[int, list[Any]] = {}
    for table, move in connection.execute(
        """WITH sat AS (
            SELECT table_id, seat, since, 1e18 AS until FROM seats WHERE person = ?1
            UNION ALL SELECT table_id, seat, since, until FROM departed WHERE person = ?1
        )
        SELECT moves.table_id, move FROM sat JOIN moves ON moves.table_id = sat.table_id
        AND CASE WHEN json_valid(move) THEN json_extract(move, '$.seat') = seat END
        AND ((since = 1 AND until = 1e18) OR (
            SELECT COUNT(*) FROM moves AS before WHERE before.table_id = moves.table_id
            AND substr(before.move, 1, 8) = '{"dealt"' AND before.number < moves.number
        ) BETWEEN since AND until)
        ORDER BY moves.table_id, number""",
        (person,),
    ):
        made = {name: value for name, value in json.loads(move).items() if name != "seat"}
        found.setdefault(table, []).append(made)
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


def _conduct(connection: sqlite3.Connection, person: int) -> dict[int, dict[str, Any]]:
    """The hints of which this person's tables were told, and until when their seats were kept, by table.

    What is damaged is handed out as it is.
    """
    found: dict[int, dict[str, Any]] = {}
    for table, seat, conduct in connection.execute(
        "SELECT id, seat, conduct FROM seats JOIN tables ON id = table_id WHERE person = ?", (person,)
    ):
        try:
            known = json.loads(conduct)
            asked = [{"deal": deal, "after_cards": after} for deal, of, after in known["asked"] if of == seat]
            kept = [_moment(until) for of, until in known.get("kept", ()) if of == seat]
            found[table] = {"hints_asked_for": asked, "seat_kept_until": next(iter(kept), None)}
        except (ValueError, TypeError, LookupError, RecursionError):
            found[table] = {"hints_asked_for": conduct}
    return found


def _results(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT table_id, guild, seat, name, game, lowest, ended_at, people, place, won, gone, points,
            deals, best, worst, moons, queens, queens_given, experience, met,
            mu_before, sigma_before, mu, sigma
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
        "ended": _moment(row.pop("ended_at")),
        "won": bool(row.pop("won")),
        "left_for_good": bool(row.pop("gone")),
        "full_games_before": row.pop("experience"),
        "recent_meetings": row.pop("met"),
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
            "finished": _moment(finished),
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
        f"SELECT table_id, key, channel, message FROM messages WHERE {MESSAGES} ORDER BY table_id, key",
        (str(person),),
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


def _dm_channel(connection: sqlite3.Connection, person: int) -> str | None:
    """Where this person gets direct messages, if they ever got one."""
    rows = connection.execute("SELECT channel FROM dm_channels WHERE person = ?", (person,))
    return next((str(channel) for (channel,) in rows), None)


def _preferences(connection: sqlite3.Connection, person: int) -> dict[str, str] | None:
    """What this person has chosen; None if nothing."""
    rows = connection.execute("SELECT calls, forced FROM preferences WHERE person = ?", (person,))
    return next(({"calls": calls, "cards_that_play_themselves": forced} for calls, forced in rows), None)


def _deletion(connection: sqlite3.Connection, person: int) -> Any:
    """What this person was called when they asked to be deleted, while that goes on; else None."""
    rows = connection.execute("SELECT name FROM deletions WHERE person = ?", (person,))
    return next((name for (name,) in rows), None)


def _channel(id: Any) -> str | None:
    """This id as text; None of a daily game, which has none."""
    return None if isinstance(id, int) and id <= 0 else str(id)


def _json(text: Any) -> Any:
    """What this says; damaged, it is handed out as it is."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return text


def _moment(seconds: Any) -> Any:
    """When this was (seconds since 1970), as text; damaged, it is handed out as it is."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, OSError):
        return seconds
