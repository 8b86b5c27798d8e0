"""Exporting and deleting everything that is stored about one person."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from engine.errors import Refusal
from engine.loading import Load, in_thread
from engine.names import NOBODY, computer_name, look_of
from engine.storage import file, handed_in
from engine.storage.daily import note_seen
from engine.storage.damage import readable, reader, shown
from engine.storage.database import Database
from engine.storage.deleted_players import days_seen, tournaments_missed
from engine.storage.moderation import is_blocked
from engine.storage.settings import (
    CHOICES,
    NOTE_TRACES,
    REWRITE_DUE,
    are_traces_left,
    is_rewrite_due,
    rewrite_if_due,
)
from engine.storage.tables import alone_place, daily_place

log = logging.getLogger(__name__)
#: In place of a name that stands within other words.
SOMEBODY = "somebody"
#: Characters that what house rules are called may have, so that they can be offered as a choice.
LONGEST_TITLE = 100
#: Bytes up to which the file is rewritten at once; a larger one is when the bot next starts.
AT_ONCE = 64_000_000
#: The messages that go to one person, whose id is given as text; an index finds them.
MESSAGES = "substr(key, instr(key, ':') + 1) = ?"
#: The tables of which the service knows; what is stored of all others is changed here.
_LIVE = "SELECT id FROM tables WHERE state IN ('lobby', 'playing') AND NOT damaged"
#: What is removed of one person, each with their id.
_STATEMENTS = (
    f"UPDATE tables SET host = {NOBODY} WHERE host = ? AND id NOT IN ({_LIVE})",
    f"UPDATE tables SET first = NULL WHERE first = ? AND id NOT IN ({_LIVE})",
    # Others' places and ratings are explained by who they played against, and how strong that was.
    """UPDATE results SET name = '', mu = NULL, sigma = NULL, par_deals = 0, par_gain = 0.0,
        par_squares = 0.0, person = min(0, (SELECT min(person)
        FROM results AS others WHERE others.table_id = results.table_id)) - 1 WHERE person = ?""",
    f"DELETE FROM invitations WHERE person = ? AND table_id NOT IN ({_LIVE})",
    f"UPDATE invitations SET inviter = {NOBODY} WHERE inviter = ? AND table_id NOT IN ({_LIVE})",
    "DELETE FROM call_wishes WHERE person = ?",
    # What others did in a tournament stays, by numbers.
    f"UPDATE tournaments SET host = {NOBODY} WHERE host = ?",
    f"""UPDATE entrants SET person = {NOBODY}, name = '', is_here = 0, is_out = 1, guild = NULL,
        season = NULL, place = NULL, score = NULL, deals = NULL WHERE person = ?""",
    f"DELETE FROM takers WHERE person = ? AND table_id NOT IN ({_LIVE})",
    # A private table has its player's number in place of a channel.
    f"UPDATE tables SET channel = 0 WHERE channel IN ({daily_place(0)} - ?1, {alone_place(0)} - ?1) "
    f"AND id NOT IN ({_LIVE})",
    "DELETE FROM daily_results WHERE person = ?",
    "DELETE FROM achievements WHERE person = ?",
    "DELETE FROM standings WHERE person = ?",
    "DELETE FROM preferences WHERE person = ?",
    "DELETE FROM locales WHERE person = ?",
    "DELETE FROM dm_channels WHERE person = ?",
)
#: Nothing is left to explain where everybody is a stranger.
_DELETE_STRANGERS = """DELETE FROM results WHERE person < 0 AND NOT EXISTS
    (SELECT 1 FROM results AS others WHERE others.table_id = results.table_id AND others.person > 0)"""


# Deleting


async def begin(database: Database, person: int, name: str) -> None:
    """Note that this person, of this name, is being deleted, until `delete` has finished."""
    await database.write(lambda connection: _note(connection, person, name))


async def begun(database: Database) -> list[tuple[int, str]]:
    """The people whose deletion was begun and not finished, with their names."""
    rows = await database.read("SELECT person, name FROM deletions ORDER BY person")
    return readable("who is to be deleted", rows, reader(tuple[int, Annotated[str, shown]]))


async def delete(
    database: Database, person: int, name: str, *, today: str | None = None, is_all: bool = True
) -> bool:
    """Remove this person's id and names, `name` the present one; Tables.forget sees to the live tables.

    Their seats become computers'; in results of games with others they are a stranger, another in each. That
    they have begun the daily deal of `today` can be told until it is over: see .deleted_players.
    Returns whether no part of the file refused: else, or unless this `is_all`, it is noted as begun. `finish`
    sees to the traces. Refusal if nothing can be saved now: then nothing was changed.
    """
    return await database.write(lambda connection: _delete(connection, person, name, today, is_all=is_all))


async def finish(database: Database, *, at_start: bool = False) -> bool:
    """Rewrite the file if something was deleted since the last time; whether no byte of that is left.

    Where it fails it can be tried again. A large file is only rewritten `at_start`, when nobody has to wait:
    until then at least its log is emptied.
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


