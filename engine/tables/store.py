"""Tables in the database and back: everything about a game follows from the log of its moves."""

from __future__ import annotations

import json
import logging
import sqlite3
from dataclasses import dataclass, replace

from engine.errors import Refusal
from engine.loading import Load
from engine.play import course
from engine.play import moves as moves_
from engine.play.deal import Deal
from engine.play.moves import Dealt, Played, SeatMove
from engine.storage import achievements, daily_results, rated
from engine.storage import picks as stored_picks
from engine.storage import results as stored_results
from engine.storage import tables as storage
from engine.storage.database import Database
from engine.tables import awards, picks, results
from engine.tables.daily_game import daily_result
from engine.tables.info import State, TableInfo
from engine.tables.stored import (
    checked,
    place,
    reading_table,
    restore,
    restore_or_fault,
    to_stored,
    without_game,
)
from engine.tables.table import Table

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table whose rows cannot be read, and its channel if at least that can be."""

    id: int
    channel: int | None


#: Moves of a log that is played again within some 10 ms: of more, beside the loop.
SHORT = 150


class TableStore:
    """The tables in the database: each with the log of its moves."""

    def __init__(self, database: Database, load: Load) -> None:
        self._database = database
        self._load = load

    async def open(self, table: Table, now: float) -> Table:
        """Store a new table, and what was played there at once; returned is the table with its id."""
        stored, moves = to_stored(table), [moves_.to_json(move) for move in table.unsaved]

        def write(connection: sqlite3.Connection) -> int:
            id = storage.insert(connection, stored, now)
            storage.append_moves(connection, id, 0, moves)
            return id

        id = await self._database.write(write)
        return replace(table, id=id, logged=len(moves), unsaved=())

    async def append(self, old: Table, new: Table, now: float) -> Table:
        """Store what has changed, all of it together; returned is the table with nothing left to save."""
        moves = [moves_.to_json(move) for move in new.unsaved]

        def write(connection: sqlite3.Connection) -> Table:
            storage.append_moves(connection, new.id, old.logged, moves)
            if old.known != new.known:
                storage.update(connection, to_stored(old), to_stored(new))
            if _picked(old) != (picked := _picked(new)):
                stored_picks.put(connection, new.id, picked)
            if new.state is State.OVER and new.daily is None:
                stored_results.insert(connection, new.id, results.of(new, now))
                achieved = awards.award(connection, new)
                return replace(new, achieved=achieved, rated=rated.at_table(connection, new.id))
            if result := daily_result(new, now):
                daily_results.insert(connection, result)
            return new

        saved = await self._database.write(write)
        return replace(saved, logged=old.logged + len(moves), unsaved=())

    async def unseen(self) -> tuple[list[Table], list[Damaged]]:
        """Every live table, and those whose end nobody has seen; and those of them that cannot be read."""
        tables, damaged = [], []
        picked = await stored_picks.every(self._database)
        achieved, ratings = await achievements.unseen(self._database), await rated.unseen(self._database)
        for rows in await storage.unseen_tables(self._database):
            try:
                table = _with_picks(restore(rows), picked.get(rows.id, {}))
                table = awards.with_achieved(table, achieved.get(rows.id, ()))
                table = replace(table, rated=tuple(ratings.get(rows.id, ())))
            except Refusal:
                damaged.append(Damaged(rows.id, rows.channel if isinstance(rows.channel, int) else None))
            else:
                if not rows.is_set_aside or await self._take_back(table):
                    tables.append(table)
        if damaged:
            await storage.set_aside(self._database, [one.id for one in damaged])
        return tables, damaged

    async def _take_back(self, table: Table) -> bool:
        """Whether a table that has been repaired can go on."""
        is_free = await storage.take_back(self._database, table.id)
        if not is_free:
            log.warning("table %s can be read again, but %s has another", table.id, place(table.channel))
        return is_free

    async def find(self, id: int) -> TableInfo | None:
        """What everyone may know of the table with this id, whatever its state; Refusal if it is damaged."""
        rows = await storage.table(self._database, id)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        with reading_table(rows.id, rows.channel):
            return without_game(storage.parse(rows))

    async def whole(self, id: int) -> Table | None:
        """The table with this id and its game, whatever its state; Refusal if it is damaged."""
        rows = await storage.table(self._database, id, moves=True)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        return await self._restore(rows)

    async def _restore(self, rows: storage.Rows) -> Table:
        if len(rows.moves) <= SHORT:
            return restore(rows)
        return checked(rows, await self._load(restore_or_fault, rows))

    async def deal(self, table: TableInfo, number: int) -> Deal | None:
        """This table's deal of this number (from 1) as far as it was played; Refusal if it is damaged."""
        found = await storage.deal(self._database, table.id, number)
        if not found:
            return None
        with reading_table(table.id, table.channel):
            dealt, *moves = [moves_.from_json(table.rules, json.loads(move)) for move in found]
            assert isinstance(dealt, Dealt)
            made = [move for move in moves if isinstance(move, SeatMove)]
            led = next((move.seat for move in made if isinstance(move, Played)), None)
            return course.replay(course.start(table.rules, number, dealt, led), made)

    async def latest_game(self, channel: int, *, but: int = 0) -> Table | None:
        """The last table of this channel at which something was dealt, that one left out.

        Refusal if it is damaged.
        """
        rows = await storage.latest_game(self._database, channel, but=but)
        return await self._restore(rows) if rows else None


def _picked(table: Table) -> dict[int, list[str]]:
    """What is stored of the cards that are picked: nothing of who is gone, or where nothing goes on."""
    if table.game is None or not table.is_live:
        return {}
    codes = picks.to_codes(table.game, table.picks)
    return {seat: cards for seat, cards in codes.items() if table.seats[seat].person is not None}


def _with_picks(table: Table, codes: stored_picks.Picked) -> Table:
    return replace(table, picks=picks.from_codes(table.game, codes)) if table.game else table
