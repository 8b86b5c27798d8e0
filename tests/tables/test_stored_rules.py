"""A stored game holds its whole ruleset: neither a new default nor a new option changes it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from life import life

from engine.play import moves as moves_
from engine.play.game import Game, shuffle
from engine.play.record import write_record
from engine.rules.presets import CLASSIC
from engine.rules.ruleset import Ruleset
from engine.storage import house_rules
from engine.storage.database import Database
from engine.storage.migrations import MIGRATIONS
from engine.tables import Person, State

ANN = Person(1, "Ann")
EXTRAS = {"jack_of_diamonds": False, "hooligan": False, "spot_hearts": False, "even_scores": False}
WIKIBOOKS = {
    "pass_cards": 3,
    "safe_first_trick": "all-scoring",
    "hearts_broken_by": "hearts",
    "lead_hearts_with_queen": False,
    **EXTRAS,
    "moon": "others",
    "ends_at": 100,
    "winner": "lowest",
}
DOUBLE_DECK = {**WIKIBOOKS, "duplicates": "first-wins", "moon": "choice"}
CANCELLATION = {
    "pass_cards": 0,
    "safe_first_trick": "off",
    "hearts_broken_by": "hearts-or-queen",
    "lead_hearts_with_queen": False,
    "duplicates": "cancel",
    **EXTRAS,
    "moon": "choice",
    "ends_at": 150,
    "winner": "highest",
}
#: Of the first version's defaults: preset, players, what differed, and what all options were.
FIRST_VERSION: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    (
        "classic",
        4,
        {"spot_hearts": True},
        {
            "pass_cards": 3,
            "safe_first_trick": "hearts-and-queen",
            "hearts_broken_by": "hearts-or-queen",
            "lead_hearts_with_queen": True,
            **EXTRAS,
            "spot_hearts": True,
            "moon": "choice",
            "ends_at": 100,
            "winner": "lowest",
        },
    ),
    ("wikibooks", 4, {}, WIKIBOOKS),
    ("wikibooks", 6, {"spot_hearts": True}, {**WIKIBOOKS, "spot_hearts": True, "ends_at": 500}),
    (
        "wikibooks",
        3,
        {"spot_hearts": True, "ends_at": 100},
        {**WIKIBOOKS, "remainder": "remove", "spot_hearts": True},
    ),
    (
        "wikibooks",
        5,
        {"remainder": "kitty"},
        {**WIKIBOOKS, "remainder": "kitty", "kitty": "first-trick"},
    ),
    ("wikibooks", 5, {"remainder": "jokers"}, {**WIKIBOOKS, "remainder": "jokers"}),
    (
        "double-deck",
        6,
        {"spot_hearts": True},
        {**DOUBLE_DECK, "remainder": "kitty", "kitty": "first-and-last", "spot_hearts": True},
    ),
    ("double-deck", 6, {"remainder": "remove"}, {**DOUBLE_DECK, "remainder": "remove"}),
    ("double-deck", 9, {}, {**DOUBLE_DECK, "kitty": "first-and-last"}),
    ("double-deck", 10, {"moon": "half"}, {**DOUBLE_DECK, "moon": "half"}),
    ("cancellation", 5, {"spot_hearts": True}, {**CANCELLATION, "spot_hearts": True}),
    (
        "cancellation",
        5,
        {"pass_cards": 2},
        {**CANCELLATION, "pass_cards": 2, "safe_first_trick": "hearts-and-queen"},
    ),
    ("chinese", 4, {}, {"ends_at": 5000, "winner": "highest"}),
]
STATES = ("lobby", "playing", "over", "stopped")


def do(path: Path, statement: str, *values: Any) -> list[Any]:
    """Without the program's help."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def write_as_first_version(path: Path, rules: list[str]) -> None:
    """A database as the first version left it: these rules are those of tables in all states, and kept."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 1")
        for number, one in enumerate(rules, 1):
            connection.execute(
                """INSERT INTO tables (id, guild, channel, host, rules, state, pace, paused, timer, notice,
                opened_at) VALUES (?, 1, ?, 1, ?, ?, 'none', 0, 'null', 'null', 0)""",
                (number, number, one, STATES[number % 4]),
            )
            connection.execute("INSERT INTO house_rules VALUES (1, ?, ?, 1)", (f"rules {number}", one))


def rules_in(path: Path) -> tuple[list[Any], list[Any]]:
    """The rules of all tables and all house rules, as they lie there."""
    tables = do(path, "SELECT CAST(rules AS BLOB) FROM tables ORDER BY id")
    kept = do(path, "SELECT CAST(rules AS BLOB) FROM house_rules ORDER BY length(name), name")
    return [rules for (rules,) in tables], [rules for (rules,) in kept]


async def test_rows_of_the_first_version_are_written_out_with_its_defaults(path: Path) -> None:
    rows = [
        {"preset": preset, "players": players, "options": options}
        for preset, players, options, _ in FIRST_VERSION
    ]
    write_as_first_version(path, list(map(json.dumps, rows)))
    await (await Database.open(path)).close()
    whole = [{**row, "options": options} for row, (*_, options) in zip(rows, FIRST_VERSION, strict=True)]
    for found in rules_in(path):
        assert [json.loads(rules) for rules in found] == whole


def test_what_is_written_out_is_all_that_a_ruleset_can_hold() -> None:
    for preset, players, _, options in FIRST_VERSION:
        rules = Ruleset.of(preset, players, options)
        whole = {"preset": preset, "players": players, "options": options | {"deals": 0}}  # later's default
        assert rules.to_whole_json() == whole


async def test_a_game_of_the_first_version_goes_on_to_the_total_that_it_began_with(path: Path) -> None:
    rules = {"preset": "classic", "players": 4, "options": {"spot_hearts": True}}
    write_as_first_version(path, [json.dumps(rules)])
    for seat in range(4):
        do(path, "INSERT INTO seats VALUES (1, ?, ?, 'Ann', 0, 0)", seat, seat or None)
    dealt = shuffle(Game(Ruleset.of("classic", 4)), Random(1))
    do(path, "INSERT INTO moves VALUES (1, 0, ?)", json.dumps(moves_.to_json(dealt)))
    async with life(path) as (database, tables):
        [table] = tables.live
        assert table.state is State.PLAYING
        assert table.rules.ends_at == 100
        found = await house_rules.find(database, 1, "rules 1")
        assert found is not None
        assert found.rules.ends_at == 100


async def test_damaged_rows_of_the_first_version_stay_as_they_are(path: Path) -> None:
    damaged = ["{", "[]", "null", '{"preset": "whist", "players": 4, "options": {}}', "[" * 100_000]
    sound = json.dumps({"preset": "chinese", "players": 4, "options": {}})
    write_as_first_version(path, [*damaged, sound, sound])
    do(path, "UPDATE tables SET rules = CAST(x'5aff' AS TEXT) WHERE id = 6")
    do(path, "UPDATE house_rules SET rules = x'00ff' WHERE name = 'rules 6'")
    await (await Database.open(path)).close()
    for found, odd in zip(rules_in(path), (b"\x5a\xff", b"\x00\xff"), strict=True):
        assert found[:6] == [*map(str.encode, damaged), odd]
        assert json.loads(found[6])["options"] == {"ends_at": 5000, "winner": "highest"}


async def test_a_default_that_changes_under_a_running_game_changes_nothing_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with life(path) as (database, tables):
        table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4, {"hooligan": True}))
        before = await tables.start(table.id, ANN.id)
        await house_rules.save(database, 1, "ours", table.rules, ANN.id, may_manage=False)
    monkeypatch.setitem(CLASSIC.options, "ends_at", 300)
    monkeypatch.setitem(CLASSIC.options, "even_scores", True)
    async with life(path) as (database, tables):
        [after] = tables.live
        assert (after.rules.ends_at, after.rules.even_scores) == (100, False)
        assert after.rules.all_options == before.rules.all_options
        assert before.game is not None
        assert after.game is not None
        assert after.game.deals[0].hands == before.game.deals[0].hands
        record = write_record(after.game, [])
        assert record["rules"]["options"] == {"hooligan": True, "even_scores": False, "ends_at": 100}
        found = await house_rules.find(database, 1, "ours")
        assert found is not None
        assert found.rules == after.rules
        new = await tables.open(1, 2, ANN, Ruleset.of("classic", 4))
        assert (new.rules.ends_at, new.rules.even_scores) == (300, True)


async def test_an_option_that_came_after_a_game_has_its_default_there(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4, {"ends_at": 70}))
        await tables.start(table.id, ANN.id)
    do(path, "UPDATE tables SET rules = json_remove(rules, '$.options.hooligan')")
    async with life(path) as (_, tables):
        assert tables.at(1).rules == table.rules