def _delete(
    connection: sqlite3.Connection, person: int, name: str, today: str | None, *, is_all: bool
) -> bool:
    before = connection.total_changes
    names = {name, *_names(connection, person)}
    steps: list[Callable[[], object]] = [
        *([partial(note_seen, connection, today, person)] if today else ()),
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
    if connection.total_changes > before or are_traces_left(connection):
        connection.execute(NOTE_TRACES, (REWRITE_DUE,))
    return not refused


def _is_done(connection: sqlite3.Connection, step: Callable[[], object]) -> bool:
    """Do this part of a deletion; whether it succeeded, as one damaged table must not stop the rest."""
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


def _names(connection: sqlite3.Connection, person: int) -> set[str]:
    """All names that this person has had, as far as they can be read."""
    found: set[str] = set()
    for table in ("seats", "takers", "departed", "results", "daily_results", "entrants"):
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
    """The name of this table's next computer."""
    rows = connection.execute("SELECT name FROM seats WHERE table_id = ?", (table,))
    return computer_name({shown(name) for (name,) in rows}, table)


def _disown_house_rules(connection: sqlite3.Connection, person: int, names: set[str]) -> None:
    """Leave house rules to the server, without their author, whose name their titles lose too."""
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
    seen = {look_of(other) for other in taken}
    return next(other for other in titles if look_of(other) not in seen)


# Handing out


async def export_person(database: Database, person: int, load: Load = in_thread) -> bytes:
    """Everything about this person as JSON; ids as text, which no reader rounds. Refusal if it fails."""
    async with database.apart() as path:
        return await load(_export, path, person)


def _export(path: Path, person: int) -> bytes:
    uri = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=file.LOCK_WAIT)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        connection.execute("BEGIN")
        stored = about_person(connection, person)
    return json.dumps(stored, ensure_ascii=False, indent=2, default=_damaged).encode()


def about_person(connection: sqlite3.Connection, person: int) -> dict[str, Any]:
    """Everything about this person, as this connection finds it."""
    return {
        "person": str(person),
        "tables": _tables(connection, person),
        "seats_lost": _seats_lost(connection, person),
        "seats_wanted": _seats_wanted(connection, person),
        "invitations": _invitations(connection, person),
        "invitations_sent": _invitations_sent(connection, person),
        "wants_to_be_told": _call_wishes(connection, person),
        "results": _results(connection, person),
        "tournaments": _tournaments(connection, person),
        "tournaments_hosted": _tournaments_hosted(connection, person),
        "daily_deals": _daily_results(connection, person),
        "daily_deals_seen": days_seen(connection, person),
        "tournaments_missed": tournaments_missed(connection, person),
        "achievements": _achievements(connection, person),
        "house_rules": _house_rules(connection, person),
        "direct_messages": _direct_messages(connection, person),
        "direct_message_channel": _dm_channel(connection, person),
        "preferences": _preferences(connection, person),
        "locale": _locale(connection, person),
        "handed_in": handed_in.export(connection, person),
        "being_deleted_as": _deletion(connection, person),
        "is_blocked": is_blocked(connection, person),
    }


