"""Tables in the database and back: everything about a game follows from the log of its moves."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any

from engine.errors import Refusal
from engine.play import course
from engine.play import moves as moves_
from engine.play.deal import Deal
from engine.play.game import Game
from engine.play.moves import Dealt, Played
from engine.players.strength import Strength
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset
from engine.storage import picks as stored_picks
from engine.storage import standings
from engine.storage import tables as storage
from engine.storage.database import Database
from engine.storage.standings import Kind, Result
from engine.storage.tables import Rows, StoredSeat, StoredTable
from engine.tables import picks
from engine.tables.hints import Asked, Hints
from engine.tables.notices import Notice, NoticeKind
from engine.tables.pace import Pace, Timer
from engine.tables.table import Seat, State, Table, TableInfo

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table whose rows cannot be read, and its channel if at least that can be."""

    id: int
    channel: int | None


class TableStore:
    """The tables in the database: each with the log of its moves."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, table: Table, now: float) -> Table:
        """Store a new table; returned is the table with its id."""
        stored = _to_stored(table)
        id = await self._database.write(lambda connection: storage.insert(connection, stored, now))
        return replace(table, id=id)

    async def append(self, old: Table, new: Table) -> Table:
        """Store what has changed, all of it together; returned is the table with nothing left to save."""
        moves = [moves_.to_json(move) for move in new.unsaved]

        def write(connection: sqlite3.Connection) -> None:
            storage.append_moves(connection, new.id, old.logged, moves)
            if _described(old) != _described(new):
                storage.update(connection, _to_stored(old), _to_stored(new))
            if _picked(old) != (picked := _picked(new)):
                stored_picks.put(connection, new.id, picked)
            if new.state is State.OVER:
                standings.insert(connection, new.id, _results(new))

        await self._database.write(write)
        return replace(new, logged=old.logged + len(moves), unsaved=())

    async def unseen(self) -> tuple[list[Table], list[Damaged]]:
        """Every live table, and those whose end nobody has seen; and those of them that cannot be read."""
        tables, damaged = [], []
        picked = await stored_picks.every(self._database)
        for rows in await storage.unseen_tables(self._database):
            try:
                table = _with_picks(_restore(rows), picked.get(rows.id, {}))
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
            log.warning("table %s can be read again, but channel %s has another", table.id, table.channel)
        return is_free

    async def find(self, id: int) -> TableInfo | None:
        """What everyone may know of the table with this id, whatever its state; Refusal if it is damaged."""
        rows = await storage.table(self._database, id)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        with _reading(rows.id, rows.channel):
            return _without_game(storage.parse(rows))

    async def whole(self, id: int) -> Table | None:
        """The table with this id and its game, whatever its state; Refusal if it is damaged."""
        rows = await storage.table(self._database, id, moves=True)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        return _restore(rows)

    async def deal(self, table: TableInfo, number: int) -> Deal | None:
        """This table's deal of this number (from 1) as far as it was played; Refusal if it is damaged."""
        found = await storage.deal(self._database, table.id, number)
        if not found:
            return None
        with _reading(table.id, table.channel):
            dealt, *moves = [moves_.from_json(table.rules, json.loads(move)) for move in found]
            assert isinstance(dealt, Dealt)
            made = [move for move in moves if not isinstance(move, Dealt)]
            led = next((move.seat for move in made if isinstance(move, Played)), None)
            return course.replay(course.start(table.rules, number, dealt, led), made)

    async def latest_game(self, channel: int) -> Table | None:
        """The last table of this channel at which something was dealt; Refusal if it is damaged."""
        rows = await storage.latest_game(self._database, channel)
        return _restore(rows) if rows else None


def _described(table: Table) -> tuple[object, ...]:
    """All that is stored of a table but its moves."""
    return tuple([getattr(table, field.name) for field in fields(TableInfo)])


def _to_stored(table: Table) -> StoredTable:
    """The table as it is stored, without its moves."""
    notice = table.notice
    return StoredTable(
        id=table.id,
        guild=table.guild,
        channel=table.channel,
        host=table.host,
        first=table.first,
        rules=table.rules.to_whole_json(),
        state=table.state.value,
        pace=table.pace.value,
        finishes_early=table.finishes_early,
        hints=table.hints.value,
        asked=tuple([(one.deal, one.seat, one.after) for one in table.asked]),
        paused=table.paused,
        timer=asdict(table.timer) if table.timer else None,
        notice={**asdict(notice), "kind": notice.kind.value} if notice else None,
        strength=table.strength.value,
        seats=tuple([_to_stored_seat(seat) for seat in table.seats]),
    )


