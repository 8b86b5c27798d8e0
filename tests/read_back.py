"""Reads each table and tournament back in the transaction that stores it, and compares."""

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from engine.play import moves as moves_
from engine.play.moves import Dealt, Move
from engine.storage import tables as storage
from engine.storage import tournaments as tournament_storage
from engine.storage.database import Database
from engine.storage.tables import StoredTable
from engine.tables import store
from engine.tables.store import TableStore
from engine.tables.table import Table
from engine.tournaments import service as tournaments
from engine.tournaments.store import restore
from engine.tournaments.tournament import Tournament

T = TypeVar("T")
#: Moves that are replayed after each change; longer logs only when a deal begins or the table has ended.
SHORT = 60


def read_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check all that is stored from now on; returns what will be found to differ."""
    found: list[str] = []
    open_, append, update = TableStore.open, TableStore.append, tournaments.update

    async def open_checked(self: TableStore, table: Table, now: float) -> Table:
        def check(connection: sqlite3.Connection, id: int) -> None:
            _check_table(connection, replace(table, id=id), 0, found)

        return await open_(TableStore(_Checking(self._database, check), self._load), table, now)

    async def append_checked(self: TableStore, old: Table, new: Table, now: float) -> Table:
        def check(connection: sqlite3.Connection, saved: Table) -> None:
            _check_table(connection, saved, old.logged, found)

        return await append(TableStore(_Checking(self._database, check), self._load), old, new, now)

    async def update_checked(database: Database, old: Tournament, new: Tournament) -> None:
        def check(connection: sqlite3.Connection, _: object) -> None:
            stored = _at_once(tournament_storage.find_tournament(_Reading(connection), new.id))
            _compare(f"tournament {new.id}", restore(stored), new, found)

        await update(_Checking(database, check), old, new)

    monkeypatch.setattr(TableStore, "open", open_checked)
    monkeypatch.setattr(TableStore, "append", append_checked)
    monkeypatch.setattr(tournaments, "update", update_checked)
    return found


def _check_table(connection: sqlite3.Connection, table: Table, logged: int, found: list[str]) -> None:
    stored = _at_once(storage.table(_Reading(connection), table.id, moves=True))
    what = f"table {table.id}"
    try:
        read = _restored(stored, table, logged)
        people = connection.execute("SELECT person FROM people WHERE table_id = ?", (table.id,))
        assert {person for (person,) in people} == set(store.people_of(table)), "other people"
    except Exception as error:
        found.append(f"{what} cannot be read back: {error!r}")
        raise
    known = {name: getattr(table, name) for name in ("pars", "achieved", "rated")}  # stored elsewhere
    _compare(what, replace(read, **known), replace(table, logged=read.logged, unsaved=()), found)


def _restored(stored: StoredTable, table: Table, logged: int) -> Table:
    """The stored table, with its game replayed if that is quick, or something new begins or ends."""
    made: Sequence[Move] = [
        moves_.from_json(table.rules, json.loads(move)) for _, move in stored.moves[logged:]
    ]
    assert [*made] == [*table.unsaved], "other moves"
    if len(stored.moves) <= SHORT or not table.is_live or any(isinstance(one, Dealt) for one in made):
        return store._rebuild(stored)
    return replace(store.without_game(stored), game=table.game, logged=len(stored.moves))


def _compare(what: str, read: Any, written: Any, found: list[str]) -> None:
    """Note the fields in which they differ, and raise an AssertionError, which undoes what was written."""
    names = [field.name for field in fields(written) if field.compare]
    different = [name for name in names if getattr(read, name) != getattr(written, name)]
    told = [f"{name} is {getattr(read, name)!r}, not {getattr(written, name)!r}" for name in different]
    if told:
        found.append(f"{what} is read back otherwise: " + "; ".join(told))
        raise AssertionError(found[-1])


@dataclass(frozen=True)
class _Checking:
    """A database whose writes are each followed by this check, in the same transaction."""

    database: Database
    check: Callable[[sqlite3.Connection, Any], None]

    async def write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        def checked(connection: sqlite3.Connection) -> T:
            result = write(connection)
            self.check(connection, result)
            return result

        return await self.database.write(checked)


class _Reading:
    """A database read within a transaction: nothing in it has to be awaited."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.reader = SimpleNamespace(read=self._read, snapshot=self.snapshot)

    async def _read(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._connection.execute(statement, values).fetchall()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Callable[..., Awaitable[list[Any]]]]:
        yield self._read


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")
