"""Two taps in a row play one card: nobody plays two tricks on purpose that fast."""

from __future__ import annotations

import pytest
from people import Player
from server import Server

from bot.answering.limits import DOUBLE_TAP


async def tap(player: Player) -> str:
    """Press the first card that can be played, at once; returns the private answer."""
    return await player.try_press(player.playable[0], player.hand)


@pytest.mark.parametrize("after", [0.0, 0.35, 0.6])
async def test_a_second_tap_plays_nothing_for_a_moment(server: Server, ann: Player, after: float) -> None:
    await server.deal_and_pass(ann, ends_at=1000)  # alone with computers
    while len(ann.playable) < 2:
        await ann.play()
    await ann.rest()
    greyed = next(label for label in ann.hand.buttons if label not in ann.hand.enabled)
    await ann.try_press(greyed, ann.hand)  # which plays nothing, and keeps no card waiting
    before = server.plays
    assert await tap(ann) == ""
    cards, hand = server.plays, ann.hand
    assert cards > before
    assert hand.playable, "the computers have played, and the next trick is open"
    await server.env.advance_time(after)
    assert await tap(ann) == ""
    assert server.plays == cards
    assert ann.hand.components == hand.components
    await server.env.advance_time(DOUBLE_TAP - after)
    await tap(ann)
    assert server.plays > cards


async def test_two_players_may_be_as_fast_as_they_like(server: Server) -> None:
    await server.deal_and_pass()
    for expected in (1, 2, 3, 4):
        await tap(server.to_play)
        assert server.plays == expected
