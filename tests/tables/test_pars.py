"""Par of a finished deal: computed after it, stored and told with it, and added up for people."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import house as houses
import pytest
from house import ANN, BO, LONG_GAME, act, play_on, refusal

from engine import thinking as thinking_
from engine.play.game import Game, shuffle
from engine.play.par import DealStart, Par, gain
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.pars import day_pars
from engine.storage.results import GameKind
from engine.storage.standings import Board, Order, board_page, rivalries, tally_of
from engine.tables import Table, Tables, pars
from engine.tables.days import day_after, start_of_day
from engine.thinking import Thinking

GUILD, CHANNEL = 1, 1
OF_TWO_DEALS, SHORT = (Ruleset.of("classic", 4, {"ends_at": most}) for most in (40, 1))
KIND = GameKind("classic", lowest=True)
PAR = Par((5.0, 8.5, 6.0, 6.5), (0.4, 0.5, 0.4, 0.5), 60)
TODAY = "2026-11-21"
#: Seconds for a process that may have to compile first.
VERY_LONG = 900.0


class House(houses.House):
    """A house that notes which pars are found; those of the tables in `firsts` are found first."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.found: list[tuple[int, int]] = []
        self.firsts: set[int] = set()
        super().__init__(
            path,
            par_found=lambda table, deal: self.found.append((table.id, deal)),
            par_first=lambda table: table.id in self.firsts,
            **options,
        )
        self.now = start_of_day(TODAY) + 3600

    async def pars_come(self, deals: int) -> None:
        """Wait until the pars of this many deals have been found."""
        await self.until(lambda: len(self.found) == deals)

    async def no_pars_come(self) -> None:
        """Nothing is computed, nor will be."""
        await asyncio.sleep(0.5)
        assert self.tables.pars_waiting == 0

    async def play(self, table: Table, deals: int = 99) -> Table:
        """Play until this many deals are done, or to the end."""
        return await play_on(self.tables, table, Random(4), lambda now: len(now.game.points) >= deals)

    async def played(self, deals: int = 99, **options: Any) -> Table:
        """A game of Ann and Bo in which this many deals are done."""
        return await self.play(await self.start(ANN, BO, **({"rules": LONG_GAME} | options)), deals)


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    house = await House(path).open()
    yield house
    await house.close()


async def test_a_par_stays_with_its_deal_and_is_told(house: House) -> None:
    table = await house.played(1, rules=OF_TWO_DEALS)
    for deal in (0, 2, 3):
        assert await refusal(house.tables.put_par(table.id, deal, PAR)) == "stale"
    assert await refusal(house.tables.put_par(99, 1, PAR)) == "table_gone"
    await house.tables.put_par(table.id, 1, PAR)
    assert house.told[-1].pars == house.told[-1].public.pars == {1: PAR}
    await house.restart()
    assert house.table.pars == {1: PAR}
    await house.play(house.table)
    told = house.told.copy()
    await house.tables.put_par(table.id, 2, PAR)
    assert house.told == told, "what has ended isn't shown again as if it went on"
    assert house.found == [(table.id, 1), (table.id, 2)]
    games = house.tables.games
    for found in (house.tables.find(table.id), games.whole(table.id), games.latest(CHANNEL)):
        assert (await found).pars == {1: PAR, 2: PAR}


async def test_pars_that_come_before_the_end_and_after_it_add_up_alike(house: House) -> None:
    table = await house.played(1, rules=OF_TWO_DEALS)
    await house.tables.put_par(table.id, 1, PAR)
    table = await house.play(table)
    deals = len(table.game.points)
    assert deals > 1
    for deal in range(2, deals + 1):
        for _ in range(2):  # twice counts once
            await house.tables.put_par(table.id, deal, PAR)
    gains = [gain(OF_TWO_DEALS, points, PAR) for points in table.game.points]
    for person, seat, rival, other in ((ANN, 0, BO, 1), (BO, 1, ANN, 0)):
        tally = await tally_of(house.database, GUILD, person.id, KIND, ranked=True)
        mine = [one[seat] for one in gains]
        assert tally.under_par.deals == deals
        assert tally.under_par.mean == pytest.approx(mean(mine))
        assert tally.under_par.error == pytest.approx(stdev(mine) / deals**0.5)
        board = Board(KIND, order=Order.PAR)
        page = await board_page(house.database, GUILD, board, 0.0, person.id, first=0, count=10)
        rivalry = (await rivalries(house.database, GUILD, person.id, rival.id))[KIND]
        assert page.own.under_par == rivalry.under_par == tally.under_par
        assert rivalry.rivals_under_par.mean == pytest.approx(mean(one[other] for one in gains))


async def test_who_is_deleted_leaves_no_gains(house: House) -> None:
    table = await house.played(rules=OF_TWO_DEALS)
    await house.tables.put_par(table.id, 1, PAR)
    await privacy.delete(house.database, ANN.id, ANN.name, [Tables.stored])
    await house.tables.put_par(table.id, 2, PAR)
    rows = await house.database.read("SELECT person > 0, par_deals, par_gain FROM results ORDER BY person")
    [(is_ann, *none), (is_bo, deals, _)] = map(tuple, rows)
    assert (is_ann, none, is_bo, deals) == (False, [0, 0.0], True, 2)
    assert await tally_of(house.database, GUILD, ANN.id, KIND, ranked=True) is None


