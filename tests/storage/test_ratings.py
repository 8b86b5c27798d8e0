"""Ratings: the library's own numbers game by game, and the same when they are computed anew."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart
from storage.results import CLASSIC, finish

from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.kinds import Kind
from engine.storage.rating_anew import rate_anew
from engine.tables import Tables

CHINESE = Kind("chinese", lowest=False)
RATED = "SELECT table_id, person, mu_before, sigma_before, mu, sigma FROM results ORDER BY table_id, seat"
STANDINGS = "SELECT * FROM standings ORDER BY guild, period, game, lowest, ranked, person"

Game = tuple[int, Kind, list[tuple[int, int]]]


async def everything(database: Database) -> list[tuple[Any, ...]]:
    """All ratings and standings, as they are stored."""
    return [tuple(row) for table in (RATED, STANDINGS) for row in await database.read(table)]


async def ratings(database: Database, person: int, guild: int = 1) -> list[tuple[float, float]]:
    """What this person's ratings were after each of their games."""
    rows = await database.read(
        "SELECT mu, sigma FROM results WHERE person = ? AND guild = ? ORDER BY number", (person, guild)
    )
    return [tuple(row) for row in rows]


async def test_ratings_are_the_librarys(path: Path) -> None:
    model = BradleyTerryPart(window_size=100)
    ann, bo, cy, di = (model.rating() for _ in range(4))
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2))
    [[ann], [bo]] = model.rate([[ann], [bo]], ranks=[1, 2])
    await finish(database, (3, 1), (1, 2), (2, 2), (4, 4))
    [[cy], [ann], [bo], [di]] = model.rate([[cy], [ann], [bo], [di]], ranks=[1, 2, 2, 4])
    await finish(database, (1, 2), (4, 1), (2, 3), gone=[2])
    [[ann], [di], [bo]] = model.rate([[ann], [di], [bo]], ranks=[2, 1, 3])
    for person, rating in enumerate((ann, bo, cy, di), 1):
        mu, sigma = (await ratings(database, person))[-1]
        assert mu == pytest.approx(rating.mu, abs=1e-12)
        assert sigma == pytest.approx(rating.sigma, abs=1e-12)
    await database.close()


async def test_each_kind_of_game_and_each_server_has_its_own(path: Path) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2))
    first = await ratings(database, 1)
    await finish(database, (1, 1), (2, 2), kind=CHINESE)
    await finish(database, (1, 1), (2, 2), guild=2)
    assert await ratings(database, 1) == first * 2
    assert await ratings(database, 1, guild=2) == first
    await database.close()


async def test_a_game_alone_against_computers_is_not_rated(path: Path) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1))
    assert await ratings(database, 1) == [(None, None)]
    await database.close()


@st.composite
def games(draw: st.DrawFn) -> Game:
    people = draw(st.lists(st.integers(1, 8), min_size=1, max_size=6, unique=True))
    places = draw(st.lists(st.integers(1, len(people)), min_size=len(people), max_size=len(people)))
    kind = draw(st.sampled_from([CLASSIC, CHINESE]))
    return draw(st.integers(1, 2)), kind, list(zip(people, places, strict=True))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(games() | st.integers(1, 8), max_size=25))
def test_computed_anew_they_are_the_same_whoever_has_been_deleted(course: Sequence[Game | int]) -> None:
    """A number is somebody of whom everything is deleted at that point; they may sit down again."""

    async def live(path: Path) -> None:
        database = await Database.open(path)
        for number, one in enumerate(course):
            if isinstance(one, int):
                await privacy.delete(database, one, f"P{one}")
            else:
                guild, kind, placed = one
                # The clock may go back, and cross the end of a year.
                await finish(database, *placed, guild=guild, kind=kind, ended_at=1e9 + number % 3 * 1e7)
        before = await everything(database)
        await database.write(rate_anew)
        assert await everything(database) == before
        await database.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder) / "hearts.sqlite3"))


async def test_who_played_a_stranger_has_the_rating_that_they_had(path: Path) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2))
    await finish(database, (1, 2), (2, 1), (3, 3))
    before = await ratings(database, 1), await ratings(database, 3)
    await privacy.delete(database, 2, "P2")
    await database.write(rate_anew)
    assert (await ratings(database, 1), await ratings(database, 3)) == before
    strangers = await database.read("SELECT person, name, mu, sigma FROM results WHERE person < 0")
    assert [tuple(row) for row in strangers] == [(-1, "", None, None)] * 2
    await database.close()


