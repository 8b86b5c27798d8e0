"""Databases written while the first schema was still being edited in place open with nothing lost.

`first_schemas` holds what each of those five versions wrote, as SQL: a finished game of Hearts and one of
Cancellation Hearts, a game in its first deal that one player has left, and a lobby. A line of `tables.sql`
that not all versions have says which do; the first four stored the same moves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.storage import house_rules
from engine.storage.backup import back_up
from engine.storage.database import Database
from engine.storage.results import Kind
from engine.storage.standings import kinds_played
from engine.tables import State, Tables
from engine.tables.table import Pace
from tests.tables.acting import play_on

VERSIONS = range(1, 6)
FOLDER = Path(__file__).parent / "first_schemas"
NOON = 1_763_700_000.0  # when they were written


def written(path: Path, version: int) -> Path:
    """A database as this version left it."""
    moves = "moves_of_5.sql" if version == 5 else "moves_of_1_to_4.sql"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(lines_of(version)))
        connection.executescript((FOLDER / moves).read_text())
    return path


def lines_of(version: int) -> Iterator[str]:
    """The lines of `tables.sql` that this version has."""
    for line in (FOLDER / "tables.sql").read_text().splitlines():
        statement, _, versions = line.partition("  -- ")
        first, _, last = versions.partition(" to ")
        if not versions or int(first) <= version <= int(last):
            yield statement


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_table_goes_on_where_it_stood(path: Path, version: int) -> None:
    moves = rows(written(path, version), "SELECT * FROM moves ORDER BY table_id, number")
    database = await Database.open(path)
    tables = Tables(database, clock=lambda: NOON)
    game, lobby = await tables.resume()
    assert tables.damaged == []
    assert (game.state, lobby.state) == (State.PLAYING, State.LOBBY)
    assert [(seat.person, seat.away) for seat in game.seats][:2] == [(103, False), (101, True)]
    assert game.pace is (Pace.DAILY if version > 3 else Pace.NONE)
    assert rows(path, "SELECT * FROM moves ORDER BY table_id, number") == moves
    game = await play_on(tables, game, Random(1), lambda table: len(table.game.deals) == 2)
    assert game.state is State.PLAYING
    assert (await tables.start(lobby.id, 102)).state is State.PLAYING
    await tables.close()
    await database.close()


@pytest.mark.parametrize("version", VERSIONS)
async def test_results_and_house_rules_are_kept(path: Path, version: int) -> None:
    won = rows(written(path, version), "SELECT table_id, person, won, points FROM results ORDER BY 1, 2")
    database = await Database.open(path)
    await Tables(database).resume()
    assert won == rows(path, "SELECT table_id, person, won, points FROM results ORDER BY 1, 2")
    assert await kinds_played(database, 1, 102) == [Kind("cancellation", False), Kind("classic", True)]
    kept = dict(await house_rules.every(database, 1))
    ends = {name: saved.rules.ends_at for name, saved in kept.items()}
    assert ends == ({"Fridays": 50} if version > 1 else {})
    await database.close()


@pytest.mark.parametrize("version", VERSIONS)
async def test_its_schema_is_that_of_a_new_database(path: Path, version: int) -> None:
    new = path.with_name("new.sqlite3")
    await (await Database.open(new)).close()
    written(path, version)
    for _ in range(2):
        await (await Database.open(path)).close()
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    assert rows(path, schema) == rows(new, schema)
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_backup_of_it_can_be_made(path: Path, tmp_path: Path, version: int) -> None:
    copy = tmp_path / "copy"
    back_up(written(path, version), copy)
    assert rows(copy, "SELECT id, host FROM tables") == rows(path, "SELECT id, host FROM tables")


async def test_nobody_is_told_again_how_an_old_game_ended(path: Path) -> None:
    database = await Database.open(written(path, 1))
    tables = await Tables(database).resume()
    assert [table.state for table in tables] == [State.PLAYING, State.LOBBY]
    await database.close()
