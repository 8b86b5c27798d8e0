"""Ratings cannot be farmed: short games, the same people again and again, and newcomers are worth little."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from storage.farms import AT_LEISURE, FARMER, SHORT_FARMS, WHOLE, Farm, Farming
from tables.acting import play_on
from tables.house import ANN, BO, House

from engine.ratings import NEW
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.results import recompute_ratings
from engine.storage.standings import Order
from engine.tables import voting

#: What thirty short games may raise a rating by.
MOST = 50


@pytest.mark.slow
@pytest.mark.parametrize("farming", SHORT_FARMS, ids=lambda farming: farming.name)
@pytest.mark.parametrize("is_known", [False, True])
async def test_thirty_short_games_raise_no_rating(
    database: Database, farming: Farming, *, is_known: bool
) -> None:
    farm, before = Farm(database), NEW.shown
    if is_known:
        await farm.become_known()
        before = await farm.rating()
    await farming(farm)
    assert await farm.rating() - before < MOST
    await database.write(recompute_ratings)
    assert await farm.rating() - before < MOST


@pytest.mark.slow
@pytest.mark.parametrize("farming", SHORT_FARMS, ids=lambda farming: farming.name)
async def test_thirty_short_games_lead_no_leaderboard(database: Database, farming: Farming) -> None:
    farm = Farm(database)
    for first, second in [(901, 902), (902, 901)] * 4:  # each wins four whole games
        await farm.play(first, second, deals=WHOLE, pace=AT_LEISURE)
    await farming(farm)
    for _ in range(2):
        for order in (Order.WINS, Order.POINTS):
            places = await farm.places(order)
            assert places[FARMER] > max(places[901], places[902])
        await database.write(recompute_ratings)


@pytest.mark.slow
@pytest.mark.parametrize("ends_at", [1, 500])
async def test_a_game_ended_after_a_deal_is_a_game_of_one_deal(path: Path, ends_at: int) -> None:
    house = await House(path).open()
    table = await house.start(ANN, BO, rules=Ruleset.of("classic", 4, {"ends_at": ends_at}))
    table = await play_on(house.tables, table, Random(1), lambda table: len(table.game.points) == 1)
    if table.is_live:
        table = await house.tables.end(table.id, ANN.id)
        table = await house.tables.change(table.id, voting.answer, BO.id, table.vote.number, agrees=True)
    assert not table.is_live
    assert [one.after.shown - NEW.shown for one in table.rated] == [0, 0]
    assert all(one.after.sigma < NEW.sigma for one in table.rated)  # though it counts
    await house.close()
