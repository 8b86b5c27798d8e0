"""Pars are computed after the deal, whoever and whatever comes between, and whichever deals are waiting."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from acting import act, play_on

from engine import thinking as thinking_
from engine.errors import Refusal
from engine.play.game import Game, shuffle
from engine.play.par import DealStart
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.pars import day_pars
from engine.tables import DailyDeals, Person, Replays, Table, Tables, changes, pars
from engine.tables.days import day_after, start_of_day
from engine.thinking import Thinking

pytestmark = pytest.mark.slow

GUILD = 1
ANN, BO = Person(11, "Ann"), Person(12, "Bo")
RULES = Ruleset.of("classic", 4, {"ends_at": 500})
SHORT = Ruleset.of("classic", 4, {"ends_at": 1})
TODAY = "2026-11-21"
#: Seconds for what takes moments, and for a process that may have to compile first.
LONG, VERY_LONG = 300.0, 900.0


class House:
    """A file, and the service on it, with processes that compute pars or without."""

    def __init__(self, path: Path, thinking: Thinking) -> None:
        self.path = path
        self.thinking = thinking
        self.day = TODAY
        self.told: list[Table] = []
        self.found: list[tuple[int, int]] = []
        self.firsts: set[int] = set()

    async def enter(self, *, computes: bool = True) -> Tables:
        self.database = await Database.open(self.path)
        self.tables = Tables(
            self.database,
            self.told.append,
            rng=Random(3),
            thinking=self.thinking if computes else Thinking(workers=0),
            clock=lambda: start_of_day(self.day) + 3600,
            par_found=lambda table, deal: self.found.append((table.id, deal)),
            par_first=lambda table: table.id in self.firsts,
        )
        self.daily = DailyDeals(self.tables, self.database, lambda: start_of_day(self.day) + 3600)
        await self.tables.resume()
        return self.tables

    async def leave(self) -> None:
        await self.tables.close()
        await self.database.close()

    async def begin(self, channel: int, *people: Person, rules: Ruleset = RULES) -> Table:
        table = await self.tables.open(GUILD, channel, people[0], rules)
        for person in people[1:]:
            await self.tables.join(table.id, person)
        return await self.tables.change(table.id, changes.start, people[0].id)

    async def play(self, table: Table, deals: int = 99) -> Table:
        """Play until this many deals are done, or to the end."""
        return await play_on(self.tables, table, Random(4), lambda now: len(now.game.points) >= deals)

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(LONG):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinker: Thinking) -> AsyncIterator[House]:
    monkeypatch.setattr(thinking_, "SEARCHES", 1)
    monkeypatch.setattr(thinking_, "REPLAYS", 5)
    monkeypatch.setattr(pars, "RETRY_AFTER", 0.1)
    house = House(tmp_path / "hearts.sqlite3", thinker)
    yield house
    with suppress(ValueError):  # it was left
        await house.leave()


async def test_each_deal_that_is_over_gets_its_par_and_none_before(house: House) -> None:
    tables = await house.enter()
    table = await house.begin(1, ANN, BO)
    table = await act(tables, table, Random(1))
    await asyncio.sleep(0.5)
    assert tables.pars_waiting == 0
    for deals in (1, 2):
        table = await house.play(table, deals)
        await house.until(lambda: len(house.found) == deals)  # noqa: B023  # which it awaits
        assert set(tables.get(table.id).pars) == set(range(1, deals + 1))
    for told in house.told:
        assert len(told.pars) <= len(told.game.points if told.game else ())
    assert house.found == [(table.id, 1), (table.id, 2)]
    par = tables.get(table.id).pars[1]
    assert sum(par.points) == pytest.approx(26) or sum(par.points) > 26  # with a moon
    assert par.replays == 5


async def test_a_par_is_always_the_same(house: House) -> None:
    await house.enter()
    game = Game(RULES)
    start = DealStart(RULES, 1, shuffle(game, Random(7)), 0, (0, 0, 0, 0))
    par = await house.thinking.par(start)
    other = Thinking(workers=1)
    await other.pool.ask(os.getpid, seconds=VERY_LONG)
    assert await other.par(start) == par
    other.close()


async def test_what_somebody_waits_for_comes_first(house: House) -> None:
    await house.enter()
    start = DealStart(RULES, 1, shuffle(Game(RULES), Random(7)), 0, (0, 0, 0, 0))
    par = asyncio.create_task(house.thinking.par(start))
    for _ in range(5):
        await house.thinking.pool.ask(os.getpid, seconds=LONG)
        assert house.thinking.pool.crowd == 0
    assert not par.done()
    assert (await par).replays == 5


async def test_a_process_that_dies_only_puts_a_par_off(house: House) -> None:
    tables = await house.enter()
    table = await house.play(await house.begin(1, ANN, BO), 1)
    assert tables.pars_waiting == 1
    [pid] = house.thinking.pool.pids
    os.kill(pid, signal.SIGKILL)
    await house.until(lambda: tables.get(table.id).pars)
    assert house.found == [(table.id, 1)]


async def test_a_deal_over_which_a_process_died_waits_for_the_others(house: House) -> None:
    tables = await house.enter()
    [pid] = house.thinking.pool.pids
    os.kill(pid, signal.SIGSTOP)  # so that the first par isn't done before the second deal is
    table = await house.play(await house.begin(1, ANN, BO), 2)
    assert tables.pars_waiting == 2
    os.kill(pid, signal.SIGKILL)
    await house.until(lambda: len(tables.get(table.id).pars) == 2)
    assert house.found == [(table.id, 2), (table.id, 1)]


async def test_without_processes_there_is_no_par(house: House) -> None:
    tables = await house.enter(computes=False)
    await house.play(await house.begin(1, ANN, BO), 1)
    assert tables.pars_waiting == 0


async def test_what_was_left_is_found_at_the_next_start_and_comes_in_order(house: House) -> None:
    await house.enter(computes=False)
    alone = await house.play(await house.begin(1, ANN, rules=SHORT))
    old = await house.play(await house.begin(2, ANN, BO, rules=SHORT))
    damaged = await house.play(await house.begin(3, ANN, BO, rules=SHORT))
    new = await house.play(await house.begin(4, ANN, BO, rules=SHORT))
    stopped = await house.play(await house.begin(5, ANN, BO), 1)
    await house.tables.change(stopped.id, changes.stop, ANN.id, may_manage=True)
    live = await house.play(await house.begin(6, ANN, BO), 1)
    first = await house.play(await house.begin(7, ANN, BO), 1)
    await house.leave()
    house.firsts = {first.id}
    await house.enter()
    await house.database.execute(
        "UPDATE moves SET move = '{}' WHERE table_id = ? AND number = 9", (damaged.id,)
    )
    await house.until(lambda: len(house.found) == 6)
    order = [first.id, live.id, new.id, old.id, stopped.id, alone.id]
    assert house.found == [(id, 1) for id in order]
    await house.leave()
    house.found.clear()
    tables = await house.enter()
    assert tables.get(live.id).pars.keys() == {1}
    await asyncio.sleep(0.5)
    assert tables.pars_waiting == 0
    assert house.found == []


async def test_closing_in_the_middle_is_no_trouble(house: House, caplog: pytest.LogCaptureFixture) -> None:
    tables = await house.enter()
    table = await house.play(await house.begin(1, ANN, BO), 2)
    assert tables.pars_waiting == 2
    await house.leave()
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    tables = await house.enter()
    await house.until(lambda: len(tables.get(table.id).pars) == 2)


async def test_the_daily_deals_have_pars_once_their_day_is_over(house: House) -> None:
    tables = await house.enter()
    await house.daily.tend()
    table = await house.daily.play(ANN, GUILD, 1)
    table = await house.play(table)
    assert not table.is_live
    await asyncio.sleep(0.5)
    assert tables.pars_waiting == 0
    assert await day_pars(house.database, TODAY) == {}
    house.day = day_after(TODAY)
    await house.daily.tend()
    assert tables.pars_waiting == 3
    await house.until(lambda: tables.pars_waiting == 0)
    known = await day_pars(house.database, TODAY)
    assert known.keys() == {1, 2, 3}
    replays = Replays(tables, house.database, lambda: start_of_day(house.day) + 3600)
    assert (await replays.of_table(table.id)).pars == known
    assert await day_pars(house.database, house.day) == {}
    await house.daily.tend()
    assert tables.pars_waiting == 0


async def test_no_par_of_a_deal_that_goes_on(house: House) -> None:
    await house.enter()
    table = await house.play(await house.begin(1, ANN, BO), 1)
    for number in (0, 2, 3):
        with pytest.raises(ValueError, match="isn't finished"):
            DealStart.of(table.game, number)
    par = await house.thinking.par(DealStart.of(table.game, 1))
    for number in (0, 2, 3):
        with pytest.raises(Refusal):
            await house.tables.put_par(table.id, number, par)
