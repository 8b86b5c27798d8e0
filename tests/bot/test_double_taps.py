"""Two taps in a row play one card: nobody plays two tricks on purpose that fast."""

from __future__ import annotations

import pytest
from people import Player
from server import Server

from bot.answering.limits import DOUBLE_TAP


async def tap(player: Player) -> str:
    """Press the first card that can be played, at once; returns the private answer."""
    return await player.try_press(player.playable[0], player.hand)


@pytest.fixture
async def own_turn(server: Server, ann: Player) -> Player:
    """Ann plays alone with computers, and has a choice of cards."""
    await server.deal_and_pass(ann, ends_at=1000)
    while len(ann.playable) < 2:
        await ann.play()
    await ann.rest()
    return ann


@pytest.mark.parametrize("after", [0.0, 0.35, 0.6])
async def test_a_second_tap_in_the_next_trick_plays_nothing_until_a_moment_has_passed(
    server: Server, own_turn: Player, after: float
) -> None:
    greyed = next(label for label in own_turn.hand.buttons if label not in own_turn.hand.enabled)
    await own_turn.try_press(greyed, own_turn.hand)  # which plays nothing, and keeps no card waiting
    before = server.plays
    assert await tap(own_turn) == ""
    cards, hand = server.plays, own_turn.hand
    assert cards > before
    assert hand.playable, "the computers have played, and the next trick is open"
    await server.env.advance_time(after)
    assert await tap(own_turn) == ""
    assert server.plays == cards
    assert own_turn.hand.components == hand.components
    await server.env.advance_time(DOUBLE_TAP - after)
    await tap(own_turn)
    assert server.plays > cards


async def test_two_players_may_be_as_fast_as_they_like(server: Server) -> None:
    await server.deal_and_pass()
    for expected in (1, 2, 3, 4):
        await tap(server.to_play)
        assert server.plays == expected
