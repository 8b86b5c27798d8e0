"""Quick play costs few requests: what comes close together is shown together."""

from __future__ import annotations

from typing import Any

import pytest
from people import Player
from server import EVEN, PASSES, Server, stacked

from bot.delivery import posts
from bot.table import deals, passing

#: Longer than the simulation waits by itself.
WHILE = 30.0


def asked(server: Server, method: str) -> int:
    """How often the bot has posted or edited in the channel, with its own token."""
    path = f"/channels/{server.channel.id}/messages"
    return sum(one.method == method and one.path.startswith(path) for one in server.requests)


async def test_cards_close_together_cost_one_edit(open_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "SPACING", WHILE)
    server: Server = await open_server()
    await server.deal_and_pass(pace="none")
    await server.env.advance_time(3 * WHILE)
    before = asked(server, "PATCH")
    for _ in range(3):
        await server.to_play.play()
    assert asked(server, "PATCH") == before + 1
    assert cards_shown(server) == 1
    await server.env.advance_time(WHILE)
    assert asked(server, "PATCH") == before + 2
    assert cards_shown(server) == 3


def cards_shown(server: Server) -> int:
    """How many cards of the trick the deal's post shows."""
    return server.post("Trick 1").text.count("`") // 2


async def test_a_hand_comes_at_once_and_who_still_chooses_is_told_by_and_by(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "WATCHING", WHILE)
    await server.deal(pace="none")
    assert ann.hand.says("Choose 3 cards to pass")
    await ann.pass_cards()
    await bo.pass_cards()
    assert ann.hand.says("Still choosing: Bo, Cy and Di.")
    await server.env.advance_time(WHILE + 1)
    assert ann.hand.says("Still choosing: Cy and Di.")


async def test_a_hand_in_the_channel_comes_below_a_new_board_only_when_it_is_asked(open_server: Any) -> None:
    server: Server = await open_server(stacked(EVEN))
    ann, bo, *_ = server.people
    bo.close_dms()
    await server.deal(pace="none")
    await bo.open_hand()
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    board = server.post("Trick 1")
    assert bo.my_hand.says("Not your turn yet.")
    assert bo.my_hand.id < board.id
    await ann.play("2C")
    assert bo.my_hand.says("Your turn")
    assert bo.sees()[-1].id == bo.my_hand.id > board.id


async def test_a_new_board_waits_for_a_forced_lead(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "OPENS", 2 * WHILE)
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", WHILE)
    await server.deal_and_pass(pace="none")
    assert not server.shows("Trick 1")
    before = asked(server, "PATCH")
    await server.env.advance_time(WHILE + 1)
    assert cards_shown(server) == 1
    assert asked(server, "PATCH") == before


async def test_a_finished_trick_lies_there_before_a_computer_leads(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "MOMENT", WHILE)
    await server.deal_and_pass(ann, pace="none")
    while not ann.playable:
        await server.env.advance_time(WHILE)
    await server.env.advance_time(WHILE + 1)
    for _ in range(3):  # playing on at once doesn't hide it
        await ann.play()
        assert listed(server) == (1, True)
    await server.env.advance_time(WHILE + 1)
    assert listed(server) == (3, True)
    seen = 0
    for trick in range(4, 9):
        await server.env.advance_time(WHILE + 1)
        await ann.play()
        assert listed(server) == (trick, True)
        assert ann.hand.says("Your turn")  # the hand does not wait
        await server.env.advance_time(WHILE + 1)
        seen += not listed(server)[1]
    assert seen  # computers led now and then


def listed(server: Server) -> tuple[int, bool]:
    """How many tricks are finished by the deal's post, and whether the last one still lies on the table."""
    board = server.post("Deal 1 · Trick")
    finished = board.tricks[-1].number if board.tricks else 0
    return finished, board.says(f"Deal 1 · Trick {finished}")
