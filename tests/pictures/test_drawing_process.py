"""Pictures are drawn in a process of their own, as they would be in this one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.pictures import DrawingProcess, draw
from bot.vocabulary.scenes import FanScene
from engine.cards import cards
from engine.worker import Failed, Lost

FAN = FanScene(cards("2C QD KS AH"))


@pytest.fixture
def drawing() -> Iterator[DrawingProcess]:
    drawing = DrawingProcess()
    yield drawing
    drawing.close()


@pytest.mark.slow
async def test_it_draws_what_would_be_drawn_here(drawing: DrawingProcess) -> None:
    assert await drawing.draw(FAN) == draw(FAN)
    assert await drawing.draw(FAN) == draw(FAN)


@pytest.mark.slow
async def test_what_cannot_be_drawn_is_told_and_the_next_picture_comes(drawing: DrawingProcess) -> None:
    nonsense: Any = FanScene(("no card",))  # type: ignore[arg-type]
    with pytest.raises(Failed, match="Traceback"):
        await drawing.draw(nonsense)
    assert await drawing.draw(FAN) == draw(FAN)


async def test_once_it_is_closed_nothing_is_drawn(drawing: DrawingProcess) -> None:
    drawing.open()
    drawing.close()
    with pytest.raises(Lost):
        await drawing.draw(FAN)
