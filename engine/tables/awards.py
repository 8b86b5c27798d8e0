"""What the people at a table have achieved by the time its game is over, each of it for the first time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.play.achievements import Part, in_career, in_game
from engine.storage import achievements
from engine.tables.info import Achieved
from engine.tables.table import Table


def award(connection: sqlite3.Connection, table: Table) -> tuple[Achieved, ...]:
    """Note what is new to each; their results are written by then. Who is away at the end gets nothing."""
    return tuple(_award(connection, table))


def _award(connection: sqlite3.Connection, table: Table) -> Iterator[Achieved]:
    assert table.game is not None
    for number, seat in enumerate(table.seats):
        if seat.person is None or seat.away:
            continue
        proved = in_game(Part(table.game, number, since=seat.since))
        proved += in_career(achievements.career(connection, table.guild, seat.person))
        for id in achievements.award(connection, table.id, table.guild, seat.person, proved):
            yield Achieved(number, id)


def with_achieved(table: Table, noted: Iterable[tuple[int, str]]) -> Table:
    """The table with what is noted of it: these people and what they achieved there."""
    seats = {seat.person: number for number, seat in enumerate(table.seats)}
    achieved = [Achieved(seats[person], id) for person, id in sorted(noted) if person in seats]
    return replace(table, achieved=tuple(achieved))
