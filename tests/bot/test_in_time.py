"""Discord gives three seconds to answer: what takes longer is acknowledged, and shown when it is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from conftest import OpenServer
from people import Player, play_on
from server import Server
from weather import Weather

from bot.delivery.reply import ACKNOWLEDGE_AFTER
from tests.bench.measure import real_time

pytestmark = pytest.mark.slow

#: Kinds of answers to a click: an acknowledgement, and a change of the message that was clicked.
ACKNOWLEDGED, UPDATE = 6, 7


@pytest.fixture
async def server(open_server: OpenServer) -> AsyncIterator[Server]:
    """A server where time passes."""
    with real_time():
        yield await open_server()


def answers(server: Server) -> list[int]:
    """The kinds of all answers so far."""
    return [one.body["type"] for one in server.requests if one.path.endswith("/callback")]


async def test_a_click_that_has_to_wait_is_acknowledged_and_shown_when_it_is_done(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weather.SLOW", 2 * ACKNOWLEDGE_AFTER)
    await server.deal_and_pass(ann, bo, pace="none")
    await play_on([ann, bo], lambda: bool(ann.playable))
    await server.restart()  # no click is left through which Bo's hand could be changed
    before = len(answers(server))
    Weather(server).slow_down(rf"/channels/{bo.member.user.dm_channel.id}/messages/\d+")
    ann.press(ann.playable[0], ann.hand)
    await asyncio.sleep(ACKNOWLEDGE_AFTER / 2)  # by now Bo's hand is being changed: it is their turn
    waiting, clicked = bo.press(next(iter(bo.hand.buttons)), bo.hand), bo.hand
    await asyncio.sleep(ACKNOWLEDGE_AFTER * 1.25)
    assert answers(server)[before:] == [UPDATE, ACKNOWLEDGED]
    assert waiting.result.acknowledged
    await asyncio.sleep(ACKNOWLEDGE_AFTER * 1.5)
    assert bo.hand.id == clicked.id
    assert len(bo.hand.buttons) == len(clicked.buttons) - 1  # the card was played, and is gone
