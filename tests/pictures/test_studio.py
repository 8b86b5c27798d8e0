"""Pictures are drawn in a process of their own, as they would be in this one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.pictures import Studio, draw
from bot.scenes import FanScene
from engine.cards import cards
from engine.worker import Failed, Lost

FAN = FanScene(cards("2C QD KS AH"))


@pytest.fixture
def studio() -> Iterator[Studio]:
    studio = Studio()
    yield studio
    studio.close()


async def test_it_draws_what_would_be_drawn_here(studio: Studio) -> None:
    assert await studio.draw(FAN) == draw(FAN)
    assert await studio.draw(FAN) == draw(FAN)


async def test_what_cannot_be_drawn_is_told_and_the_next_picture_comes(studio: Studio) -> None:
    nonsense: Any = FanScene(("no card",))  # type: ignore[arg-type]
    with pytest.raises(Failed, match="Traceback"):
        await studio.draw(nonsense)
    assert await studio.draw(FAN) == draw(FAN)


async def test_once_it_is_closed_nothing_is_drawn(studio: Studio) -> None:
    studio.open()
    studio.close()
    with pytest.raises(Lost):
        await studio.draw(FAN)
