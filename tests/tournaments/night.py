"""A tournament night by the real services on a real file, in a time of its own that tests move on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Self

from engine.errors import Refusal
from engine.tables import Person, Table
from engine.tournaments import Round, RoundTable, Terms, Tournament, Tournaments
from engine.tournaments.changes import PAUSE
from tests import unhurried
from tests.tables.house import CLASSIC, House, act

GUILD, CHANNEL = 7, 70
HOST = Person(99, "Host")
#: When it begins: noon of 21 November 2026.
NOON = 1_795_262_400.0


def people(count: int) -> list[Person]:
    return [Person(100 + number, f"P{number}") for number in range(1, count + 1)]


class Night(House):
    """A house with tournaments, which tells of them; `without_place` says which tables get no place."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(path, rng=Random(1), **options)
        self.now = NOON
        self.changed: list[Tournament] = []
        self.asked: list[tuple[int, int]] = []
        self.without_place: Callable[[RoundTable], bool] = lambda table: False
        self.failure: Exception = Refusal("bot_may_not_post")
        self.rng = Random(4)

    @property
    def now(self) -> float:
        """Unlike a house's, it goes on by the loop's clock."""
        return self._began + unhurried.clock()

    @now.setter
    def now(self, now: float) -> None:
        self._began = now - unhurried.clock()

    async def open(self) -> Self:
        await super().open()
        await self.tournaments.resume()
        await self.settle()
        return self

    def _others(self) -> list[Tournaments]:
        self.tournaments = Tournaments(
            self.tables, self.database, self._provide, self.changed.append, rng=Random(2)
        )
        return [self.tournaments]

    async def close(self) -> None:
        if self.is_open:
            await self.tournaments.close()
        await super().close()

    async def be_away(self, seconds: float) -> None:
        """Let so much time go by while nothing runs."""
        await self.close()
        self.now += seconds
        await self.open()

    @property
    def tournament(self) -> Tournament:
        """The one live tournament."""
        [tournament] = self.tournaments.live
        return tournament

    async def _provide(self, tournament: Tournament, round: Round, table: RoundTable) -> int:
        self.asked.append((round.number, table.number))
        if self.without_place(table):
            raise self.failure
        return 10_000 * tournament.id + 100 * round.number + table.number

    async def wait(self, seconds: float, step: float = 15.0) -> None:
        """Let so much time go by, and everything happen that it brings."""
        until = self.now + seconds
        while (left := until - self.now) > 0:
            unhurried.skip_to(unhurried.clock() + min(step, left))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await self.settle()

    # A tournament

    async def sign_up(self, count: int, terms: Terms | None = None, starts_in: float | None = None) -> int:
        """The id of a tournament for which so many have signed up."""
        starts = None if starts_in is None else self.now + starts_in
        opened = await self.tournaments.open(GUILD, CHANNEL, HOST, terms or Terms(CLASSIC), starts)
        for person in people(count):
            await self.tournaments.sign_up(opened.id, person)
        return opened.id

    async def start(self, count: int, terms: Terms | None = None) -> int:
        id = await self.sign_up(count, terms)
        await self.tournaments.start(id, HOST.id, may_manage=False)
        await self.settle()
        return id

    def playing(self) -> list[Table]:
        """The tables of tournaments where somebody is waited for."""
        return [table for table in self.tables.live if table.tournament and table.awaited]

    async def play_round(self) -> None:
        """Everyone plays by chance until no table waits for anybody."""
        while tables := self.playing():
            await asyncio.gather(*(self.play_deal(table) for table in tables))
            await self.settle()

    async def next_round(self) -> None:
        """Everyone plays the round, and the next one begins."""
        await self.play_round()
        await self.wait(PAUSE + 1)

    async def play_deal(self, table: Table) -> None:
        """Everyone at this table plays the deal to its end."""
        before = len(table.game.points)
        while table.is_live and table.awaited and table.game and len(table.game.points) == before:
            table = await act(self.tables, table, self.rng)

    async def to_the_end(self, id: int) -> Tournament:
        """Everyone plays every round; returns the tournament once it is over."""
        for _ in range(20):
            await self.play_round()
            tournament = await self.tournaments.find(id)
            if not tournament.is_live:
                return tournament
            wait = 1.0 if tournament.next_at is None else tournament.next_at - self.now + 1
            await self.wait(wait, step=wait)
        raise AssertionError("it goes on for ever")