def anew(path: Path) -> subprocess.CompletedProcess[str]:
    """`python -m engine ratings`, as a shell starts it."""
    command = [sys.executable, "-m", "engine", "ratings", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
async def test_the_command_computes_them_anew_and_prints_what_has_changed(path: Path) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2), (3, 3))
    right = await everything(database)
    await database.write(lambda connection: connection.execute("UPDATE results SET mu = 30 WHERE person = 2"))
    refused = anew(path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "another" in refused.stderr  # the bot runs
    await database.close()
    first, second = anew(path), anew(path)
    assert (first.returncode, second.returncode) == (0, 0)
    [changed, all_of_them] = map(json.loads, first.stdout.splitlines())
    assert changed == {
        "server": "1",
        "person": "2",
        "game": "classic",
        "winner": "lowest",
        "before": 1174,
        "after": 1024,
    }
    assert all_of_them == {"ratings": 3, "changed": 1}
    assert json.loads(second.stdout) == {"ratings": 3, "changed": 0}
    database = await Database.open(path)
    assert await everything(database) == right
    await database.close()


@pytest.mark.slow
def test_the_command_makes_no_database_and_touches_no_other_file(tmp_path: Path) -> None:
    missing, other = tmp_path / "none.sqlite3", tmp_path / "notes.txt"
    other.write_text("mine")
    for file in (missing, other, tmp_path / ("x" * 300)):
        run = anew(file)
        assert (run.returncode, run.stdout) == (2, "")
        assert str(file) in run.stderr
        assert "Traceback" not in run.stderr
        assert "write" not in run.stderr
    assert not missing.exists()
    assert other.read_text() == "mine"


@pytest.mark.slow
async def test_of_a_damaged_result_nothing_is_computed_and_the_bot_starts_all_the_same(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2))
    for statement in ("UPDATE results SET place = 'first' WHERE person = 1", "DELETE FROM standings"):
        await database.write(lambda connection, statement=statement: connection.execute(statement))
    before = await everything(database)
    await Tables(database).resume()
    assert "a result cannot be read" in caplog.text
    await database.close()
    run = anew(path)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"Nothing was changed in {path}." in run.stderr
    assert "Traceback" not in run.stderr
    database = await Database.open(path)
    assert await everything(database) == before
    await database.close()


@pytest.mark.parametrize(
    "damage",
    ["points = 'many'", "games = 9e999", "guild = x'00'", "mu = 'much'", "sigma = NULL", "deals = 0"],
)
async def test_damaged_standings_are_added_up_at_the_next_start_and_not_gone_on_with(
    path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    statement = f"UPDATE standings SET {damage} WHERE person = 1 AND period = 0"
    database, fresh = await Database.open(path), await Database.open(path.with_name("fresh.sqlite3"))
    for one in (database, fresh):
        await finish(one, (1, 1), (2, 2))
    await database.write(lambda connection: connection.execute(statement))
    for one in (database, fresh):
        await finish(one, (1, 2), (2, 1))
    await Tables(database).resume()
    assert "added up anew" in caplog.text
    assert await everything(database) == await everything(fresh)
    caplog.clear()
    await Tables(database).resume()
    assert not caplog.text
    await database.close()
    await fresh.close()


@pytest.mark.parametrize("damage", ["mu = NULL", "mu = 'much'", "sigma = x'5aff'", "sigma = 0", "mu = 9e999"])
async def test_a_game_can_end_although_somebodys_standing_is_damaged(
    path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2))
    before = await ratings(database, 2)
    await database.write(
        lambda connection: connection.execute(f"UPDATE standings SET {damage} WHERE person = 1")
    )
    await finish(database, (1, 1), (2, 2))
    assert "the rating of 1 in server 1 cannot be read" in caplog.text
    assert (await ratings(database, 2))[-1][0] < before[-1][0]  # who lost once more
    await database.write(rate_anew)
    found = await everything(database)
    await database.close()
    fresh = await Database.open(path.with_name("fresh.sqlite3"))
    for _ in range(2):
        await finish(fresh, (1, 1), (2, 2))
    assert found == await everything(fresh)
    await fresh.close()
