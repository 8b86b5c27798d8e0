"""Everything about a person deleted, whatever refuses meanwhile: a table, the disk, or the program's life."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import house as houses
import pytest
from house import BO, CLASSIC, refusal
from lives import life
from outside import edit, locked, traces

from engine.storage import house_rules, privacy
from engine.tables import Calls, Forgotten, Person, Preference, Table, forgetting

pytestmark = pytest.mark.slow

#: No part of any other word, and a number that fills eight bytes.
ANN = Person(123456789012345678, "Zephyrine")
TRACES = ANN.name, str(ANN.id), ANN.id.to_bytes(8, "big")
REFUSING = {
    "a table": "BEFORE DELETE ON people WHEN old.table_id = 2",
    "its body": "BEFORE UPDATE OF body ON tables WHEN old.id = 2",
}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody wants to wait a minute here, nor a second for each lock."""
    monkeypatch.setattr(forgetting, "RETRY_AFTER", 0.05)
    monkeypatch.setattr("engine.storage.file.LOCK_WAIT", 0.02)


class House(houses.House):
    """A house that deletes Ann."""

    async def furnish(self) -> None:
        """Something of everything: three tables that go on, one that is over, preferences and house rules."""
        for channel in range(1, 5):
            table = await self.start(ANN, BO, channel=channel)
        await self.stop(table)
        await self.tables.prefer(ANN.id, Preference(Calls.NEVER))
        await house_rules.save(self.database, 1, f"{ANN.name}'s", CLASSIC, ANN.id, may_manage=False)

    async def forget(self) -> Forgotten:
        return await self.forgetting.forget(ANN)

    @property
    def seated(self) -> list[int]:
        """The live tables at which she sits."""
        return [table.id for table in self.tables.live if table.seat_of(ANN.id) is not None]

    @property
    def prefers(self) -> Calls:
        return self.tables.preferences.of(ANN.id).calls

    async def stored(self, person: Person = ANN) -> Any:
        """Whatever would be handed out to this person."""
        return {
            name: value
            for name, value in (await self.stored_of(person)).items()
            if value and name != "person"
        }

    async def has_forgotten(self) -> bool:
        """Whether she is in no table, nothing would be handed out to her, and no trace is left."""
        return not self.seated and not await self.stored() and not traces(self.path, *TRACES)

    async def until_forgotten(self) -> None:
        async with asyncio.timeout(30):
            while not await self.has_forgotten():  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    house = await House(path).open()
    await house.furnish()
    yield house
    await house.close()


async def test_a_name_that_only_a_live_table_has_leaves_titles_and_uploads_too(path: Path) -> None:
    """By DM, the click brings another name than the nickname at a server's table."""
    house = await House(path).open()
    await house.start(ANN, BO)
    await house_rules.save(house.database, 1, f"as {ANN.name} likes it", CLASSIC, ANN.id, may_manage=False)
    assert await house.forgetting.forget(replace(ANN, name="Ann")) is Forgotten.WHOLLY
    assert await house.has_forgotten()
    assert await house_rules.find(house.database, 1, "as somebody likes it")
    await house.close()


async def test_on_a_locked_disk_all_stays_and_later_nothing_is_left(house: House, path: Path) -> None:
    before = await house.stored()
    with locked(path):
        assert await refusal(house.forget()) == "cannot_save"
    assert await house.stored() == before
    assert (house.seated, house.prefers) == ([1, 2, 3], Calls.NEVER)
    assert traces(path, *TRACES)
    assert await house.forget() is Forgotten.WHOLLY
    assert await house.has_forgotten()
    assert house.prefers is Calls.LATE
    assert set(house.left) == {ANN.id}


async def test_on_a_locked_disk_somebody_who_sits_nowhere_stays_too(house: House, path: Path) -> None:
    await house.tables.prefer(BO.id, Preference(Calls.NEVER))
    await house.tables.forget(BO.id)
    with locked(path):
        assert await refusal(house.forgetting.forget(BO)) == "cannot_save"
    assert house.tables.preferences.of(BO.id).calls is Calls.NEVER
    assert "preferences" in await house.stored(BO)


