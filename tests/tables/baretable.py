"""A table as a value, without a file: people change it, and what follows happens as in the service."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.errors import Refusal
from engine.play.game import Game
from engine.play.views import seat_view
from engine.players import Computer, computer, random_move
from engine.rules.ruleset import Ruleset
from engine.tables import Moment, Person, Seat, Seats, State, Table, changes
from engine.tables.flow import Flow, after_absence
from tests.tables.house import CLASSIC


class BareTable:
    """A table that is changed through `do`; `now` is its time, and `value` what it is like then."""

    def __init__(
        self,
        *people: Person,
        rules: Ruleset = CLASSIC,
        computer: Computer = computer,
        thinks: bool = False,
        **fields: Any,
    ) -> None:
        self.now = 0.0
        self.flow = Flow(Random(3), Random(4), computer, lambda: self.now, thinks=thinks)
        seats = Seats(Seat(person.id, person.name) for person in people)
        self.value = Table(id=1, guild=1, channel=1, host=people[0].id, rules=rules, seats=seats, **fields)
        self.do(lambda table: table)

    def do(self, change: Callable[..., Table], *arguments: Any, **named: Any) -> Table:
        """Make this change, and let follow what follows from it."""
        self.value = self.flow.follow_up(self.value, change(self.value, *arguments, **named))
        return self.value

    def start(self) -> Table:
        return self.do(changes.start, self.value.host)

    def stop(self) -> Table:
        return self.do(changes.stop, self.value.host, may_manage=True)

    def refusal(self, change: Callable[..., object], *arguments: Any, **named: Any) -> str:
        """The id of the refusal of this change."""
        with pytest.raises(Refusal) as refused:
            change(self.value, *arguments, **named)
        return refused.value.id

    def act(self, seat: int | None = None) -> Table:
        """The person in this seat, or the first who is awaited, makes a random move."""
        seat = self.value.awaited[0] if seat is None else seat
        game = self.value.game
        move = random_move(seat_view(game, seat), Random(len(game.deals)))
        return self.do(changes.act, self.value.seats[seat].person, lambda _: move, Moment.of(game))

    def play_until(self, holds: Callable[[Table], object]) -> Table:
        """Whoever is awaited acts, until the table is so or the game has ended."""
        while self.value.is_live and not holds(self.value):
            self.act()
        return self.value

    def play_deal(self) -> Table:
        """Whoever is awaited acts, until the next deal is dealt or the game has ended."""
        begun = len(self.value.game.deals)
        return self.play_until(lambda table: len(table.game.deals) > begun)

    def wait(self, seconds: float) -> Table:
        """Let this time pass at once, and ring until nothing is due any more."""
        self.now += seconds
        while (at := self.value.rings_at) is not None and at <= self.now:
            self.do(self.flow.ring)
        return self.value

    def be_away(self, seconds: float) -> Table:
        """The bot is away for this time; then it resumes the table."""
        self.now += seconds
        return self.do(lambda table: after_absence(replace(table, resumed_at=self.now), self.now))


def started(*people: Person, **fields: Any) -> BareTable:
    """A game of these people, with computers in the other seats."""
    table = BareTable(*people, **fields)
    table.start()
    return table


def everyone(rules: Ruleset) -> list[Seat]:
    """People in all seats."""
    return [Seat(number, f"P{number}") for number in range(1, rules.players + 1)]


def table_of(game: Game, *seats: Seat) -> Table:
    """The table of this game with these seats; computers have the others."""
    computers = [Seat(None, f"Robot {number}") for number in range(len(seats), game.rules.players)]
    state = State.OVER if game.over else State.PLAYING
    return Table(
        id=1,
        guild=1,
        channel=1,
        host=1,
        rules=game.rules,
        state=state,
        seats=Seats((*seats, *computers)),
        game=game,
    )