# How they are computed


@pytest.fixture
async def mill(path: Path, monkeypatch: pytest.MonkeyPatch, thinker: Thinking) -> AsyncIterator[House]:
    """A house with a process that computes pars."""
    monkeypatch.setattr(thinking_, "SEARCHES", 1)
    monkeypatch.setattr(thinking_, "REPLAYS", 5)
    monkeypatch.setattr(pars, "RETRY_AFTER", 0.1)
    house = await House(path, thinking=thinker).open()
    yield house
    await house.close()


@pytest.mark.slow
async def test_each_deal_that_is_over_gets_its_par_and_none_before(mill: House) -> None:
    table = await mill.start(ANN, BO, rules=LONG_GAME)
    table = await act(mill.tables, table, Random(1))
    await mill.no_pars_come()
    for deals in (1, 2):
        table = await mill.play(table, deals)
        await mill.pars_come(deals)
        assert set(mill.table.pars) == set(range(1, deals + 1))
    for told in mill.told:
        assert len(told.pars) <= len(told.game.points if told.game else ())
    assert mill.found == [(table.id, 1), (table.id, 2)]
    par = mill.table.pars[1]
    assert sum(par.points) > 26 - 1e-9  # more with a moon
    assert par.replays == 5
    for number in (0, 3):
        with pytest.raises(ValueError, match="isn't finished"):
            DealStart.of(table.game, number)


@pytest.mark.slow
async def test_a_par_is_always_the_same_and_comes_after_what_somebody_waits_for(mill: House) -> None:
    thinking = mill.options["thinking"]
    start = DealStart(LONG_GAME, 1, shuffle(Game(LONG_GAME), Random(7)), 0, (0, 0, 0, 0))
    computing = asyncio.create_task(thinking.par(start))
    for _ in range(5):
        await thinking.pool.ask(os.getpid, seconds=VERY_LONG)
        assert thinking.pool.crowd == 0
    assert not computing.done()
    par = await computing
    other = Thinking(workers=1)
    await other.pool.ask(os.getpid, seconds=VERY_LONG)
    assert await other.par(start) == par
    other.close()


@pytest.mark.slow
async def test_a_deal_over_which_a_process_died_waits_for_the_others(mill: House) -> None:
    [pid] = mill.options["thinking"].pool.pids
    os.kill(pid, signal.SIGSTOP)  # so that the first par isn't done before the second deal is
    table = await mill.played(2)
    assert mill.tables.pars_waiting == 2
    os.kill(pid, signal.SIGKILL)
    await mill.pars_come(2)
    assert mill.found == [(table.id, 2), (table.id, 1)]


@pytest.mark.slow
async def test_what_was_left_comes_in_order_after_the_next_start(mill: House, thinker: Thinking) -> None:
    mill.options["thinking"] = Thinking(workers=0)
    await mill.restart()
    alone = await mill.play(await mill.start(ANN, rules=SHORT))
    old, damaged, new = [await mill.played(rules=SHORT, channel=channel) for channel in (2, 3, 4)]
    stopped = await mill.stop(await mill.played(1, channel=5))
    live, first = [await mill.played(1, channel=channel) for channel in (6, 7)]
    assert mill.tables.pars_waiting == 0
    await mill.database.execute("UPDATE tables SET end_seen = 1")  # so that the start shows no end again
    mill.firsts = {first.id}
    mill.options["thinking"] = thinker
    await mill.restart()
    await mill.database.execute(
        "UPDATE moves SET move = '{}' WHERE table_id = ? AND number = 9", (damaged.id,)
    )
    await mill.pars_come(6)
    order = [(one.id, 1) for one in (first, live, new, old, stopped, alone)]
    assert mill.found == order
    await mill.restart()
    assert mill.tables.get(live.id).pars.keys() == {1}
    await mill.no_pars_come()
    assert mill.found == order, "none is computed again"


@pytest.mark.slow
async def test_closing_in_the_middle_is_no_trouble(mill: House, caplog: pytest.LogCaptureFixture) -> None:
    await mill.played(2)
    assert mill.tables.pars_waiting == 2
    await mill.close()
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    await mill.open()
    await mill.pars_come(2)


@pytest.mark.slow
async def test_the_daily_deals_have_pars_once_their_day_is_over(mill: House) -> None:
    await mill.daily.tend()
    table = await mill.play(await mill.daily.play(ANN, GUILD, 1))
    assert not table.is_live
    await mill.no_pars_come()
    assert await day_pars(mill.database, TODAY) == {}
    mill.now = start_of_day(day_after(TODAY)) + 3600
    await mill.daily.tend()
    assert mill.tables.pars_waiting == 3
    await mill.until(lambda: mill.tables.pars_waiting == 0)
    known = await day_pars(mill.database, TODAY)
    assert known.keys() == {1, 2, 3}
    assert (await mill.replays.of_table(table.id)).pars == known
    assert await day_pars(mill.database, day_after(TODAY)) == {}
    await mill.daily.tend()
    assert mill.tables.pars_waiting == 0
