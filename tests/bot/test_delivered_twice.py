"""Interactions that the gateway delivers twice, as it may after a reconnect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from people import Player
from server import Server

pytestmark = pytest.mark.slow


@pytest.fixture
def twice(server: Server) -> Callable[[], None]:
    """From its call on, the gateway delivers everything twice."""
    emit = server.env.backend.emit

    def emit_twice(event: str, payload: Any) -> None:
        for _ in range(2):
            emit(event, payload)

    return lambda: setattr(server.env.backend, "emit", emit_twice)


async def test_a_click_that_is_delivered_twice_is_one_click(
    server: Server, ann: Player, twice: Callable[[], None]
) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    twice()
    await ann.click("Medium", page)
    [table] = server.env.bot.tables.live
    assert len(table.seats) == 2
    await ann.click("Medium", page)
    [table] = server.env.bot.tables.live
    assert len(table.seats) == 3


async def test_a_command_that_is_delivered_twice_is_one_command(
    server: Server, ann: Player, twice: Callable[[], None]
) -> None:
    twice()
    await ann.run("hearts new")
    assert sum(one.path.endswith("/callback") for one in server.requests) == 1
    assert len(server.stored()["tables"]) == 1
