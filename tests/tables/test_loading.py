"""Long games are loaded in a process of their own, whatever becomes of it."""

from __future__ import annotations

import asyncio
import json
import math
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from acting import play_on

from engine.errors import RecordError, Refusal
from engine.loading import Loader
from engine.play.record import FORMAT, read_record
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.privacy import export_person
from engine.tables import Person, Table, Tables, changes
from engine.tables.replays import _text_of
from engine.tables.store import SHORT_LOG
from engine.worker import Failed

pytestmark = pytest.mark.slow

ANN, CHANNEL = Person(1, "Ann"), 7


@pytest.fixture
def loader() -> Iterator[Loader]:
    loader = Loader()
    yield loader
    loader.close()


async def test_it_loads_elsewhere(loader: Loader) -> None:
    assert await loader(os.getpid) == await loader(os.getpid) != os.getpid()
    assert await loader(max, 3, 7) == 7


async def test_what_is_refused_there_is_refused_here(loader: Loader) -> None:
    with pytest.raises(Refusal) as refused:
        await loader(_text_of, b"{}\n{}\n", 3)
    assert (refused.value.id, refused.value.values) == ("several_games", {"count": 2})
    record = {"format": FORMAT, "rules": {"preset": "classic", "players": 4}, "seats": [""] * 4, "deals": [7]}
    with pytest.raises(RecordError, match="A deal must be an object, not 7") as fault:
        await loader(read_record, record)
    assert (fault.value.deal, fault.value.play) == (1, None)
    with pytest.raises(sqlite3.OperationalError, match="unable to open") as failed:
        await loader(sqlite3.connect, "/no/such/folder/hearts.sqlite3")
    assert failed.value.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN
    with pytest.raises(Failed, match="math domain error"):
        await loader(math.sqrt, -1.0)


async def test_when_its_process_is_killed_the_next_game_is_loaded_by_another(loader: Loader) -> None:
    first = await loader(os.getpid)
    loading = asyncio.create_task(loader(time.sleep, 1e6))
    await asyncio.sleep(0.01)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(Refusal, match="cannot_load"):
        await loading
    assert await loader(os.getpid) != first


async def test_closing_ends_what_is_being_loaded(loader: Loader) -> None:
    await loader(os.getpid)
    loading = asyncio.create_task(loader(time.sleep, 1e6))
    await asyncio.sleep(0.01)
    loader.close()
    for asked in (loading, loader(max, 3, 7)):
        with pytest.raises(Refusal, match="cannot_load"):
            await asked


# Games of tables


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Table]:
    """A database with a long game that is over, and that game."""
    path = tmp_path_factory.mktemp("played") / "hearts.sqlite3"

    async def play() -> Table:
        database = await Database.open(path)
        tables = Tables(database, rng=Random(3))
        table = await tables.open(1, CHANNEL, ANN, Ruleset.of("classic", 4, {"ends_at": 60}))
        table = await tables.change(table.id, changes.start, ANN.id)
        table = await play_on(tables, table, Random(4), lambda table: not table.is_live)
        await tables.close()
        await database.close()
        return table

    table = asyncio.run(play())
    assert table.logged > SHORT_LOG
    return path, table


@pytest.fixture
async def database(played: tuple[Path, Table], path: Path) -> AsyncIterator[Database]:
    """The same, opened again."""
    shutil.copy(played[0], path)
    database = await Database.open(path)
    yield database
    await database.close()


@pytest.fixture
def tables(database: Database, loader: Loader) -> Tables:
    """Its tables, whose long games are loaded elsewhere."""
    return Tables(database, load=loader)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


async def test_a_long_game_is_the_same_from_another_process(
    tables: Tables, played: tuple[Path, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(rows: Any) -> Any:
        raise AssertionError("this takes turns with all who play")

    monkeypatch.setattr("engine.tables.store.restore", here)
    _, table = played
    for found in (await tables.games.latest(CHANNEL), await tables.games.whole(table.id)):
        assert (found.seats, found.rules, found.state) == (table.seats, table.rules, table.state)
        assert found.game is not None
        assert table.game is not None
        assert found.game.deals == table.game.deals


async def test_a_damaged_one_is_refused_and_named_in_the_log(
    tables: Tables, played: tuple[Path, Table], path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    id = played[1].id
    change(path, f"UPDATE moves SET move = '[]' WHERE table_id = {id} AND number = 100")
    with pytest.raises(Refusal, match="damaged"):
        await tables.games.latest(CHANNEL)
    assert f"table {id} of channel {CHANNEL} is damaged" in caplog.text


# What is stored of a person


async def test_an_export_is_the_same_from_another_process(database: Database, loader: Loader) -> None:
    stored = await export_person(database, ANN.id, [Tables.stored], loader)
    assert len(json.loads(stored)["tables"][0]["moves"]) > SHORT_LOG / 5
    assert stored == await export_person(database, ANN.id, [Tables.stored])


async def test_an_export_that_cannot_be_read_is_refused_and_named_in_the_log(
    database: Database, loader: Loader, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    os.remove(path)
    with pytest.raises(Refusal, match="cannot_read"):
        await export_person(database, ANN.id, [Tables.stored], loader)
    assert "it cannot be opened" in caplog.text
