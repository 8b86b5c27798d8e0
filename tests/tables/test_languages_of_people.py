"""The language each table is told in and each person reads, kept over restarts."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from house import CLASSIC, House, refusal
from scraping import counted

from engine.languages import by_code
from engine.storage import settings
from engine.storage.privacy import delete, export_person
from engine.storage.servers import ServerSettings, put_server_settings
from engine.tables import Person, Preference, State

GERMAN, FRENCH, CHINESE = map(by_code, ("de", "fr", "zh"))
ANN, BO, CY = Person(11, "Ann", "de"), Person(12, "Bo", "fr"), Person(13, "Cy", "de")


async def locales(house: House) -> list[tuple[int, str]]:
    """Those that are stored."""
    return [tuple(row) for row in await house.database.read("SELECT person, locale FROM locales")]


def read_by(house: House, person: Person) -> object:
    """The language in which this person reads what is in Chinese for others."""
    return house.tables.preferences.language_of(person.id, CHINESE)


async def test_a_table_and_its_rematch_keep_their_language(house: House) -> None:
    table = await house.start(ANN, language=CHINESE)
    await house.restart()
    assert house.table.language is house.table.public.language is CHINESE
    await house.stop(table)
    assert (await house.tables.find(table.id)).language is CHINESE
    assert (await house.tables.games.whole(table.id)).language is CHINESE
    rematch = await house.tables.rematch(table.id, ANN)
    assert (rematch.state, rematch.language) == (State.LOBBY, CHINESE)


@pytest.mark.parametrize("door", ["open", "join", "rematch", "take_seat", "daily"])
async def test_who_sits_down_is_written_to_in_their_language_from_then_on(house: House, door: str) -> None:
    tables, without = house.tables, replace(ANN, locale=None)
    table = await (house.start if door in ("rematch", "take_seat") else house.seat)(without)
    assert await locales(house) == []
    if door == "rematch":
        await house.stop(table)
    doors: dict[str, Callable[[], Awaitable[object]]] = {
        "open": lambda: tables.open(1, 3, ANN, CLASSIC),
        "join": lambda: tables.join(table.id, CY),
        "rematch": lambda: tables.rematch(table.id, ANN),
        "take_seat": lambda: tables.take_seat(table.id, CY, 2),
        "daily": lambda: house.daily.play(ANN, 1, 2),
    }
    await doors[door]()
    person = CY if door in ("join", "take_seat") else ANN
    assert await locales(house) == [(person.id, "de")]
    for _ in range(2):
        assert (read_by(house, person), read_by(house, BO)) == (GERMAN, CHINESE)
        await house.restart()


async def test_another_locale_is_noticed_once_and_in_those_alone_who_have_had_a_seat(house: House) -> None:
    await house.seat(ANN)
    assert await refusal(house.seat(BO)) == "table_in_channel"
    assert await refusal(house.tables.join(77, BO)) == "table_gone"
    assert await locales(house) == [(ANN.id, "de")]
    assert read_by(house, BO) is CHINESE

    async def notice(person: Person) -> float:
        """How much is written for it."""
        before = counted(house.database.calls)("hearts_database_seconds_count", call="write")
        await house.tables.preferences.update_locale(person)
        async with house.tables.preferences.sitting_down(person):
            pass
        return counted(house.database.calls)("hearts_database_seconds_count", call="write") - before

    assert await notice(ANN) == 0
    assert await notice(replace(ANN, locale="fr")) == 1
    await house.tables.preferences.update_locale(BO)
    assert await locales(house) == [(ANN.id, "fr")]
    await house.restart()
    assert (read_by(house, ANN), read_by(house, BO)) == (FRENCH, CHINESE)


async def test_what_a_person_chose_counts_before_their_locale_until_both_are_deleted(house: House) -> None:
    await house.seat(ANN)
    await house.tables.prefer(ANN.id, Preference(language=FRENCH))
    for _ in range(2):
        assert house.tables.preferences.of(ANN.id) == Preference(language=FRENCH)
        assert read_by(house, ANN) is FRENCH
        await house.restart()
    exported = json.loads(await export_person(house.database, ANN.id))
    assert exported["locale"] == [{"locale": "de"}]
    assert exported["preferences"][0]["language"] == "fr"
    await house.tables.prefer(ANN.id, Preference())
    assert read_by(house, ANN) is GERMAN
    await delete(house.database, ANN.id, ANN.name)
    # A click crosses the deletion, of which memory is told after this.
    await house.tables.preferences.update_locale(replace(ANN, locale="fr"))
    house.tables.preferences.forget(ANN.id)
    await house.tables.preferences.update_locale(ANN)
    assert await locales(house) == await house.database.read("SELECT * FROM preferences") == []
    assert read_by(house, ANN) is CHINESE
    await house.tables.open(1, 3, ANN, CLASSIC)
    assert await locales(house) == [(ANN.id, "de")]


async def test_a_server_has_the_language_that_was_chosen_for_it(house: House) -> None:
    for language in (None, CHINESE, None):
        await put_server_settings(house.database, 1, ServerSettings(), language)
        assert await settings.server_language(house.database, 1) is language
