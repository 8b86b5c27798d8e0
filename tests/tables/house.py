"""The table service on a file, in a time of its own, and people who do by chance what it asks of them."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest
from fresh import laid

from engine.errors import Refusal
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.database import Database
from engine.tables import DailyDeals, Forgetting, Moment, Person, Replays, Table, Tables, changes
from engine.tables.forgetting import DataHolder
from tests import unhurried

ANN, BO, CY, DI = PEOPLE = [Person(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)]
CLASSIC = Ruleset.of("classic", 4)
LONG_GAME = Ruleset.of("classic", 4, {"ends_at": 500})


async def refusal(work: Awaitable[object]) -> str:
    """The id of the refusal that this ends in."""
    with pytest.raises(Refusal) as refused:
        await work
    return refused.value.id


async def act(tables: Tables, table: Table, rng: Random, seat: int | None = None) -> Table:
    """Whoever has this seat, or the first that is waited for, makes a move."""
    seat = table.awaited[0] if seat is None else seat
    person = table.seats[seat].person
    move = random_move(seat_view(table.game, seat), rng)
    return await tables.change(table.id, changes.act, person, lambda _: move, Moment.of(table.game))


async def play_on(tables: Tables, table: Table, rng: Random, until: Callable[[Table], bool]) -> Table:
    """Whoever is waited for acts, until the table is so or the game has ended."""
    while table.is_live and not until(table):
        table = await act(tables, table, rng)
    return table


class House:
    """The services, which can be closed and opened again.

    `told` has the tables that they told of, and `left` the people whose messages were stopped. Tests may
    change the `options`, those of `Tables`, until it is opened.
    """

    def __init__(self, path: Path, **options: Any) -> None:
        self.path = path
        self.options = {"rng": Random(3)} | options
        self.now = 0.0
        self.told: list[Table] = []
        self.left: list[int] = []
        self.is_open = False

    async def open(self) -> Self:
        """Open the file, resume its tables and finish deletions."""
        self.database = await Database.open(laid(self.path))
        self.tables = Tables(self.database, self.told.append, clock=lambda: self.now, **self.options)
        self.daily = DailyDeals(self.tables, self.database, lambda: self.now)
        self.replays = Replays(self.tables, self.database, lambda: self.now)
        others = self._others()
        self.forgetting = Forgetting(
            self.tables, self.database, self._leave, lambda: self.daily.today, others
        )
        self.resumed = await self.tables.resume()
        self.is_open = True
        await privacy.finish(self.database, at_start=True)
        await self.forgetting.finish()
        return self

    def _others(self) -> Sequence[DataHolder]:
        """Other services that name people, made before the tables are resumed."""
        return ()

    async def _leave(self, person: int) -> None:
        self.left.append(person)

    async def close(self) -> None:
        """Close it, unless the test has."""
        if self.is_open:
            self.is_open = False
            await self.forgetting.close()
            await self.tables.close()
            await self.database.close()

    async def restart(self) -> list[Table]:
        """Close and open it; returns the resumed tables."""
        await self.close()
        await self.open()
        return self.resumed

    async def settle(self) -> None:
        """Let everything end that has begun."""
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Let this time pass at once, and everything happen that it brings."""
        self.now += seconds
        unhurried.skip_to(unhurried.clock() + seconds)
        for _ in range(2):
            await asyncio.sleep(0)
        await self.settle()

    async def until(self, holds: Callable[[], object], seconds: float = 300.0) -> None:
        """Wait until this is so, which takes moments unless a process hangs."""
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.001)

    @property
    def table(self) -> Table:
        """The one live table."""
        [table] = self.tables.live
        return table

    async def seat(
        self, *people: Person, rules: Ruleset = CLASSIC, channel: int = 1, **options: Any
    ) -> Table:
        """A lobby with these people, of whom the first is the host."""
        host, *others = people
        table = await self.tables.open(1, channel, host, rules, **options)
        for person in others:
            table = await self.tables.join(table.id, person)
        return table

    async def start(self, *people: Person, **options: Any) -> Table:
        """A game of these people, with computers in the other seats."""
        table = await self.seat(*people, **options)
        return await self.tables.change(table.id, changes.start, table.host)

    async def stop(self, table: Table) -> Table:
        """End this table without a result."""
        return await self.tables.change(table.id, changes.stop, table.host, may_manage=True)

    async def stored_of(self, person: Person) -> Any:
        """What is handed out to this person."""
        return json.loads(await self.forgetting.export(person.id))
