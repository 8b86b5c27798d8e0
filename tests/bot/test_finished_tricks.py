"""Finished tricks: the last one is shown for a moment; the board lists the latest, and Tricks shows all."""

from __future__ import annotations

import re

import pytest
from at_once import deals_played, moves_made
from people import Player
from seen import Seen
from server import Server

from bot.delivery import posts

#: Longer than the simulation waits by itself.
WHILE = 30.0
#: The number of finished tricks that a board lists.
LISTED = re.compile(r"^(?:-# )?(\d+) · ", re.MULTILINE)


def board(server: Server) -> Seen:
    """The post of the first deal."""
    return server.post("Deal 1 · Trick")


def state(server: Server) -> tuple[int, bool]:
    """How many tricks the board lists, and whether the last one still lies on the table."""
    text = board(server).text
    listed = max(map(int, LISTED.findall(text)), default=0)
    return listed, f"Deal 1 · Trick {listed}" in text


async def test_a_finished_trick_lies_there_before_a_computer_leads(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "MOMENT", WHILE)
    await server.deal_and_pass(ann, pace="none")
    while not ann.playable:
        await server.env.advance_time(WHILE)
    await server.env.advance_time(WHILE + 1)
    for _ in range(3):  # whoever plays on at once doesn't hide it
        await ann.play()
        assert state(server) == (1, True)
    await server.env.advance_time(WHILE + 1)
    assert state(server) == (3, True)
    seen = 0
    for trick in range(4, 9):
        await server.env.advance_time(WHILE + 1)
        await ann.play()
        assert state(server) == (trick, True)
        assert ann.hand.says("Your turn")  # the hand does not wait
        await server.env.advance_time(WHILE + 1)
        seen += not state(server)[1]
    assert seen  # computers led now and then


@pytest.mark.slow
async def test_the_board_lists_two_tricks_and_all_are_listed_for_whoever_asks(server: Server) -> None:
    await server.deal_and_pass()
    await moves_made(server, 2 * 4)
    shown = board(server)
    assert [trick.number for trick in shown.tricks] == [1, 2]
    assert "Tricks" not in shown.enabled
    await moves_made(server, 2 * 4)
    before = board(server)
    assert [trick.number for trick in before.tricks] == [3, 4]
    [listed] = (await server.add("Eve").click("Tricks", before)).private
    assert listed.says("Deal 1")
    assert [trick.number for trick in listed.tricks] == [1, 2, 3, 4]
    assert listed.tricks[2:] == before.tricks
    await deals_played(server.people, lambda: server.shows("After deal 1"))
    shown = board(server)
    assert [trick.number for trick in shown.tricks] == list(range(1, 14))
    assert "Tricks" not in shown.enabled
    # Fay's screen was slow: the deal is over when her click arrives.
    pressed = server.add("Fay").press("Tricks", before)
    await server.settle()
    [listed] = pressed.private
    assert listed.tricks == shown.tricks
