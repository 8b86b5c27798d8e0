"""A table that cannot be read is left out and kept for repair, and everybody else plays on."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Person, State, Table, Tables, changes

pytestmark = pytest.mark.slow

ANN, BO = Person(11, "Ann"), Person(12, "Bo")
DAMAGE = {
    "nothing": "UPDATE tables SET body = '{}'",
    "rules of no game": "UPDATE tables SET body = json_set(body, '$.rules.preset', 'whist')",
    "a field that is none": "UPDATE tables SET body = json_set(body, '$.colour', 'red')",
    "an unknown pace": "UPDATE tables SET body = json_set(body, '$.pace', 'slow')",
    "a host who is no number": "UPDATE tables SET body = json_set(body, '$.host', 'Ann')",
    "a seat that is none": "UPDATE tables SET body = json_set(body, '$.seats[0]', 7)",
    "an unknown notice": "UPDATE tables SET body = json_set(body, '$.notice', json('{\"kind\": \"hm\"}'))",
    "a timer without a limit": "UPDATE tables SET turn = json_set(turn, '$.timer', json('{\"limit\": 1}'))",
    "a move that is no JSON": "UPDATE moves SET move = 'QS' WHERE table_id = 2 AND number = 0",
    "a move that is none": "UPDATE moves SET move = '{\"seat\": 0}' WHERE table_id = 2 AND number = 1",
    "a move that is not UTF-8": "UPDATE moves SET move = CAST(x'5aff5a' AS TEXT) WHERE table_id = 2",
    "a card that is none": """UPDATE moves SET move = '{"seat": 0, "played": "1X"}'
        WHERE table_id = 2 AND number = 1""",
    "a first move that deals nothing": """UPDATE moves SET move = '{"seat": 0, "declined": true}'
        WHERE table_id = 2 AND number = 0""",
    "an end before the end": "UPDATE tables SET state = 'over'",
    "no moves at all": "DELETE FROM moves WHERE table_id = 2",
    "moves without a deal": "DELETE FROM moves WHERE table_id = 2 AND number = 0",
    "a missing move": "DELETE FROM moves WHERE table_id = 2 AND number = 1",
}


class Lives:
    """One start of the service after the other on one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: Database | None = None

    async def begin(self) -> tuple[Tables, list[Table]]:
        """The next start, and what it takes up."""
        await self.end()
        self._database = await Database.open(self._path)
        self._tables = Tables(self._database, rng=Random(2))
        return self._tables, await self._tables.resume()

    async def end(self) -> None:
        """Stop it."""
        if self._database:
            await self._tables.close()
            await self._database.close()


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with games in channels 1, 2 and 3, for each test to copy."""
    path = tmp_path_factory.mktemp("games") / "hearts.sqlite3"
    asyncio.run(_start_three_games(path))
    return path


async def _start_three_games(path: Path) -> None:
    lives = Lives(path)
    tables, _ = await lives.begin()
    for channel in (1, 2, 3):
        table = await tables.open(7, channel, ANN, Ruleset.of("classic", 4))
        await tables.join(table.id, BO)
        await tables.change(table.id, changes.start, ANN.id)
    await lives.end()


@pytest.fixture
async def lives(three_games: Path, path: Path) -> AsyncIterator[Lives]:
    """Three games in channels 1, 2 and 3, and nobody runs."""
    shutil.copy(three_games, path)
    lives = Lives(path)
    yield lives
    await lives.end()


def do(path: Path, statement: str) -> list[Any]:
    """Change the file without the program's help, as an editor would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        return connection.execute(statement).fetchall()


def damage(path: Path, statement: str) -> None:
    """Only the second table, whatever the statement is about."""
    if statement.startswith("UPDATE tables"):
        statement += " WHERE id = 2"
    do(path, statement)


def rows_of(path: Path) -> list[Any]:
    return [
        *do(path, "SELECT id, guild, channel, state, body, turn, end_seen FROM tables WHERE id = 2"),
        *do(path, "SELECT number, move FROM moves WHERE table_id = 2"),
    ]


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=list(DAMAGE))
async def test_a_damaged_table_is_left_out_and_kept_and_its_channel_is_free(
    lives: Lives, path: Path, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, statement)
    before = rows_of(path)
    for _ in range(2):
        caplog.clear()
        tables, taken_up = await lives.begin()
        assert [table.id for table in taken_up] == [1, 3]
        assert [(one.id, one.channel) for one in tables.damaged] == [(2, 2)]
        assert rows_of(path) == before
        [line] = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert "table 2 of channel 2 is damaged" in line.getMessage()
        assert line.exc_info is None
    table = await tables.open(7, 2, BO, Ruleset.of("classic", 4))
    assert tables.in_channel(2) == table
    with pytest.raises(Refusal) as refused:
        await tables.find(2)
    assert refused.value.id == "damaged"


