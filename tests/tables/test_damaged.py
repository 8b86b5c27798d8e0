"""A table that cannot be read is left out and kept for repair, and everybody else plays on."""

import asyncio
import logging
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from house import ANN, BO, House, refusal
from outside import edit

from engine.tables import State, changes

pytestmark = pytest.mark.slow

DAMAGE = {
    "nothing": "UPDATE tables SET body = '{}'",
    "rules of no game": "UPDATE tables SET body = json_set(body, '$.rules.preset', 'whist')",
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


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with games in channels 1, 2 and 3, for each test to copy."""
    path = tmp_path_factory.mktemp("games") / "hearts.sqlite3"

    async def play() -> None:
        house = await House(path).open()
        for channel in (1, 2, 3):
            await house.start(ANN, BO, channel=channel)
        await house.close()

    asyncio.run(play())
    return path


@pytest.fixture
async def house(three_games: Path, path: Path) -> AsyncIterator[House]:
    """Three games in channels 1, 2 and 3, and nobody runs."""
    shutil.copy(three_games, path)
    house = House(path)
    yield house
    await house.close()


def damage(path: Path, statement: str) -> None:
    """Only the second table, whatever the statement is about."""
    edit(path, statement + " WHERE id = 2" if statement.startswith("UPDATE tables") else statement)


def rows_of(path: Path) -> list[Any]:
    return [
        *edit(path, "SELECT id, guild, channel, state, body, turn, end_seen FROM tables WHERE id = 2"),
        *edit(path, "SELECT number, move FROM moves WHERE table_id = 2"),
    ]


async def resumed(house: House) -> list[int]:
    """The ids of the tables that the next start resumes."""
    return [table.id for table in await house.restart()]


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=list(DAMAGE))
async def test_a_damaged_table_is_left_out_and_kept_and_its_channel_is_free(
    house: House, path: Path, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, statement)
    before = rows_of(path)
    for _ in range(2):
        caplog.clear()
        assert await resumed(house) == [1, 3]
        assert [(one.id, one.channel) for one in house.tables.damaged] == [(2, 2)]
        assert rows_of(path) == before
        [line] = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert "table 2 of channel 2 is damaged" in line.getMessage()
        assert line.exc_info is None
    table = await house.seat(BO, channel=2)
    assert house.tables.in_channel(2) == table
    assert await refusal(house.tables.find(2)) == "damaged"


@pytest.mark.parametrize(
    "deal", ["substr(move, 1, 200)", "json_remove(move, '$.dealt[3]')", "json_extract(move, '$.dealt')"]
)
async def test_the_log_tells_no_card_of_a_damaged_deal(
    house: House, path: Path, deal: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever runs the bot may play at this table, which goes on once the row is mended."""
    [(salt,)] = edit(path, "SELECT json_extract(move, '$.salt') FROM moves WHERE table_id = 2 AND number = 0")
    damage(path, f"UPDATE moves SET move = {deal} WHERE table_id = 2 AND number = 0")
    assert await resumed(house) == [1, 3]
    assert not re.search(rf"\b[2-9TJQKA][CDSH]\b|{salt}", caplog.text)


@pytest.mark.parametrize("refused", ["turn", "turn, is_damaged"])
async def test_a_table_that_fails_after_it_was_read_keeps_no_other(
    house: House, path: Path, caplog: pytest.LogCaptureFixture, refused: str
) -> None:
    late = '{"deadline": 1.0, "limit": 60.0, "reminded": true}'
    edit(path, f"UPDATE tables SET turn = json_set(turn, '$.timer', json('{late}'))")
    edit(path, "UPDATE tables SET body = json_set(body, '$.pace', 'live')")
    refuse = f"CREATE TRIGGER refuse BEFORE UPDATE OF {refused} ON tables WHEN old.id = 2"
    edit(path, f"{refuse} BEGIN SELECT RAISE(FAIL, 'no'); END")
    assert await resumed(house) == [table.id for table in house.tables.live] == [1, 3]
    assert [(one.id, one.channel) for one in house.tables.damaged] == [(2, 2)]
    assert house.tables.in_channel(2) is None
    assert "table 2 can't go on" in caplog.text
    edit(path, "DROP TRIGGER refuse")
    assert await resumed(house) == [1, 2, 3]


async def test_a_repaired_table_goes_on_once_its_channel_is_free(house: House, path: Path) -> None:
    [(body,)] = edit(path, "SELECT body FROM tables WHERE id = 2")
    damage(path, DAMAGE["rules of no game"])
    assert await resumed(house) == [1, 3]
    new = await house.seat(BO, channel=2)
    await house.close()
    damage(path, f"UPDATE tables SET body = '{body}'")
    assert await resumed(house) == [1, 3, new.id]
    await house.tables.end(new.id, BO.id)
    await resumed(house)
    assert (house.tables.at(2).id, house.tables.at(2).state) == (2, State.PLAYING)
    assert house.tables.damaged == []


async def test_a_damaged_record_is_refused(
    house: House, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await house.open()
    await house.stop(house.tables.get(2))
    damage(path, DAMAGE["a card that is none"])
    for ask in (house.tables.games.latest(2), house.tables.games.done_deal(2, 1)):
        caplog.clear()
        assert await refusal(ask) == "damaged"
        assert "table 2 of channel 2 is damaged" in caplog.text
    assert (await house.tables.rematch(2, ANN)).host_name == "Ann"  # which needs none of its moves


async def test_a_lobby_that_everybody_left_just_before_the_end_is_no_damage(house: House) -> None:
    await house.open()
    table = await house.seat(ANN, channel=9)
    await house.tables.change(table.id, changes.leave_or_stay_out, ANN.id)
    assert [(one.id, one.state) for one in await house.restart()][-1] == (table.id, State.STOPPED)
    assert house.tables.damaged == []