def _to_stored_seat(seat: Seat) -> StoredSeat:
    return StoredSeat(seat.person, seat.name, seat.away, seat.missed, seat.strength.value)


def _picked(table: Table) -> dict[int, list[str]]:
    """What is stored of the cards that are picked: nothing of who is gone, or where nothing goes on."""
    if table.game is None or not table.is_live:
        return {}
    codes = picks.to_codes(table.game, table.picks)
    return {seat: cards for seat, cards in codes.items() if table.seats[seat].person is not None}


def _with_picks(table: Table, codes: stored_picks.Picked) -> Table:
    return replace(table, picks=picks.from_codes(table.game, codes)) if table.game else table


def _restore(rows: Rows) -> Table:
    """The table as its log tells it; Refusal, and a line in the log, if its rows are damaged."""
    with _reading(rows.id, rows.channel):
        stored = storage.parse(rows)
        table = _play(_without_game(stored), stored.moves)
        _check_game(table)
        return table


@contextmanager
def _reading(table: int, channel: Any) -> Iterator[None]:
    """Whatever damaged rows of a table make this block raise becomes a Refusal and a line in the log."""
    try:
        yield
    except Exception as problem:  # there is no end to what damaged rows can raise
        log.error(
            "table %s of channel %s is damaged and left as it is: %s: %s",
            table,
            channel,
            type(problem).__name__,
            problem,
        )
        raise Refusal("damaged") from problem


def _without_game(stored: StoredTable) -> Table:
    """The table without its game; ValueError unless what other code relies on is so."""
    table = Table(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.host,
        first=stored.first,
        rules=Ruleset.from_json(stored.rules),
        state=State(stored.state),
        pace=Pace(stored.pace),
        finishes_early=stored.finishes_early,
        hints=Hints(stored.hints),
        asked=tuple([Asked(*one) for one in stored.asked]),
        paused=stored.paused,
        timer=Timer(**stored.timer) if stored.timer else None,
        notice=_notice(stored.notice) if stored.notice else None,
        strength=Strength(stored.strength),
        seats=tuple(_seat(seat) for seat in stored.seats),
    )
    seats = range(len(table.seats))
    if len(seats) > table.rules.players:
        raise ValueError(f"{len(seats)} seats at a table for {table.rules.players}")
    if table.timer and not isfinite(table.timer.rings_at):
        raise ValueError("a timer that never rings")
    if not {one.seat for one in table.asked} <= set(seats):
        raise ValueError("a hint to a seat that does not exist")
    if table.notice and not set(table.notice.seats) <= set(seats):
        raise ValueError("a notice to seats that do not exist")
    return table


def _seat(stored: StoredSeat) -> Seat:
    return Seat(stored.person, stored.name, stored.away, stored.missed, Strength(stored.strength))


def _play(table: Table, stored: Sequence[dict[str, Any]]) -> Table:
    """The table with its game, once that has begun."""
    if table.state is State.LOBBY or (table.state is State.STOPPED and not stored):
        return table
    # The log knows who led first, even where that person is forgotten.
    led = next((move["seat"] for move in stored if "played" in move), table.oldest)
    moves = [moves_.from_json(table.rules, move) for move in stored]
    return replace(table, game=Game(table.rules, oldest=led).replay(moves), logged=len(moves))


def _check_game(table: Table) -> None:
    """ValueError unless what other code relies on is so."""
    if table.game and len(table.seats) != table.rules.players:
        raise ValueError(f"{len(table.seats)} seats in a game for {table.rules.players}")
    if table.state in (State.PLAYING, State.OVER):
        game = table.game
        if not (game and game.deals) or game.over != (table.state is State.OVER):
            raise ValueError(f"a game whose moves do not make it {table.state.value}")


def _notice(data: dict[str, Any]) -> Notice:
    return Notice(data["number"], NoticeKind(data["kind"]), tuple(data["seats"]), data.get("deadline"))


def _results(table: Table) -> list[Result]:
    """What a finished game adds to the leaderboards: what the table is told, so who is away can win too."""
    game = table.game
    assert game is not None
    winners = game.winners or ()
    return [
        Result(
            seat=number,
            guild=table.guild,
            person=seat.person,
            name=seat.name,
            kind=Kind(table.rules.preset.name, table.rules.winner is Goal.LOWEST),
            won=number in winners,
            points=sum(deal.points[number] for deal in game.deals if deal.points),
            deals=len(game.deals),
            moons=sum(deal.shooter == number for deal in game.deals),
        )
        for number, seat in enumerate(table.seats)
        if seat.person is not None
    ]
