"""One player's results: added up, apart from those alone with computers, and beside a rival's."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refusal
from engine.play.achievements import Career
from engine.storage import achievements, standings
from engine.storage.database import Database
from engine.storage.standings import Kind, Result

GUILD, ANN, BO, CY = 7, 1, 2, 3
NAMES = {ANN: "Ann", BO: "Bo", CY: "Cy"}
CLASSIC, CHINESE = Kind("classic", lowest=True), Kind("chinese", lowest=False)


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    database = await Database.open(path)
    yield database
    await database.close()


async def game(
    database: Database, places: dict[int, int], kind: Kind = CLASSIC, guild: int = GUILD, **others: Any
) -> None:
    """A game in which these people came in at these places, the first having won."""
    results = [
        Result(
            person=person,
            name=NAMES[person],
            seat=seat,
            guild=guild,
            kind=kind,
            ended_at=0.0,
            people=len(places),
            place=place,
            won=place == 1,
            gone=False,
            **{"points": 10 * place, "deals": 2, **others},
        )
        for seat, (person, place) in enumerate(places.items())
    ]

    def write(connection: sqlite3.Connection) -> None:
        table = connection.execute(
            """INSERT INTO tables (guild, channel, host, rules, state, pace, paused, timer, notice, opened_at)
            VALUES (?, 1, 1, '{}', 'over', 'none', 0, 'null', 'null', 0.0)""",
            (guild,),
        ).lastrowid
        assert table is not None
        standings.insert(connection, table, results)

    await database.write(write)


async def career(database: Database, person: int = ANN, guild: int = GUILD) -> Career:
    return await database.write(lambda connection: achievements.career(connection, guild, person))


async def test_a_career_counts_games_between_people_in_one_server(database: Database) -> None:
    assert await career(database) == Career(0, 0)
    for _ in range(3):
        await game(database, {ANN: 1, BO: 2}, queens_given=2)
    await game(database, {ANN: 1}, queens_given=50)  # alone
    await game(database, {ANN: 1, BO: 2}, guild=8, queens_given=50)
    await game(database, {BO: 1, CY: 2}, queens_given=50)
    assert await career(database) == Career(3, 6)
    await game(database, {BO: 1, ANN: 2}, CHINESE)
    assert await career(database) == Career(0, 6)
    await game(database, {ANN: 1, BO: 2})
    assert await career(database) == Career(1, 6)


async def test_each_is_awarded_once_for_each_person_and_server(database: Database) -> None:
    await game(database, {ANN: 1, BO: 2})

    async def award(guild: int, person: int, *ids: str) -> list[str]:
        return await database.write(lambda connection: achievements.award(connection, 1, guild, person, ids))

    assert await award(GUILD, ANN, "moon", "sun") == ["moon", "sun"]
    assert await award(GUILD, ANN, "moon", "clean") == ["clean"]
    assert await award(GUILD, BO, "moon") == ["moon"]
    assert await award(8, ANN, "moon") == ["moon"]
    assert set(await achievements.of_person(database, GUILD, ANN)) == {"moon", "sun", "clean"}


async def test_a_damaged_achievement(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await game(database, {ANN: 1, BO: 2})
    for person in (ANN, BO):
        await database.write(
            lambda connection, person=person: achievements.award(connection, 1, GUILD, person, ["moon"])
        )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE achievements SET id = CAST(x'5aff5a' AS TEXT) WHERE person = 1")
    assert await achievements.unseen(database) == {1: [(BO, "moon")]}
    assert "what was achieved at table 1" in caplog.text
    with pytest.raises(Refusal, match="damaged"):
        await achievements.of_person(database, GUILD, ANN)
    assert await achievements.of_person(database, GUILD, BO) == ["moon"]
