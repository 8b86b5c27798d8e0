"""Everything about a person deleted, whatever refuses meanwhile: a table, the disk, or the program's life."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from lives import life

from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import house_rules, privacy
from engine.storage.database import Database
from engine.storage.privacy import export_person
from engine.tables import Calls, Forgetting, Forgotten, Person, Preference, Table, Tables, changes, forgetting

pytestmark = pytest.mark.slow

#: No part of any other word, and a number that fills eight bytes.
ANN = Person(123456789012345678, "Zephyrine")
BO = Person(2, "Bo")
RULES = Ruleset.of("classic", 4)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody wants to wait a minute here, nor a second for each lock."""
    monkeypatch.setattr(forgetting, "RETRY_AFTER", 0.05)
    monkeypatch.setattr("engine.storage.file.LOCK_WAIT", 0.02)


class Service:
    """The tables upon a database, and who deletes people from both; `told` hears of each table's change."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.told: Callable[[Table], None] = lambda table: None
        self.tables = Tables(database, lambda table: self.told(table))
        self.left: list[int] = []
        self.forgetting = Forgetting(self.tables, database, self._leave, lambda: "2026-11-21")

    async def _leave(self, person: int) -> None:
        self.left.append(person)

    @staticmethod
    async def open(path: Path) -> Service:
        """As the bot starts."""
        service = Service(await Database.open(path))
        await privacy.finish(service.database, at_start=True)
        await service.tables.resume()
        await service.forgetting.finish()
        return service

    async def close(self) -> None:
        await self.forgetting.close()
        await self.tables.close()
        await self.database.close()

    async def furnish(self) -> None:
        """Something of everything: three tables that go on, one that is over, preferences and house rules."""
        for channel in range(1, 5):
            table = await self.tables.open(1, channel, ANN, RULES)
            await self.tables.join(table.id, BO)
            await self.tables.change(table.id, changes.start, ANN.id)
        await self.tables.change(4, changes.stop, ANN.id, may_manage=True)
        await self.tables.prefer(ANN.id, Preference(Calls.NEVER))
        await house_rules.save(self.database, 1, f"{ANN.name}'s", RULES, ANN.id, may_manage=False)

    @property
    def seated(self) -> list[int]:
        """The live tables at which she sits."""
        return [table.id for table in self.tables.live if table.seat_of(ANN.id) is not None]

    @property
    def prefers(self) -> Calls:
        return self.tables.preferences.of(ANN.id).calls

    async def is_forgotten(self) -> bool:
        """Whether she is in no table, and nothing would be handed out to her."""
        stored = json.loads(await export_person(self.database, ANN.id, [Tables.stored]))
        return not self.seated and not any(value for name, value in stored.items() if name != "person")

    async def until_forgotten(self, path: Path) -> None:
        """Wait until what was begun is finished, and no trace is left."""
        async with asyncio.timeout(30):
            while not await self.is_forgotten() or traces(path):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@pytest.fixture
async def service(path: Path) -> AsyncIterator[Service]:
    service = await Service.open(path)
    await service.furnish()
    yield service
    await service.close()


def traces(path: Path) -> list[str]:
    """In which of the database's files her name or her id stands."""
    found = [ANN.name.encode(), str(ANN.id).encode(), ANN.id.to_bytes(8, "big")]
    files = [file for file in path.parent.glob(f"{path.name}*") if file.is_file()]
    return [file.name for file in files if any(one in file.read_bytes() for one in found)]


def change(path: Path, statement: str) -> None:
    """In the file itself, as an editor would."""
    with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
        connection.execute(statement)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the database's lock."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_nothing_is_left_of_who_is_forgotten(service: Service, path: Path) -> None:
    assert traces(path)
    assert await service.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert traces(path) == []
    assert await service.is_forgotten()
    assert service.left == [ANN.id]
    assert service.prefers is Calls.LATE


async def test_on_a_locked_disk_memory_and_file_stay_as_they_are(service: Service, path: Path) -> None:
    before = json.loads(await export_person(service.database, ANN.id, [Tables.stored]))
    with locked(path), pytest.raises(Refusal, match="cannot_save"):
        await service.forgetting.forget(ANN)
    assert json.loads(await export_person(service.database, ANN.id, [Tables.stored])) == before
    assert service.seated == [1, 2, 3]
    assert service.prefers is Calls.NEVER
    assert await service.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert traces(path) == []


async def test_on_a_locked_disk_somebody_who_sits_nowhere_stays_too(service: Service, path: Path) -> None:
    await service.tables.prefer(BO.id, Preference(Calls.NEVER))
    await service.tables.forget(BO.id)
    with locked(path), pytest.raises(Refusal, match="cannot_save"):
        await service.forgetting.forget(BO)
    assert service.tables.preferences.of(BO.id).calls is Calls.NEVER
    assert json.loads(await export_person(service.database, BO.id, [Tables.stored]))["preferences"]


