"""Whole tournaments, through the services that people use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from night import CLASSIC, Night

from engine.tournaments import State, Terms, standings


@pytest.fixture
async def night(path: Path) -> AsyncIterator[Night]:
    night = await Night(path).open()
    yield night
    await night.close()


async def test_four_people_play_a_night(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=2, deals=2))
    over = await night.to_the_end(id)
    assert over.state is State.OVER
    assert [len(table.deals) for _, table in over.tables] == [2, 2]
    assert all(deal.played == {0, 1, 2, 3} for _, table in over.tables for deal in table.deals)
    assert [one.place for one in standings(over)] == [1, 2, 3, 4]
