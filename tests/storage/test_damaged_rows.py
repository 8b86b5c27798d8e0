"""Damaged rows of results and house rules: a refusal for who asks, and a line in the log."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import house_rules, message_ids, settings
from engine.storage.daily import morning_channels, put_morning_channel
from engine.storage.damage import text
from engine.storage.database import Database
from engine.storage.results import Kind, Result, insert_results
from engine.storage.standings import (
    Board,
    board_page,
    boards_of,
    kinds_played,
    rating_curve,
    rivalries,
    tally_of,
)
from engine.storage.tables import picked_cards, put_picks

RULES = Ruleset.of("classic", 4, {"moon": "half"})
KIND = Kind("classic", lowest=True)
NO_TEXT = "CAST(x'5aff5a' AS TEXT)"
ODD_RULES = {
    "no JSON": "'{'",
    "JSON of nothing": "'{}'",
    "JSON without an end": f"'{'[' * 100_000}'",
    "no game": """'{"preset": "whist", "players": 4}'""",
    "no UTF-8": NO_TEXT,
    "no text": "x'7b'",
}


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Two people with a result in server 1, and two house rules."""
    database = await Database.open(path)
    await database.execute(
        """INSERT INTO tables (guild, channel, host, rules, state, pace, paused, timer, notice, opened_at)
        VALUES (1, 1, 1, '{}', 'over', 'none', 0, 'null', 'null', 0.0)"""
    )
    people = [
        Result(
            person=1 + seat,
            name="Ann",
            seat=seat,
            guild=1,
            kind=KIND,
            ended_at=0.0,
            people=2,
            place=1,
            won=True,
            left_early=False,
            points=10,
            deals=2,
        )
        for seat in range(2)
    ]
    await database.write(lambda connection: insert_results(connection, 1, people))
    for name in ("quick", "slow"):
        await house_rules.save(database, 1, name, RULES, 1, may_manage=False)
    yield database
    await database.close()


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    "change",
    [
        "points = 'many'",
        "mu = 9e999",
        "sigma = 'small'",
        "deals = 0",
        "deals = 'two'",
        "wins = x'00'",
        f"name = {NO_TEXT}",
        "name = x'00ff'",
    ],
)
async def test_a_damaged_standing(
    database: Database, path: Path, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, f"UPDATE standings SET {change} WHERE person = 2")
    with pytest.raises(Refusal) as refused:
        await board_page(database, 1, Board(KIND), 0.0, 1, first=0, count=10)
    assert refused.value.id == "damaged"
    assert "the leaderboard of server 1" in caplog.text


@pytest.mark.parametrize("game", [NO_TEXT, "'whist'"])
async def test_a_standing_in_no_game(
    database: Database, path: Path, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, f"UPDATE standings SET game = {game} WHERE person = 2")
    with pytest.raises(Refusal, match="damaged"):
        await boards_of(database, 1)
    assert caplog.text.count("ERROR") == 1


async def career(database: Database, person: int) -> None:
    """All that is asked of somebody's results for their statistics."""
    for kind in await kinds_played(database, 1, person):
        await tally_of(database, 1, person, kind, ranked=True)
        await rating_curve(database, 1, person, kind, 1)


@pytest.mark.parametrize(
    "change", ["game = 'whist'", "deals = 0", "points = 'many'", "mu = 9e999", "mu = 'much'"]
)
async def test_a_damaged_result(
    database: Database, path: Path, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, f"UPDATE results SET {change} WHERE person = 2")
    with pytest.raises(Refusal, match="damaged"):
        await career(database, 2)
    if not change.startswith("mu"):
        with pytest.raises(Refusal, match="damaged"):
            await rivalries(database, 1, 2, 1)
    assert "somebody's results" in caplog.text or "somebody's rating" in caplog.text


@pytest.mark.parametrize("rules", ODD_RULES.values(), ids=list(ODD_RULES))
async def test_damaged_house_rules(
    database: Database, path: Path, rules: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, f"UPDATE house_rules SET rules = {rules} WHERE name = 'slow'")
    assert await house_rules.every(database, 1) == [("quick", house_rules.HouseRules(RULES))]
    with pytest.raises(Refusal, match="damaged"):
        await house_rules.find(database, 1, "slow")
    assert "house rules of server 1" in caplog.text
    assert await house_rules.find(database, 1, "quick") == house_rules.HouseRules(RULES)
    assert await house_rules.author(database, 1, "slow") == 1  # who may delete them


async def test_a_damaged_setting_is_none(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await settings.put(database, "name", "value")
    damage(path, f"UPDATE settings SET value = {NO_TEXT} WHERE name = 'name'")
    assert await settings.find(database, "name") is None
    assert "the setting 'name'" in caplog.text


async def test_a_damaged_note_of_a_message_is_left_out(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for key in ("lobby", "trick:1"):
        await message_ids.put_message(database, 1, key, 2, 3)
    damage(path, f"UPDATE messages SET shown = {NO_TEXT} WHERE key = 'lobby'")
    assert await message_ids.take_messages(database) == [(1, "trick:1", 2, 3, None)]
    assert "a message of table 1" in caplog.text


@pytest.mark.parametrize("channel", ["'here'", NO_TEXT, "x'00'", "1.5", "-1"])
async def test_a_damaged_channel_keeps_no_other_server_from_its_mornings(
    database: Database, path: Path, channel: str
) -> None:
    for guild in (1, 2, 3):
        await put_morning_channel(database, guild, guild)
    damage(path, f"UPDATE daily_channels SET channel = {channel} WHERE guild = 1")
    assert await morning_channels(database) == [(2, 2), (3, 3)]


@pytest.mark.parametrize("cards", ["'{'", "'3'", NO_TEXT, "7"])
async def test_damaged_picks_are_none(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture, cards: str
) -> None:
    await database.write(lambda connection: put_picks(connection, 1, {0: ["QS", "KS"], 2: ["2C"]}))
    damage(path, f"UPDATE picks SET cards = {cards} WHERE seat = 0")
    assert await picked_cards(database) == {1: {2: ["2C"]}}
    assert "what is picked at table 1" in caplog.text


async def test_other_text_that_is_none_is_read_as_its_bytes(database: Database, path: Path) -> None:
    for key in ("lobby", "trick:1"):
        await message_ids.put_message(database, 1, key, 2, 3)
    damage(path, f"UPDATE messages SET key = {NO_TEXT} WHERE key = 'lobby'")
    rows = await database.read("SELECT key FROM messages ORDER BY key")
    assert [key for (key,) in rows] == [b"Z\xffZ", "trick:1"]
    with pytest.raises(TypeError, match="is not text"):  # once it is read as what it should be
        text(rows[0][0])


async def test_numbers_too_large_to_be_added_up(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, f"UPDATE standings SET games = {2**63 - 1}")
    with pytest.raises(Refusal, match="damaged"):
        await boards_of(database, 1)
    assert "it is damaged" in caplog.text
