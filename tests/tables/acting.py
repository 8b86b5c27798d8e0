"""People at a table of the service, who do by chance what they are asked to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.play.views import seat_view
from engine.players import random_move
from engine.tables import Moment, Table, Tables, changes


async def act(tables: Tables, table: Table, rng: Random, seat: int | None = None) -> Table:
    """Whoever has this seat, or the first that is waited for, makes a move."""
    seat = table.awaited[0] if seat is None else seat
    person = table.seats[seat].person
    assert table.game is not None
    assert person is not None
    move = random_move(seat_view(table.game, seat), rng)
    return await tables.change(table.id, changes.act, person, lambda _: move, Moment.of(table.game))


async def play_on(tables: Tables, table: Table, rng: Random, until: Callable[[Table], bool]) -> Table:
    """Whoever is waited for acts, until the table is so or the game has ended."""
    while table.is_live and not until(table):
        table = await act(tables, table, rng)
    return table
