"""A night in which the bot is killed after each step: nothing is lost, and nothing happens twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, Night, people
from test_nights import check

from engine.errors import Refusal
from engine.storage.database import Database
from engine.tournaments import Terms, Tournament, TournamentState

pytestmark = pytest.mark.slow


class Mortal(Night):
    """A night whose file takes only so many more writes: what comes after is lost, as in a kill."""

    left = writes = 1

    async def _open_file(self) -> Database:
        database = await super()._open_file()
        self.left, write = self.writes, database.write

        async def write_while_alive(change: Callable[..., Any]) -> Any:
            if self.left <= 0:
                raise Refusal("cannot_save")
            self.left -= 1
            return await write(change)

        database.write = write_while_alive  # type: ignore[method-assign]
        return database

    async def go_on(self, terms: Terms, count: int) -> Tournament | None:
        """What people do in this life, as far as it goes; the tournament once it is over."""
        try:
            tournament = await self.tournaments.find(1)
        except Refusal:
            tournament = await self.tournaments.open(GUILD, CHANNEL, HOST, terms)
        if not tournament.is_live:
            return tournament
        if tournament.state is TournamentState.SIGNING_UP:
            for person in people(count):
                if person.id not in tournament.by_person:
                    await self.tournaments.sign_up(tournament.id, person)
            await self.tournaments.start(tournament.id, HOST.id, may_manage=False)
            await self.settle()
        while self.left > 0:
            tournament = await self.tournaments.find(tournament.id)
            if tables := self.playing():
                await self.play_deal(tables[0])
            elif not tournament.is_live:
                return tournament
            else:
                await self.wait(100 if tournament.has_next_round else 2000, step=2000)
            await self.settle()
        return None


@pytest.mark.parametrize(("count", "rounds", "writes"), [(3, 2, 1), (3, 2, 2), (5, 1, 1), (5, 1, 3)])
async def test_a_night_outlives_a_kill_after_every_step(
    path: Path, count: int, rounds: int, writes: int, caplog: pytest.LogCaptureFixture
) -> None:
    night = Mortal(path)
    night.writes = writes
    terms, over, lives = Terms(CLASSIC, rounds=rounds, deals=1), None, 0
    while over is None:
        await night.open()
        with suppress(Refusal):
            over = await night.go_on(terms, count)
        await night.close()
        lives += 1
        assert lives < 1000
    check(over, count)
    assert lives > 60 / writes
    await night.open()
    marks = Counter(night.asked)
    assert marks.keys() == {(round.number, table.number) for round, table in over.tables}
    ids = await night.database.read("SELECT id FROM tables ORDER BY id")
    assert [id for (id,) in ids] == sorted(table.table for _, table in over.tables if table.table)
    lines = await night.tournaments.season(GUILD, None)
    assert [line.played for line in lines] == [1] * count
    await night.close()
    assert not [record for record in caplog.records if record.exc_info]


async def test_tables_of_a_tournament_that_is_over_close_after_a_kill(path: Path) -> None:
    """It was stopped, and the bot killed before that was told to its tables."""
    night = Mortal(path)
    night.writes = 1000
    await night.open()
    id = await night.start(3, Terms(CLASSIC, rounds=1, deals=1))
    assert night.playing()
    night.left = 1
    await night.tournaments.cancel(id, HOST.id, may_manage=False)
    await night.settle()
    assert night.playing(), "it took no more than one write"
    await night.restart()
    assert (await night.tournaments.find(id)).state is TournamentState.STOPPED
    assert not night.tables.live
    await night.close()
