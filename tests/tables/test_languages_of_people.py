"""The language each table is told in and each person reads, kept over restarts."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scraping import counted

from engine.errors import Refusal
from engine.languages import by_code
from engine.rules.ruleset import Ruleset
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.privacy import about_person, delete
from engine.storage.servers import ServerSettings, put_server_settings
from engine.tables import DailyDeals, Person, Preference, State, Tables, changes

GERMAN, FRENCH, CHINESE = map(by_code, ("de", "fr", "zh"))
RULES = Ruleset.of("classic", 4)
ANN, BO, CY = Person(11, "Ann", "de"), Person(12, "Bo", "fr"), Person(13, "Cy", "de")


def written(database: Database) -> float:
    return counted(database.calls)("hearts_database_seconds_count", call="write")


def rows(path: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


async def read_again(database: Database) -> Tables:
    """The same tables after a restart."""
    tables = Tables(database)
    await tables.resume()
    return tables


async def test_a_table_and_its_rematch_keep_their_language(database: Database) -> None:
    tables = Tables(database)
    table = await tables.open(1, 2, ANN, RULES, language=CHINESE)
    table = await tables.change(table.id, changes.start, ANN.id)
    again = await read_again(database)
    assert again.get(table.id).language is CHINESE
    assert again.get(table.id).public.language is CHINESE
    await again.change(table.id, changes.stop, ANN.id, may_manage=True)
    assert (await again.find(table.id)).language is CHINESE
    assert (await again.games.whole(table.id)).language is CHINESE
    rematch = await again.rematch(table.id, ANN)
    assert (rematch.state, rematch.language) == (State.LOBBY, CHINESE)


@pytest.mark.parametrize("door", ["open", "join", "rematch", "take_seat", "daily"])
async def test_who_sits_down_is_written_to_in_their_language_from_then_on(
    database: Database, path: Path, door: str
) -> None:
    tables = Tables(database)
    table = await tables.open(1, 2, replace(ANN, locale=None), RULES, language=CHINESE)
    assert rows(path, "SELECT * FROM locales") == []
    if door in ("rematch", "take_seat"):
        await tables.change(table.id, changes.start, ANN.id)
    if door == "rematch":
        await tables.change(table.id, changes.stop, ANN.id, may_manage=True)
    doors: dict[str, Callable[[], Awaitable[object]]] = {
        "open": lambda: tables.open(1, 3, ANN, RULES),
        "join": lambda: tables.join(table.id, CY),
        "rematch": lambda: tables.rematch(table.id, ANN),
        "take_seat": lambda: tables.take_seat(table.id, CY, 2),
        "daily": lambda: DailyDeals(tables, database, lambda: 1e9).play(ANN, 1, 2),
    }
    await doors[door]()
    person = CY.id if door in ("join", "take_seat") else ANN.id
    assert rows(path, "SELECT * FROM locales") == [(person, "de")]
    for now in (tables, await read_again(database)):
        assert now.preferences.language_of(person, CHINESE) is GERMAN
        assert now.preferences.language_of(99, CHINESE) is CHINESE


async def test_a_refused_seat_keeps_nothing(database: Database, path: Path) -> None:
    tables = Tables(database)
    await tables.open(1, 2, ANN, RULES)
    with pytest.raises(Refusal):
        await tables.open(1, 2, BO, RULES)
    with pytest.raises(Refusal):
        await tables.join(77, BO)
    assert rows(path, "SELECT person FROM locales") == [(ANN.id,)]
    assert tables.preferences.language_of(BO.id, CHINESE) is CHINESE


async def test_another_locale_is_noticed_in_those_alone_who_have_had_a_seat(
    database: Database, path: Path
) -> None:
    tables = Tables(database)
    await tables.open(1, 2, ANN, RULES)
    await tables.preferences.update_locale(replace(ANN, locale="fr"))
    await tables.preferences.update_locale(BO)
    assert rows(path, "SELECT * FROM locales") == [(ANN.id, "fr")]
    assert (await read_again(database)).preferences.language_of(ANN.id, CHINESE) is FRENCH
    assert tables.preferences.language_of(BO.id, CHINESE) is CHINESE


async def test_the_same_locale_is_not_written_again(database: Database) -> None:
    tables = Tables(database)
    table = await tables.open(1, 2, ANN, RULES)
    writes = written(database)
    async with tables.preferences.sitting_down(ANN):
        pass
    await tables.preferences.update_locale(ANN)
    assert written(database) == writes
    await tables.preferences.update_locale(replace(ANN, locale="fr"))
    assert written(database) == writes + 1
    assert tables.get(table.id) == table


async def test_what_a_person_chose_counts_before_their_locale(database: Database) -> None:
    tables = Tables(database)
    await tables.open(1, 2, ANN, RULES)
    await tables.prefer(ANN.id, Preference(language=FRENCH))
    for now in (tables, await read_again(database)):
        assert now.preferences.of(ANN.id) == Preference(language=FRENCH)
        assert now.preferences.language_of(ANN.id, CHINESE) is FRENCH
    await tables.prefer(ANN.id, Preference())
    assert tables.preferences.language_of(ANN.id, CHINESE) is GERMAN


async def test_it_is_handed_out_and_deleted(database: Database, path: Path) -> None:
    tables = Tables(database)
    await tables.open(1, 2, ANN, RULES)
    await tables.prefer(ANN.id, Preference(language=FRENCH))
    with closing(sqlite3.connect(path)) as connection:
        told = about_person(connection, ANN.id)
    assert told["locale"] == [{"locale": "de"}]
    assert told["preferences"][0]["language"] == "fr"
    await delete(database, ANN.id, ANN.name)
    tables.preferences.forget(ANN.id)
    await tables.preferences.update_locale(ANN)
    assert rows(path, "SELECT * FROM locales") == rows(path, "SELECT * FROM preferences") == []
    assert tables.preferences.language_of(ANN.id, CHINESE) is CHINESE
    await tables.open(1, 3, ANN, RULES)
    assert rows(path, "SELECT * FROM locales") == [(ANN.id, "de")]


async def test_a_click_that_crosses_the_deletion_brings_nothing_back(database: Database, path: Path) -> None:
    tables = Tables(database)
    await tables.open(1, 2, ANN, RULES)
    await delete(database, ANN.id, ANN.name)  # memory is told after this
    await tables.preferences.update_locale(replace(ANN, locale="fr"))
    assert rows(path, "SELECT * FROM locales") == []


async def test_a_server_has_the_language_that_was_chosen_for_it(database: Database) -> None:
    assert await settings.server_language(database, 1) is None
    await put_server_settings(database, 1, ServerSettings(), CHINESE)
    assert await settings.server_language(database, 1) is CHINESE
    await put_server_settings(database, 1, ServerSettings(), None)
    assert await settings.server_language(database, 1) is None
