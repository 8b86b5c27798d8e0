"""Ratings: what games count for by the library's numbers, and how they are recomputed."""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart, BradleyTerryPartRating
from storage.results import CHINESE, CLASSIC, everything, finish
from tables.house import ANN, BO, House, play_on

from engine.ratings import NEW, SHORT_GAMES, Rating
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.results import GameKind, recompute_ratings
from engine.tables import voting

AN_HOUR, A_WEEK = 60 * 60.0, 7 * 24 * 60 * 60.0

Game = tuple[int, GameKind, list[tuple[int, int]]]


async def ratings(database: Database, person: int, guild: int = 1) -> list[tuple[float, float]]:
    """What this person's ratings were after each of their games."""
    rows = await database.read(
        "SELECT mu, sigma FROM results WHERE person = ? AND guild = ? ORDER BY number", (person, guild)
    )
    return [tuple(row) for row in rows]


def stored(one: BradleyTerryPartRating) -> tuple[float, float]:
    """A rating of the library's, for comparison with those that are stored."""
    return pytest.approx((one.mu, one.sigma), abs=1e-12)


async def acquaint(database: Database, *people: int) -> float:
    """These play each other, a week apart, until everybody is known; the time of another week later."""
    for week in range(4):
        placed = [(person, 1 + place) for place, person in enumerate(people[week:] + people[:week])]
        await finish(database, *placed, ended_at=week * A_WEEK)
    return 4 * A_WEEK


async def test_among_people_who_are_known_a_rating_is_the_librarys(database: Database) -> None:
    model = BradleyTerryPart(window_size=100)
    now = await acquaint(database, 1, 2, 3, 4)
    ann, bo, cy, di = [model.create_rating(list((await ratings(database, one))[-1])) for one in range(1, 5)]
    await finish(database, (3, 1), (1, 2), (2, 2), (4, 4), ended_at=now)
    [[cy], [ann], [bo], [di]] = model.rate([[cy], [ann], [bo], [di]], ranks=[1, 2, 2, 4])
    await finish(database, (1, 2), (4, 1), (2, 3), gone=[2], ended_at=now + A_WEEK)
    [[ann], [di], [bo]] = model.rate([[ann], [di], [bo]], ranks=[2, 1, 3])
    for person, rating in enumerate((ann, bo, cy, di), 1):
        assert (await ratings(database, person))[-1] == stored(rating)


@pytest.mark.parametrize(("deals", "counts"), [(1, 0.01), (2, 0.05), (3, 0.5), (4, 1.0), (30, 1.0)])
async def test_a_short_game_counts_little(database: Database, deals: int, counts: float) -> None:
    now = await acquaint(database, 1, 2)
    await finish(database, (1, 1), (2, 2), deals=deals, ended_at=now)
    assert await counted(database, 1) == pytest.approx(counts)


async def test_whoever_left_early_loses_as_much_as_the_others_win(database: Database) -> None:
    now = await acquaint(database, 1, 2)
    await finish(database, (1, 1), (2, 2), gone=[2], deals_of={2: 1}, ended_at=now)
    assert [await counted(database, person) for person in (1, 2)] == pytest.approx([1.0, 1.0])


async def test_the_same_people_again_and_again_count_less_for_some_days(database: Database) -> None:
    now = await acquaint(database, 1, 2)
    found = []
    for hour in (0, 1, 2, 3, 4, 4 + 3 * 24):
        await finish(database, (1, 1), (2, 2), ended_at=now + hour * AN_HOUR)
        found.append(await counted(database, 1))
    assert found == pytest.approx([1.0, 1 / (1 + 1 / 16), 1 / (1 + 4 / 16), 1 / (1 + 9 / 16), 0.5, 16 / 17])


async def test_among_several_a_game_counts_by_how_often_each_has_met_the_others(database: Database) -> None:
    now = await acquaint(database, 1, 2, 3)
    for hour in range(4):
        await finish(database, (1, 1), (2, 2), ended_at=now + hour * AN_HOUR)
    await finish(database, (1, 1), (2, 2), (3, 3), ended_at=now + 5 * AN_HOUR)
    assert await counted(database, 3) == pytest.approx(1.0)
    assert await counted(database, 1) == pytest.approx(1 / (1 + (4 / 2 / 4) ** 2))


