"""The board says who has taken every point so far, as long as that may become a moon."""

from __future__ import annotations

from typing import Any

import pytest
from games import change_rules
from server import Server
from test_finishing import in_lobby, play_tricks

pytestmark = pytest.mark.slow

POINTED_OUT = "👀 Ann has taken every point so far."


@pytest.fixture
async def seated(open_server: Any) -> Server:
    """A lobby before a deal in which Ann takes two points with each trick but the first."""
    return await in_lobby(open_server)


async def test_from_eight_points_on_the_board_says_so(seated: Server) -> None:
    await seated.people[0].click("Start")
    seen = set()
    for _ in range(7):
        await play_tricks(seated, 1)
        [table] = seated.env.bot.tables.live
        has_eight = table.public.view.deal.so_far[0] >= 8
        assert seated.shows(POINTED_OUT) == has_eight
        seen.add(has_eight)
    assert seen == {True, False}
    await play_tricks(seated, 1)
    assert seated.shows("After deal 1")
    assert not seated.shows(POINTED_OUT)


async def test_not_where_the_table_does_not_want_it(seated: Server) -> None:
    ann, bo = seated.people[:2]
    await change_rules(ann, moons=False)
    assert (await bo.click("Rules")).private[0].says("The table doesn't point out a player")
    await ann.click("Start")
    await play_tricks(seated, 6)
    assert not seated.shows("👀")
    [table] = seated.stored()["tables"]
    assert (table["points_out_moons"], table["finishes_early"]) == (False, True)


async def test_a_rematch_keeps_it(seated: Server) -> None:
    ann = seated.people[0]
    await change_rules(ann, moons=False, ends_at="1")
    await ann.click("Start")
    await play_tricks(seated, 8)
    await ann.click("Rematch")
    settings = [row["points_out_moons"] for row in seated.stored()["tables"]]
    assert settings == [False, False]
