"""The bot at a table while the budget is tight."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from random import Random

import pytest
from people import Player, play_on
from server import OpenServer, Server

from tests.bench.measure import passing, real_time


@pytest.fixture
async def server(open_server: OpenServer) -> AsyncIterator[Server]:
    """A server where time passes."""
    with real_time():
        yield await open_server(rng=Random(10))  # whose first deal is played to its last card


@pytest.mark.slow
async def test_the_next_hand_comes_right_after_a_seal_that_had_to_wait_for_a_call(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.deal_and_pass(ann, pace="none")
    await play_on([ann], lambda: len(ann.hand.buttons) == 1)
    await ann.rest()
    with server.env._bot_scope():  # whose clock is another
        for _ in range(server.calls):
            server.env.bot.delivery.budget.spend()
    async with passing(server.env):
        ann.press(ann.playable[0], ann.hand)
        for _ in range(300):
            if not ann.dm.says("Deal 2"):
                await asyncio.sleep(0.1)
    assert ann.dm.says("Deal 2")
    assert server.opening(2)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