async def test_an_opponent_counts_by_how_much_they_have_played(database: Database) -> None:
    now = await acquaint(database, 1, 2)
    found = []
    for week, deals in enumerate((1, 4, 3, 7, 8, 9)):
        await finish(database, (1, 1), (3, 2), deals=deals, ended_at=now + week * A_WEEK)
        found.append(await counted(database, 1) / SHORT_GAMES.get(deals, 1.0))
        assert await counted(database, 3) == pytest.approx(SHORT_GAMES.get(deals, 1.0))
    played = [0, 0.01, 1.01, 1.51, 2.51, 3.51]
    assert found == pytest.approx([0.05 + 0.95 * one / 4 for one in played])
    await finish(database, (1, 1), (3, 2), ended_at=now + 6 * A_WEEK)
    assert await counted(database, 1) == pytest.approx(1.0)


async def test_each_kind_of_game_and_server_has_its_own_and_games_alone_none(database: Database) -> None:
    await finish(database, (1, 1), (2, 2))
    first = await ratings(database, 1)
    await finish(database, (1, 1), (2, 2), kind=CHINESE)
    await finish(database, (1, 1), (2, 2), guild=2)
    await finish(database, (1, 1))
    assert await ratings(database, 1) == [*first, *first, (None, None)]
    assert await ratings(database, 1, guild=2) == first


async def counted(database: Database, person: int) -> float:
    """What the last game of two counted for, for this person: its share of what the library makes of it."""
    rows = await database.read(
        """SELECT person, place, mu_before, sigma_before, mu FROM results
        WHERE number = (SELECT max(number) FROM results) ORDER BY place"""
    )
    model = BradleyTerryPart(window_size=100)
    teams = [[model.create_rating([mu, sigma])] for _, _, mu, sigma, _ in rows]
    rated = model.rate(teams, ranks=[place for _, place, *_ in rows])
    [(full, mu_before, mu)] = [
        (team[0].mu, row[2], row[4]) for team, row in zip(rated, rows, strict=True) if row[0] == person
    ]
    return (mu - mu_before) / (full - mu_before)


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
                when, deals = 1e9 + number % 3 * 1e7, 1 + number % 4
                await finish(database, *placed, guild=guild, kind=kind, deals=deals, ended_at=when)
        before = await everything(database)
        await database.write(recompute_ratings)
        assert await everything(database) == before
        await database.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder) / "hearts.sqlite3"))


async def test_who_played_a_stranger_has_the_rating_that_they_had(database: Database) -> None:
    await finish(database, (1, 1), (2, 2))
    await finish(database, (1, 2), (2, 1), (3, 3))
    before = await ratings(database, 1), await ratings(database, 3)
    await privacy.delete(database, 2, "P2")
    await database.write(recompute_ratings)
    assert (await ratings(database, 1), await ratings(database, 3)) == before
    strangers = await database.read("SELECT person, name, mu, sigma FROM results WHERE person < 0")
    assert [tuple(row) for row in strangers] == [(-1, "", None, None)] * 2


def anew(path: Path) -> subprocess.CompletedProcess[str]:
    """`python -m engine ratings`, as a shell starts it."""
    command = [sys.executable, "-m", "engine", "ratings", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
async def test_the_command_computes_them_anew_and_prints_what_has_changed(path: Path) -> None:
    database = await Database.open(path)
    await finish(database, (1, 1), (2, 2), (3, 3))
    right = await everything(database)
    [(_, sigma)] = await ratings(database, 2)
    await database.write(lambda connection: connection.execute("UPDATE results SET mu = 30 WHERE person = 2"))
    refused = anew(path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "another" in refused.stderr  # the bot runs
    await database.close()
    first, second = anew(path), anew(path)
    assert (first.returncode, second.returncode) == (0, 0)
    [changed, all_of_them] = map(json.loads, first.stdout.splitlines())
    whose = {"server": "1", "person": "2", "game": "classic", "winner": "lowest"}
    assert changed == whose | {"before": Rating(30, sigma).shown, "after": Rating(25, sigma).shown}
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
@pytest.mark.parametrize("ends_at", [1, 500])
async def test_a_game_ended_after_a_deal_is_a_game_of_one_deal(path: Path, ends_at: int) -> None:
    house = await House(path).open()
    table = await house.start(ANN, BO, rules=Ruleset.of("classic", 4, {"ends_at": ends_at}))
    table = await play_on(house.tables, table, Random(1), lambda table: len(table.game.points) == 1)
    if table.is_live:
        table = await house.tables.end(table.id, ANN.id)
        table = await house.tables.change(table.id, voting.answer, BO.id, table.vote.number, agrees=True)
    assert not table.is_live
    assert [one.after.shown - NEW.shown for one in table.rated] == [0, 0]
    assert all(one.after.sigma < NEW.sigma for one in table.rated)  # though it counts
    await house.close()
