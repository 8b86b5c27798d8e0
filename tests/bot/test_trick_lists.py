"""A deal's finished tricks in words: the board lists the latest, Tricks shows all."""

from __future__ import annotations

import pytest
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


async def test_two_tricks_need_no_button(server: Server) -> None:
    await server.deal_and_pass()
    shown = await tricks_done(server, 2)
    assert [trick.number for trick in shown.tricks] == [1, 2]
    assert "Tricks" not in shown.enabled


async def test_more_are_listed_for_whoever_asks(server: Server) -> None:
    await server.deal_and_pass()
    shown = await tricks_done(server, 4)
    assert [trick.number for trick in shown.tricks] == [3, 4]
    [listed] = (await server.add("Eve").click("Tricks", shown)).private
    assert listed.says("Deal 1")
    assert [trick.number for trick in listed.tricks] == [1, 2, 3, 4]
    assert listed.tricks[2:] == shown.tricks


@pytest.mark.slow
async def test_a_deal_that_is_over_lists_them_all(server: Server) -> None:
    await server.deal_and_pass()
    before = await tricks_done(server, 4)
    await play_on(server.people, lambda: server.shows("After deal 1"))
    shown = server.post("Deal 1 · Trick 13")
    assert [trick.number for trick in shown.tricks] == list(range(1, 14))
    assert "Tricks" not in shown.enabled
    # Eve's screen was slow: the deal is over when her click arrives.
    pressed = server.add("Eve").press("Tricks", before)
    await server.settle()
    [listed] = pressed.private
    assert listed.tricks == shown.tricks