@pytest.mark.parametrize(
    "deal",
    [
        "substr(move, 1, 200)",
        "json_remove(move, '$.dealer')",
        "json_remove(move, '$.dealt[3]')",
        "json_extract(move, '$.dealt')",
    ],
)
async def test_the_log_tells_no_card_of_a_damaged_deal(
    lives: Lives, path: Path, deal: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever runs the bot may play at this table, which goes on once the row is mended."""
    [(salt,)] = do(path, "SELECT json_extract(move, '$.salt') FROM moves WHERE table_id = 2 AND number = 0")
    damage(path, f"UPDATE moves SET move = {deal} WHERE table_id = 2 AND number = 0")
    tables, _ = await lives.begin()
    assert [one.id for one in tables.damaged] == [2]
    assert not re.search(rf"\b[2-9TJQKA][CDSH]\b|{salt}", caplog.text)


@pytest.mark.parametrize("refused", ["turn", "turn, is_damaged"])
async def test_a_table_that_fails_after_it_was_read_keeps_no_other(
    lives: Lives, path: Path, caplog: pytest.LogCaptureFixture, refused: str
) -> None:
    late = '{"deadline": 1.0, "limit": 60.0, "reminded": true}'
    do(path, f"UPDATE tables SET turn = json_set(turn, '$.timer', json('{late}'))")
    do(path, "UPDATE tables SET body = json_set(body, '$.pace', 'live')")
    do(
        path,
        f"""CREATE TRIGGER refuse BEFORE UPDATE OF {refused} ON tables WHEN old.id = 2
        BEGIN SELECT RAISE(FAIL, 'no'); END""",
    )
    tables, taken_up = await lives.begin()
    assert [table.id for table in taken_up] == [table.id for table in tables.live] == [1, 3]
    assert [(one.id, one.channel) for one in tables.damaged] == [(2, 2)]
    assert tables.in_channel(2) is None
    assert "table 2 can't go on" in caplog.text
    do(path, "DROP TRIGGER refuse")
    _, taken_up = await lives.begin()
    assert [table.id for table in taken_up] == [1, 2, 3]


async def test_a_table_that_has_been_repaired_goes_on_at_the_next_start(lives: Lives, path: Path) -> None:
    [(body,)] = do(path, "SELECT body FROM tables WHERE id = 2")
    damage(path, DAMAGE["rules of no game"])
    tables, _ = await lives.begin()
    await lives.end()
    damage(path, f"UPDATE tables SET body = '{body}'")
    tables, taken_up = await lives.begin()
    assert [table.id for table in taken_up] == [1, 2, 3]
    assert tables.damaged == []
    assert tables.at(2).state is State.PLAYING


async def test_a_repaired_table_waits_until_its_channel_is_free(lives: Lives, path: Path) -> None:
    [(body,)] = do(path, "SELECT body FROM tables WHERE id = 2")
    damage(path, DAMAGE["rules of no game"])
    tables, _ = await lives.begin()
    new = await tables.open(7, 2, BO, Ruleset.of("classic", 4))
    await lives.end()
    damage(path, f"UPDATE tables SET body = '{body}'")
    tables, taken_up = await lives.begin()
    assert [table.id for table in taken_up] == [1, 3, new.id]
    await tables.end(new.id, BO.id)
    await lives.end()
    tables, _ = await lives.begin()
    assert tables.at(2).id == 2


async def test_the_record_of_a_damaged_game_is_refused(
    lives: Lives, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables, _ = await lives.begin()
    await tables.change(2, changes.stop, ANN.id, may_manage=True)
    damage(path, DAMAGE["a card that is none"])
    for ask in (tables.games.latest(2), tables.games.done_deal(2, 1)):
        caplog.clear()
        with pytest.raises(Refusal) as refused:
            await ask
        assert refused.value.id == "damaged"
        assert "table 2 of channel 2 is damaged" in caplog.text
    assert (await tables.rematch(2, ANN)).host_name == "Ann"  # which needs none of its moves


async def test_a_lobby_that_everybody_left_just_before_the_end_is_no_damage(lives: Lives, path: Path) -> None:
    tables, _ = await lives.begin()
    table = await tables.open(7, 9, ANN, Ruleset.of("classic", 4))
    await tables.change(table.id, changes.leave_or_stay_out, ANN.id)
    tables, taken_up = await lives.begin()
    assert [(one.id, one.state) for one in taken_up][-1] == (table.id, State.STOPPED)
    assert tables.damaged == []
