"""Par of a finished deal: stored with it, told to whoever shows the table, and added up for people."""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import mean, stdev

import pytest
from acting import play_on

from engine.errors import Refusal
from engine.play.par import Par, gain
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.results import GameKind
from engine.storage.standings import Board, Order, board_page, rivalries, tally_of
from engine.tables import Person, Table, Tables, changes

GUILD, CHANNEL = 1, 2
ANN, BO = Person(11, "Ann"), Person(12, "Bo")
RULES = Ruleset.of("classic", 4, {"ends_at": 40})
KIND = GameKind("classic", lowest=True)
PAR = Par((5.0, 8.5, 6.0, 6.5), (0.4, 0.5, 0.4, 0.5), 60)


class House:
    """The service upon a file, and what it has told."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.shown: list[Table] = []
        self.found: list[tuple[int, int]] = []
        self.tables = Tables(
            database,
            self.shown.append,
            rng=Random(5),
            par_found=lambda table, deal: self.found.append((table.id, deal)),
        )

    @staticmethod
    async def open(path: Path) -> House:
        house = House(await Database.open(path))
        await house.tables.resume()
        return house

    async def close(self) -> None:
        await self.tables.close()
        await self.database.close()

    async def begin(self) -> Table:
        """A game of Ann and Bo in which a deal is done."""
        table = await self.tables.open(GUILD, CHANNEL, ANN, RULES)
        await self.tables.join(table.id, BO)
        table = await self.tables.change(table.id, changes.start, ANN.id)
        return await play_on(self.tables, table, Random(3), lambda table: len(table.game.points) == 1)

    async def play(self, table: Table) -> Table:
        return await play_on(self.tables, table, Random(4), lambda table: False)


async def test_a_par_stays_with_its_deal_and_is_told(path: Path) -> None:
    house = await House.open(path)
    table = await house.begin()
    house.shown.clear()
    await house.tables.put_par(table.id, 1, PAR)
    [told] = house.shown
    assert told.pars == told.public.pars == {1: PAR}
    assert house.found == [(table.id, 1)]
    await house.close()

    house = await House.open(path)
    assert house.tables.get(table.id).pars == {1: PAR}
    table = await house.play(house.tables.get(table.id))
    assert not table.is_live
    house.shown.clear()
    await house.tables.put_par(table.id, 2, PAR)
    assert house.shown == [], "what has ended isn't shown again as if it went on"
    assert house.found == [(table.id, 2)]
    assert (await house.tables.find(table.id)).pars == {1: PAR, 2: PAR}
    assert (await house.tables.games.whole(table.id)).pars == {1: PAR, 2: PAR}
    assert (await house.tables.games.latest(CHANNEL)).pars == {1: PAR, 2: PAR}
    await house.close()


async def test_a_deal_that_goes_on_takes_no_par(path: Path) -> None:
    house = await House.open(path)
    table = await house.begin()
    for deal in (0, 2, 3):
        with pytest.raises(Refusal):
            await house.tables.put_par(table.id, deal, PAR)
    with pytest.raises(Refusal):
        await house.tables.put_par(99, 1, PAR)
    assert house.tables.get(table.id).pars == {}
    await house.close()


async def test_pars_that_come_before_the_end_and_after_it_add_up_alike(path: Path) -> None:
    house = await House.open(path)
    table = await house.begin()
    await house.tables.put_par(table.id, 1, PAR)
    table = await house.play(table)
    deals = len(table.game.points)
    assert deals > 1
    for deal in range(2, deals + 1):
        await house.tables.put_par(table.id, deal, PAR)
        await house.tables.put_par(table.id, deal, PAR)  # twice counts once
    gains = [gain(RULES, points, PAR) for points in table.game.points]
    for person, seat, other in ((ANN, 0, 1), (BO, 1, 0)):
        tally = await tally_of(house.database, GUILD, person.id, KIND, ranked=True)
        assert tally.under_par.deals == deals
        mine = [one[seat] for one in gains]
        assert tally.under_par.mean == pytest.approx(mean(mine))
        assert tally.under_par.error == pytest.approx(stdev(mine) / deals**0.5)
        board = Board(KIND, order=Order.PAR)
        page = await board_page(house.database, GUILD, board, 0.0, person.id, first=0, count=10)
        assert page.own.under_par == tally.under_par
        rivals = (BO if person is ANN else ANN).id
        rivalry = (await rivalries(house.database, GUILD, person.id, rivals))[KIND]
        assert rivalry.under_par == tally.under_par
        assert rivalry.rivals_under_par.mean == pytest.approx(mean(one[other] for one in gains))
    await house.close()


async def test_who_is_deleted_leaves_no_gains(path: Path) -> None:
    house = await House.open(path)
    table = await house.play(await house.begin())
    await house.tables.put_par(table.id, 1, PAR)
    await privacy.delete(house.database, ANN.id, ANN.name, [Tables.stored])
    await house.tables.put_par(table.id, 2, PAR)
    rows = await house.database.read("SELECT person, par_deals, par_gain FROM results ORDER BY person")
    assert [(person > 0, deals) for person, deals, _ in rows] == [(False, 0), (True, 2)]
    assert rows[0][2] == 0.0
    assert await tally_of(house.database, GUILD, ANN.id, KIND, ranked=True) is None
    await house.close()
