"""Reads each table and tournament back in the transaction that stores it, and compares."""

from __future__ import annotations

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
from engine.tables import store
from engine.tables.store import TableStore
from engine.tables.table import Table
from engine.tournaments import service as tournaments
from engine.tournaments.store import from_stored
from engine.tournaments.tournament import Tournament

T = TypeVar("T")
#: Moves that are replayed after each change; longer logs only when a deal begins or the table has ended.
SHORT = 60


def read_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check all that is stored from now on; returns what will be found to differ."""
    found: list[str] = []
    open_, append, store_tournament = TableStore.open, TableStore.append, tournaments.store

    async def open_checked(self: TableStore, table: Table, now: float) -> Table:
        def check(connection: sqlite3.Connection, id: int) -> None:
            _check_table(connection, replace(table, id=id), 0, found)

        return await open_(TableStore(_Checking(self._database, check), self._load), table, now)

    async def append_checked(self: TableStore, old: Table, new: Table, now: float) -> Table:
        def check(connection: sqlite3.Connection, saved: Table) -> None:
            _check_table(connection, saved, old.logged, found)

        return await append(TableStore(_Checking(self._database, check), self._load), old, new, now)

    async def store_checked(database: Database, old: Tournament, new: Tournament) -> None:
        def check(connection: sqlite3.Connection, _: object) -> None:
            [stored] = _at_once(
                tournament_storage._read(_Reading(connection), "id = ?", (new.id,))  # type: ignore[arg-type]
            )
            _compare(f"tournament {new.id}", from_stored(stored), new, found)

        await store_tournament(_Checking(database, check), old, new)

    monkeypatch.setattr(TableStore, "open", open_checked)
    monkeypatch.setattr(TableStore, "append", append_checked)
    monkeypatch.setattr(tournaments, "store", store_checked)
    return found


def _check_table(connection: sqlite3.Connection, table: Table, logged: int, found: list[str]) -> None:
    rows = _at_once(storage.table(_Reading(connection), table.id, moves=True))  # type: ignore[arg-type]
    rows_of_picks = connection.execute("SELECT seat, cards FROM picks WHERE table_id = ?", (table.id,))
    picked = {seat: storage._codes(cards) for seat, cards in rows_of_picks}
    what = f"table {table.id}"
    try:
        read = _restored(rows, table, logged)
        if table.is_live:
            read = store._with_picks(read, picked)
    except Exception as error:
        found.append(f"{what} cannot be read back: {error!r}")
        raise
    known = {name: getattr(table, name) for name in ("pars", "achieved", "rated")}  # stored elsewhere
    if table.game and _cards(read) == _cards(table):  # of two copies of a card the first is read
        known["picks"] = table.picks
    _compare(what, replace(read, **known), replace(table, logged=read.logged, unsaved=()), found)


def _cards(table: Table) -> dict[int, list[str]]:
    """The codes of the cards that are picked, by seat."""
    assert table.game is not None
    return store._picks_to_codes(table.game, table.picks)


def _restored(rows: storage.Rows, table: Table, logged: int) -> Table:
    """The table of these rows, with its game replayed if that is quick, or something new begins or ends."""
    stored = storage.parse(rows)
    made: Sequence[Move] = [moves_.from_json(table.rules, move) for move in stored.moves[logged:]]
    assert [*made] == [*table.unsaved], "other moves"
    read = store.without_game(stored)
    if len(stored.moves) <= SHORT or not table.is_live or any(isinstance(one, Dealt) for one in made):
        read = store._play(read, stored)
    else:
        read = replace(read, game=table.game, logged=len(stored.moves))
    store._check_game(read)
    return read


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
        self.reader = SimpleNamespace(snapshot=self.snapshot)

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
