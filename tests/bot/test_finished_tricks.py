"""A finished trick is shown for a moment before the next lead, as long as calls are to spare."""

from __future__ import annotations

import re

import pytest
from people import Player
from server import Server

from bot.delivery import posts

#: Longer than the simulation waits by itself.
WHILE = 30.0
#: The number of finished tricks that a board lists.
LISTED = re.compile(r"^(?:-# )?(\d+) · ", re.MULTILINE)


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "MOMENT", WHILE)


async def begun(server: Server, ann: Player) -> None:
    """A deal in which Ann's turn has come, with computers in the other seats."""
    await server.deal(ann, pace="none")
    await ann.pass_cards()
    while not ann.playable:
        await server.env.advance_time(WHILE)


def state(server: Server) -> tuple[int, bool]:
    """How many tricks the board lists, and whether the last one still lies on the table."""
    board = server.post("Deal 1 · Trick")
    listed = max(map(int, LISTED.findall(board.text)), default=0)
    return listed, f"Deal 1 · Trick {listed}" in board.text


@pytest.mark.usefixtures("moments")
async def test_the_finished_trick_lies_on_the_table_before_a_computer_leads(
    server: Server, ann: Player
) -> None:
    await begun(server, ann)
    seen = 0
    for trick in range(1, 8):
        await server.env.advance_time(WHILE + 1)
        await ann.play()
        listed, lies = state(server)
        assert (listed, lies) == (trick, True)
        assert ann.hand.says("Your turn")  # the hand does not wait
        await server.env.advance_time(WHILE + 1)
        seen += not state(server)[1]
    assert seen  # computers led now and then


@pytest.mark.usefixtures("moments")
async def test_who_plays_on_at_once_does_not_hide_it(server: Server, ann: Player) -> None:
    await begun(server, ann)
    await server.env.advance_time(WHILE + 1)
    await ann.play()
    assert state(server) == (1, True)
    await ann.play()
    await ann.play()
    assert state(server) == (1, True)
    await server.env.advance_time(WHILE + 1)
    assert state(server) == (3, True)


@pytest.mark.usefixtures("moments")
async def test_it_is_left_out_while_calls_are_scarce(server: Server, ann: Player) -> None:
    await begun(server, ann)
    budget, led = server.env.bot.delivery.budget, 0
    budget.calls = 1
    for _ in range(7):
        await server.env.advance_time(WHILE + 1)
        budget.spend()
        await ann.play()
        await server.env.advance_time(2)
        led += not state(server)[1]
    assert led  # a computer's next card is shown at once
