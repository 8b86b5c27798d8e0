"""A table alone: one person and computers in one message of a DM, edited through the clicks."""

from __future__ import annotations

from typing import Any

import pytest
from people import Answer, Player
from seen import Seen
from server import Server

#: Of the requests, those that don't count as calls of the bot's token: answers to interactions.
FREE = ("/interactions/", "/webhooks/")


@pytest.fixture
async def ann(server: Server) -> Player:
    """Ann, who opens tables in her DM."""
    return server.people[0]


async def run(player: Player, command: str, **options: Any) -> Answer:
    """Use a command in the DM with the bot."""
    return Answer(await player.member.user.slash(command, **options))


async def press(player: Player, label: str, on: Seen | None = None) -> Answer:
    """Press a button in the DM, by default in the newest message that has it enabled."""
    found = on or next(one for one in reversed(player.dms()) if label in one.enabled)
    return Answer(await player.member.user.click(found.handle, custom_id=found.buttons[label]["custom_id"]))


async def deal(player: Player, **options: Any) -> Seen:
    """Open a table and start; returned is the message."""
    await run(player, "hearts new", **options)
    await press(player, "Start")
    return player.dm


def is_over(player: Player) -> bool:
    return "🏆" in player.dm.text


async def play(player: Player, moves: int = 10_000) -> None:
    """Do what the hand asks for, so many times or until the game is over."""
    while moves and not is_over(player):
        assert await player.act(), "the hand asks for nothing"
        await player.server.settle()
        moves -= 1


def calls(server: Server) -> list[str]:
    """The calls of the bot's token so far."""
    requests = server.env.http_requests
    return [f"{one.method} {one.path}" for one in requests if not one.path.startswith(FREE)]


async def test_a_whole_game_in_one_message_without_a_call_of_the_token(server: Server, ann: Player) -> None:
    before = calls(server)
    await deal(ann, ends_at=40)
    await play(ann)
    assert calls(server) == before
    [message] = ann.dms()
    assert not message.is_private  # it stays in the DM
    assert message.says("Points in deal")
    assert {"Play again", "Replay", "How did I play?", "Check the deal"} <= set(message.enabled)
    assert server.posts() == []
    [result] = server.stored()["results"]
    assert (result["guild"], result["people"], result["person"]) == (0, 1, ann.id)