async def test_a_disk_that_is_locked_in_the_middle_is_waited_for(house: House, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    once = iter(["BEGIN IMMEDIATE"])

    def lock(table: Table) -> None:
        for statement in once:
            other.execute(statement)

    house.tables.watch(lock)
    assert await house.forget() is Forgotten.IN_PART
    assert (house.seated, house.prefers) == ([2, 3], Calls.NEVER)
    assert "preferences" in await house.stored()
    other.close()
    await house.until_forgotten()
    assert house.prefers is Calls.LATE


@pytest.mark.parametrize("what", REFUSING.values(), ids=REFUSING)
async def test_a_table_that_refuses_keeps_no_other_and_is_asked_again(
    house: House, path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    edit(path, f"CREATE TRIGGER refuse {what} BEGIN SELECT RAISE(FAIL, 'no'); END")
    found = await asyncio.gather(*(house.forget() for _ in range(3)))  # asked again, she hears the same
    assert set(found) == {Forgotten.IN_PART}
    assert house.seated == [2]
    stored = await house.stored()
    assert [one["table"] for one in stored.pop("tables")] == [2]
    assert stored == {"being_deleted": [{"name": ANN.name}]}
    assert house.prefers is Calls.LATE
    # Until it is done, nothing is stored of her.
    assert await refusal(house.seat(ANN, channel=9)) == "leaving"
    assert await refusal(house.tables.prefer(ANN.id, Preference(Calls.NEVER))) == "leaving"
    with locked(path):
        assert await house.forget() is Forgotten.IN_PART
    edit(path, "DROP TRIGGER refuse")
    await house.until_forgotten()
    assert "table 2 could not be changed" in caplog.text
    await house.wait(forgetting.REFUSED_FOR)
    assert (await house.seat(ANN, channel=9)).has_people


async def test_a_table_that_cannot_be_read_is_deleted_and_keeps_no_other(house: House, path: Path) -> None:
    await house.stop(house.tables.get(1))
    edit(path, "UPDATE tables SET body = json_set(body, '$.pace', 'whenever') WHERE id = 1")
    assert await house.forget() is Forgotten.WHOLLY
    assert await house.has_forgotten()
    assert edit(path, "SELECT id FROM tables") == [(2,), (3,), (4,)]


async def test_a_kill_in_the_middle_is_made_up_for_at_the_next_start(house: House, path: Path) -> None:
    await house.close()
    with life(die_in_the_middle, path) as process:
        process.join(60)
        assert process.exitcode == 9
    assert traces(path, *TRACES)
    await house.open()
    assert await house.has_forgotten()


def die_in_the_middle(path: Path) -> None:
    """A process that is gone as soon as she has left the first table."""

    async def die() -> None:
        house = await House(path).open()
        house.tables.watch(lambda table: os._exit(9))
        await house.forget()

    asyncio.run(die())


async def test_of_a_large_file_the_log_is_emptied_at_once_and_the_rest_rewritten_at_the_next_start(
    house: House, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "AT_ONCE", 0)
    assert await house.forget() is Forgotten.REWRITE_PENDING
    assert (house.seated, await house.stored()) == ([], {})
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    await house.restart()
    assert not traces(path, *TRACES)


async def test_a_file_that_somebody_reads_is_rewritten_once_they_are_done(house: House, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM tables").fetchall()
        assert await house.forget() is Forgotten.REWRITE_PENDING
        assert (house.seated, await house.stored()) == ([], {})
        assert traces(path, *TRACES)
    await house.until_forgotten()


async def test_a_request_goes_on_where_whoever_waits_for_it_is_gone(house: House) -> None:
    asking = asyncio.create_task(house.forget())
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await house.forgetting.close()
    assert await house.has_forgotten()
