"""Files of the first version: completed where its schema was still being edited in place, and their rules.

Never change this: it only reads files from those days, once each.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

#: The columns of each table, separated by commas.
Columns = Mapping[str, str]
#: The tables and columns that each of those five versions lacks and the next one has.
_ADDED = (
    {"house_rules", "results.lowest"},
    {"tables.first"},
    {"tables.pace", "tables.timer", "tables.notice", "seats.missed"},
    {"tables.paused"},
    {"tables.end_seen", "messages.shown"},
)
#: The value, in SQL, that an older row gets in each column added later.
_VALUES = {
    "results.lowest": """(SELECT CASE
        WHEN json_valid(rules) AND json_extract(rules, '$.options.winner') IN ('lowest', 'highest')
        THEN json_extract(rules, '$.options.winner') = 'lowest'
        ELSE game NOT IN ('cancellation', 'chinese') END FROM tables WHERE id = table_id)""",
    "tables.first": "NULL",
    "tables.pace": "'none'",
    "tables.timer": "'null'",
    "tables.notice": "'null'",
    "seats.missed": "0",
    "tables.paused": "0",
    "tables.end_seen": "state IN ('over', 'stopped')",  # nobody is told again how a game ended
    "messages.shown": "NULL",
}


def is_one_of_these(found: Columns, first: Columns) -> bool:
    """Whether these are the tables of one of those versions; `first` are the first migration's."""
    for version in range(len(_ADDED)):
        lacking = set().union(*_ADDED[version:])
        if found == {
            table: ",".join(name for name in columns.split(",") if f"{table}.{name}" not in lacking)
            for table, columns in first.items()
            if table not in lacking
        }:
            return True
    return False


def complete(connection: sqlite3.Connection, first_migration: Iterable[str]) -> None:
    """Give a file of one of those versions the first migration's tables; leave any other as it is."""
    if "end_seen" in _columns(connection, "tables"):  # only the finished schema has it
        return
    old = _names(connection, "table")
    for index in _names(connection, "index"):
        connection.execute(f"DROP INDEX {index}")
    for table in old:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in first_migration:
        connection.execute(statement)
    for table in old:
        _fill(connection, table)
    for table in reversed(old):  # tables that refer to others come after them
        connection.execute(f"DROP TABLE old_{table}")


def _fill(connection: sqlite3.Connection, table: str) -> None:
    columns, known = _columns(connection, table), _columns(connection, f"old_{table}")
    values = [name if name in known else _VALUES[f"{table}.{name}"] for name in columns]
    connection.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM old_{table}"
    )


def _names(connection: sqlite3.Connection, type: str) -> list[str]:
    """Tables or indexes in the order they were created, without SQLite's own."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = ? AND sql NOT NULL AND name <> 'sqlite_sequence'",
        (type,),
    )
    return [name for (name,) in found]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]


# Rules as the first version stored them, which left out what did not differ from its defaults

_EXTRAS = {"jack_of_diamonds": False, "hooligan": False, "spot_hearts": False, "even_scores": False}
_WIKIBOOKS = {
    "pass_cards": 3,
    "remainder": "remove",
    "kitty": "first-trick",
    "safe_first_trick": "all-scoring",
    "hearts_broken_by": "hearts",
    "lead_hearts_with_queen": False,
    **_EXTRAS,
    "moon": "others",
    "ends_at": 100,
    "winner": "lowest",
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "classic": {
        "pass_cards": 3,
        "safe_first_trick": "hearts-and-queen",
        "hearts_broken_by": "hearts-or-queen",
        "lead_hearts_with_queen": True,
        **_EXTRAS,
        "moon": "choice",
        "ends_at": 100,
        "winner": "lowest",
    },
    "wikibooks": _WIKIBOOKS,
    "double-deck": {
        **_WIKIBOOKS,
        "remainder": "kitty",
        "kitty": "first-and-last",
        "duplicates": "first-wins",
        "moon": "choice",
    },
    "cancellation": {
        "pass_cards": 0,
        "safe_first_trick": "off",
        "hearts_broken_by": "hearts-or-queen",
        "lead_hearts_with_queen": False,
        "duplicates": "cancel",
        **_EXTRAS,
        "moon": "choice",
        "ends_at": 150,
        "winner": "highest",
    },
    "chinese": {"ends_at": 5000, "winner": "highest"},
}
#: Where the pack is not always the same.
_HAS_REMAINDER = {("wikibooks", 3), ("wikibooks", 5), ("double-deck", 6)}


def whole_rules(stored: bytes) -> str | None:
    """The same rules with every option that applies; None where nobody can read them."""
    try:
        rules = json.loads(stored)
        game, players, options = rules["preset"], rules["players"], rules["options"]
        return json.dumps({**rules, "options": {**_defaults(game, players, options), **options}})
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _defaults(game: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    defaults = dict(_DEFAULTS[game])
    if (game, players) not in _HAS_REMAINDER:
        defaults.pop("remainder", None)
    # Nine players of two decks leave a card, whatever they want.
    if (defaults | options).get("remainder") != "kitty" and (game, players) != ("double-deck", 9):
        defaults.pop("kitty", None)
    if game == "wikibooks" and options.get("spot_hearts"):
        defaults["ends_at"] = 500
    if game == "cancellation" and options.get("pass_cards"):
        defaults["safe_first_trick"] = "hearts-and-queen"
    return defaults
