"""A deal's finished tricks in words: the board lists the latest, Tricks shows all."""

from __future__ import annotations

import pytest
from at_once import deals_played
from people import play_on
from seen import Seen
from server import Server


async def tricks_done(server: Server, count: int) -> Seen:
    """The board once this many tricks of the first deal are done."""
    await play_on(server.people, lambda: [trick.number for trick in board(server).tricks][-1:] == [count])
    return board(server)


def board(server: Server) -> Seen:
    """The post of the first deal."""
    return server.post("Deal 1 · Trick")


@pytest.mark.slow
async def test_the_board_lists_two_tricks_and_all_are_listed_for_whoever_asks(server: Server) -> None:
    await server.deal_and_pass()
    shown = await tricks_done(server, 2)
    assert [trick.number for trick in shown.tricks] == [1, 2]
    assert "Tricks" not in shown.enabled
    before = await tricks_done(server, 4)
    assert [trick.number for trick in before.tricks] == [3, 4]
    [listed] = (await server.add("Eve").click("Tricks", before)).private
    assert listed.says("Deal 1")
    assert [trick.number for trick in listed.tricks] == [1, 2, 3, 4]
    assert listed.tricks[2:] == before.tricks
    await deals_played(server.people, lambda: server.shows("After deal 1"))
    shown = server.post("Deal 1 · Trick 13")
    assert [trick.number for trick in shown.tricks] == list(range(1, 14))
    assert "Tricks" not in shown.enabled
    # Fay's screen was slow: the deal is over when her click arrives.
    pressed = server.add("Fay").press("Tricks", before)
    await server.settle()
    [listed] = pressed.private
    assert listed.tricks == shown.tricks