def _damaged(value: bytes) -> str:
    """The text of a column that holds bytes instead."""
    return value.decode(errors="replace")


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
    conduct = _table_settings(connection, person)
    return [
        {
            "table": id,
            "server": _place(guild),
            "channel": _place(channel),
            "opened": _time(opened),
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
            **conduct.get(id, {"hints_asked_for": [], "seat_kept_until": None, "deals_before_away": None}),
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


def _seats_lost(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
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
            "server": _place(guild),
            "channel": str(channel),
            "seat": seat,
            "name": name,
            "from_deal": since,
            "to_deal": until,
            "moves": moves.get(table, []),
        }
        for table, guild, channel, seat, name, since, until in rows
    ]


def _seats_wanted(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """The seats that this person takes, or would have taken, with the next deal."""
    rows = connection.execute(
        """SELECT table_id, guild, channel, seat, name FROM takers JOIN tables ON id = table_id
        WHERE person = ? ORDER BY table_id""",
        (person,),
    )
    return [
        {"table": table, "server": _place(guild), "channel": str(channel), "seat": seat, "name": name}
        for table, guild, channel, seat, name in rows
    ]


def _invitations(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """The tables that this person was asked to, or told of."""
    rows = connection.execute(
        """SELECT table_id, guild, channel, name, number, way, at, kept_until, is_told
        FROM invitations JOIN tables ON id = table_id WHERE person = ? ORDER BY table_id""",
        (person,),
    )
    return [
        {
            "table": table,
            "server": str(guild),
            "channel": str(channel),
            "name": name,
            "message_of_the_table": number,
            "way": way,
            "at": _time(at),
            "seat_kept_until": _time(kept),
            "is_told": bool(is_told),
        }
        for table, guild, channel, name, number, way, at, kept, is_told in rows
    ]


def _invitations_sent(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """When this person asked others to a table; not whom, as that is theirs."""
    rows = connection.execute(
        "SELECT table_id, way, at FROM invitations WHERE inviter = ? ORDER BY at, table_id, person", (person,)
    )
    return [{"table": table, "way": way, "at": _time(at)} for table, way, at in rows]


def _call_wishes(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """In which servers this person wants to be told when a table needs players, and how and when."""
    rows = connection.execute(
        """SELECT guild, way, every_hours, quiet_from, quiet_until, told_at
        FROM call_wishes WHERE person = ? ORDER BY guild""",
        (person,),
    )
    return [
        {
            "server": str(guild),
            "way": way,
            "at_most_every_hours": every,
            "quiet_from_hour": quiet_from,
            "quiet_until_hour": quiet_until,
            "last_told": _time(told_at),
        }
        for guild, way, every, quiet_from, quiet_until, told_at in rows
    ]


def _picked(connection: sqlite3.Connection, person: int) -> dict[int, Any]:
    """The cards that this person has picked to pass and not passed yet, by table."""
    rows = connection.execute(
        """SELECT table_id, cards FROM picks JOIN seats USING (table_id, seat) WHERE person = ?""", (person,)
    )
    return {table: _json(cards) for table, cards in rows}


def _table_settings(connection: sqlite3.Connection, person: int) -> dict[int, dict[str, Any]]:
    """The hints this person asked for, and until when their seats were kept, by table.

    Damaged values are exported as they are.
    """
    found: dict[int, dict[str, Any]] = {}
    for table, seat, conduct in connection.execute(
        "SELECT id, seat, conduct FROM seats JOIN tables ON id = table_id WHERE person = ?", (person,)
    ):
        try:
            known = json.loads(conduct)
            asked = [{"deal": deal, "after_cards": after} for deal, of, after in known["asked"] if of == seat]
            kept = [_time(until) for of, until in known.get("kept", ()) if of == seat]
            is_here = seat in known.get("here", ())
            gone = [done for of, until, done in known.get("gone", ()) if of == seat and until is None]
            found[table] = {
                "hints_asked_for": asked,
                "seat_kept_until": next(iter(kept), None),
                "deals_before_away": next(iter(gone), None),
                "is_here_for_the_planned_start": is_here,
            }
        except (ValueError, TypeError, LookupError, RecursionError):
            found[table] = {"hints_asked_for": conduct}
    return found


def _results(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT table_id, guild, seat, name, game, lowest, ended_at, people, place, won, gone, points,
            deals, best, worst, moons, queens, queens_given, par_deals, par_gain, par_squares,
            weight, experience, met, mu_before, sigma_before, mu, sigma
        FROM results WHERE person = ? ORDER BY number""",
        (person,),
    )
    names = [column for column, *_ in rows.description]
    return [_result(dict(zip(names, row, strict=True))) for row in rows]


def _result(row: dict[str, Any]) -> dict[str, Any]:
    """One person's game, its columns called so that a stranger understands them."""
    return {
        "table": row.pop("table_id"),
        "server": _place(row.pop("guild")),
        "lowest_total_wins": bool(row.pop("lowest")),
        "ended": _time(row.pop("ended_at")),
        "won": bool(row.pop("won")),
        "left_for_good": bool(row.pop("gone")),
        "full_games_before": row.pop("experience"),
        "recent_meetings": row.pop("met"),
        "deals_with_par": row.pop("par_deals"),
        "better_than_par": row.pop("par_gain"),
        "squares_of_that": row.pop("par_squares"),
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
            "server": _place(guild),
            "name": name,
            "table": table,
            "points": points,
            "finished": _time(finished),
            "is_ranked": bool(is_ranked),
            "is_shared": bool(is_shared),
        }
        for day, guild, name, table, *points, finished, is_ranked, is_shared in rows
    ]


def _tournaments(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """The tournaments that this person has signed up for, where they sat, and what it came to."""
    rows = connection.execute(
        """SELECT tournament, tournaments.guild, channel, state, opened_at, number, name, since,
            is_here, is_out, entrants.guild, season, place, score, deals
        FROM entrants JOIN tournaments ON id = tournament WHERE person = ? ORDER BY tournament""",
        (person,),
    ).fetchall()
    return [
        {
            "tournament": id,
            "server": str(guild),
            "channel": str(channel),
            "state": state,
            "opened": _time(opened),
            "number": number,
            "name": name,
            "from_round": since,
            "is_here_for_the_start": bool(is_here),
            "sits_out": bool(is_out),
            "result": dict(
                zip(("server", "season", "place", "better_than_par", "deals"), result, strict=True)
            ),
            "tables": _tournament_tables(connection, id, number),
        }
        for id, guild, channel, state, opened, number, name, since, is_here, is_out, *result in rows
    ]


def _tournament_tables(connection: sqlite3.Connection, tournament: Any, number: Any) -> list[dict[str, Any]]:
    """The tables where this entrant sat, and the points of their seat there."""
    rows = connection.execute(
        """SELECT round, number, seats, state, channel, table_id, deals, tries FROM tournament_tables
        WHERE tournament = ? ORDER BY round, number""",
        (tournament,),
    )
    found = []
    for round, table, seats, state, channel, id, deals, tries in rows:
        known = {"round": round, "table": table, "state": state, "channel": str(channel), "id": id}
        try:
            chair = json.loads(seats).index(number)
            scored = [
                {
                    "points": deal["points"][chair],
                    "played_by_this_person": chair in deal["played"],
                    "par": deal["par"] and deal["par"]["points"][chair],
                }
                for deal in json.loads(deals)
            ]
        except ValueError as problem:
            if not isinstance(problem, json.JSONDecodeError):
                continue  # they sat elsewhere
            found.append({**known, "seats": seats, "deals": deals})
        except (TypeError, LookupError, RecursionError, AttributeError):
            found.append({**known, "seats": seats, "deals": deals})
        else:
            found.append({**known, "seat": chair, "deals": scored, "failed_tries": tries})
    return found


def _tournaments_hosted(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        """SELECT id, guild, channel, terms, state, opened_at, starts_at, ended_at, reason
        FROM tournaments WHERE host = ? ORDER BY id""",
        (person,),
    )
    return [
        {
            "tournament": id,
            "server": str(guild),
            "channel": str(channel),
            "terms": _json(terms),
            "state": state,
            "opened": _time(opened),
            "starts": _time(starts),
            "ended": _time(ended),
            "reason": reason,
        }
        for id, guild, channel, terms, state, opened, starts, ended, reason in rows
    ]


def _achievements(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT guild, id, table_id FROM achievements WHERE person = ? ORDER BY table_id, id", (person,)
    )
    return [{"server": _place(guild), "achievement": id, "table": table} for guild, id, table in rows]


def _house_rules(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT guild, name, rules FROM house_rules WHERE author = ? ORDER BY guild, name", (person,)
    )
    return [{"server": _place(guild), "name": name, "rules": _json(rules)} for guild, name, rules in rows]


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
    """The channel of this person's direct messages, if they ever got one."""
    rows = connection.execute("SELECT channel FROM dm_channels WHERE person = ?", (person,))
    return next((str(channel) for (channel,) in rows), None)


def _preferences(connection: sqlite3.Connection, person: int) -> dict[str, Any] | None:
    """What this person has chosen; None if nothing."""
    rows = connection.execute(f"SELECT {CHOICES} FROM preferences WHERE person = ?", (person,))
    names = (
        *("calls", "cards_that_play_themselves", "language", "may_be_invited", "time_zone"),
        *("taps_twice", "two_colours", "letters", "order_of_suits"),
    )
    return next((dict(zip(names, row, strict=True)) for row in rows), None)


def _locale(connection: sqlite3.Connection, person: int) -> Any:
    """The locale in which this person was last seen, if they have ever had a seat."""
    rows = connection.execute("SELECT locale FROM locales WHERE person = ?", (person,))
    return next((locale for (locale,) in rows), None)


def _deletion(connection: sqlite3.Connection, person: int) -> Any:
    """The name of this person when they asked to be deleted, while that goes on; else None."""
    rows = connection.execute("SELECT name FROM deletions WHERE person = ?", (person,))
    return next((name for (name,) in rows), None)


def _place(id: Any) -> str | None:
    """The id of a server or channel as text; None where a private table has none."""
    return None if isinstance(id, int) and id <= 0 else str(id)


def _json(text: Any) -> Any:
    """The value of this JSON; damaged text is exported as it is."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return text


def _time(seconds: Any) -> Any:
    """This time (seconds since 1970) as text; a damaged one is exported as it is."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, TypeError, OverflowError, OSError):
        return seconds