async def test_a_disk_that_is_locked_in_the_middle_is_waited_for(service: Service, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)

    def lock(table: Table) -> None:
        service.told = lambda table: None
        other.execute("BEGIN IMMEDIATE")

    service.told = lock
    assert await service.forgetting.forget(ANN) is Forgotten.IN_PART
    assert service.seated == [2, 3]
    assert service.prefers is Calls.NEVER
    assert json.loads(await export_person(service.database, ANN.id, [Tables.stored]))["preferences"]
    other.close()
    await service.until_forgotten(path)
    assert service.prefers is Calls.LATE


REFUSING = {
    "a table": "BEFORE DELETE ON people WHEN old.table_id = 2",
    "its body": "BEFORE UPDATE OF body ON tables WHEN old.id = 2",
}


@pytest.mark.parametrize("what", REFUSING.values(), ids=REFUSING)
async def test_a_table_that_refuses_keeps_no_other_and_is_asked_again(
    service: Service, path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    change(path, f"CREATE TRIGGER refuse {what} BEGIN SELECT RAISE(FAIL, 'no'); END")
    assert await service.forgetting.forget(ANN) is Forgotten.IN_PART
    assert service.seated == [2]
    stored = json.loads(await export_person(service.database, ANN.id, [Tables.stored]))
    assert [one["table"] for one in stored.pop("tables")] == [2]
    assert stored.pop("being_deleted") == [{"name": ANN.name}]
    assert not any(value for name, value in stored.items() if name != "person")
    assert service.prefers is Calls.LATE
    change(path, "DROP TRIGGER refuse")
    await service.until_forgotten(path)
    assert "table 2 could not be changed" in caplog.text


async def test_the_next_start_finishes_what_was_begun(service: Service, path: Path) -> None:
    change(path, f"CREATE TRIGGER refuse {REFUSING['a table']} BEGIN SELECT RAISE(FAIL, 'no'); END")
    assert await service.forgetting.forget(ANN) is Forgotten.IN_PART
    await service.close()
    change(path, "DROP TRIGGER refuse")
    again = await Service.open(path)
    assert await again.is_forgotten()
    assert traces(path) == []
    await again.close()


async def test_a_kill_in_the_middle_is_made_up_for_at_the_next_start(service: Service, path: Path) -> None:
    await service.close()
    with life(die_in_the_middle, path) as process:
        process.join(60)
        assert process.exitcode == 9
    assert traces(path)
    again = await Service.open(path)
    assert await again.is_forgotten()
    assert traces(path) == []
    await again.close()


def die_in_the_middle(path: Path) -> None:
    """A process that is gone as soon as she has left the first table."""

    async def die() -> None:
        service = await Service.open(path)
        service.told = lambda table: os._exit(9)
        await service.forgetting.forget(ANN)

    asyncio.run(die())


async def test_of_a_large_file_the_log_is_emptied_at_once_and_the_rest_rewritten_at_the_next_start(
    service: Service, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "AT_ONCE", 0)
    assert await service.forgetting.forget(ANN) is Forgotten.REWRITE_PENDING
    assert await service.is_forgotten()
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    await service.close()
    again = await Service.open(path)
    assert traces(path) == []
    await again.close()


async def test_a_file_that_somebody_reads_is_rewritten_once_they_are_done(
    service: Service, path: Path
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM tables").fetchall()
        assert await service.forgetting.forget(ANN) is Forgotten.REWRITE_PENDING
        assert await service.is_forgotten()
        assert traces(path)
    await service.until_forgotten(path)


async def test_who_asks_again_meanwhile_is_told_the_same(service: Service, path: Path) -> None:
    change(path, f"CREATE TRIGGER refuse {REFUSING['a table']} BEGIN SELECT RAISE(FAIL, 'no'); END")
    found = await asyncio.gather(*(service.forgetting.forget(ANN) for _ in range(3)))
    assert set(found) == {Forgotten.IN_PART}
    with locked(path):
        assert await service.forgetting.forget(ANN) is Forgotten.IN_PART
    change(path, "DROP TRIGGER refuse")
    assert await service.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert traces(path) == []


async def test_nothing_is_stored_of_somebody_until_their_deletion_is_done(
    service: Service, path: Path
) -> None:
    change(path, f"CREATE TRIGGER refuse {REFUSING['a table']} BEGIN SELECT RAISE(FAIL, 'no'); END")
    await service.forgetting.forget(ANN)
    for refused in (
        service.tables.open(1, 9, ANN, RULES),
        service.tables.prefer(ANN.id, Preference(Calls.NEVER)),
    ):
        with pytest.raises(Refusal, match="leaving"):
            await refused
    change(path, "DROP TRIGGER refuse")
    await service.until_forgotten(path)
    await asyncio.sleep(forgetting.REFUSED_FOR)
    assert (await service.tables.open(1, 9, ANN, RULES)).has_people


async def test_a_request_goes_on_where_whoever_waits_for_it_is_gone(service: Service, path: Path) -> None:
    asking = asyncio.create_task(service.forgetting.forget(ANN))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await service.forgetting.close()
    assert await service.is_forgotten()
    assert traces(path) == []
