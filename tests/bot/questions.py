"""Asking everyone at a table how to end its game."""

from __future__ import annotations

from typing import Any

from at_once import deals_played
from people import Player
from seen import Seen
from server import Server

STOP, CONCEDE = "Stop this game?", "Count the game as it stands?"


def question(server: Server, words: str = STOP) -> Seen:
    """The newest post with this question."""
    return server.post(words)


def is_going_on(server: Server) -> bool:
    return server.stored()["tables"][0]["state"] == "playing"


async def ask(player: Player, to: str = "Stop") -> None:
    """Ask everyone, with the command and the button below its answer."""
    answer = await player.run("hearts stop")
    await player.click(to, answer.private[0])
    assert any(one.says("I've asked in the channel") for one in player.sees() if one.is_private)


async def answer(server: Server, player: Player, label: str, words: str = STOP) -> str:
    return (await player.click(label, question(server, words))).told


async def after_a_deal(server: Server, *players: Player, **options: Any) -> None:
    """Play a game to the middle of its second deal."""
    await server.deal_and_pass(*players, **{"pace": "none", **options})
    await deals_played(players, lambda: server.shows("After deal 1"))
    for player in players:
        await player.act()
