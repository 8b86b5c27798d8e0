"""A table at which one person plays a day's deals, and what that came to."""

from __future__ import annotations

from engine.names import COMPUTERS
from engine.play.game import Game
from engine.players import Strength
from engine.storage.daily_results import DailyResult
from engine.tables.days import DEALS, PLAYERS, Day, begins, day_after
from engine.tables.hints import Hints
from engine.tables.info import DailyGame, Person, State
from engine.tables.seats import Seat, Seats
from engine.tables.table import Table

#: The three whom everybody meets there, each with its manner: who comes every day gets to know them.
OPPONENTS = COMPUTERS[: PLAYERS - 1]


def own_channel(person: int) -> int:
    """What stands for the channel of a person's daily game, which is in none: they have one at a time."""
    return -person


def daily_table(day: Day, person: Person, guild: int, channel: int) -> Table:
    """A new table for this person, who sits in the first seat; it was begun in this channel."""
    computers = [Seat(None, name, strength=Strength.MEDIUM) for name in OPPONENTS]
    return Table(
        id=0,
        guild=guild,
        channel=own_channel(person.id),
        host=person.id,
        rules=day.rules,
        state=State.PLAYING,
        seats=Seats((Seat(person.id, person.name), *computers)),
        hints=Hints.NOBODY,  # all are ranked by the same deals
        daily=DailyGame(day.date, channel),
        game=Game(day.rules),
    )


def daily_result(table: Table, now: float) -> DailyResult | None:
    """What a daily game that is over came to; it is ranked if the deals were still a secret then."""
    if table.daily is None or table.state is not State.OVER or table.game is None:
        return None
    seat = table.seats[0]
    assert seat.person is not None, "without its player a daily game does not go on"
    first, second, third = [points[0] for points in table.game.points[:DEALS]]
    return DailyResult(
        day=table.daily.day,
        person=seat.person,
        name=seat.name,
        guild=table.guild,
        table=table.id,
        points=(first, second, third),
        finished_at=now,
        is_ranked=now < begins(day_after(table.daily.day)),
    )
