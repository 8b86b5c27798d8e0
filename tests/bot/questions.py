"""Asking everyone at a table to end its game."""

from typing import Any

from at_once import deals_played
from people import Player
from seen import Seen
from server import Server

QUESTION = "End this game?"


def question(server: Server) -> Seen:
    """The newest post that asks everyone."""
    return server.post(QUESTION)


def is_going_on(server: Server) -> bool:
    return server.stored()["tables"][0]["state"] == "playing"


async def ask(player: Player) -> None:
    """Ask everyone, with the command and the button below its answer."""
    answer = await player.run("hearts end")
    await player.click("End", answer.private[0])
    assert any(one.says("I've asked in the channel") for one in player.sees() if one.is_private)


async def answer(server: Server, player: Player, label: str) -> str:
    return (await player.click(label, question(server))).told


async def after_a_deal(server: Server, *players: Player, **options: Any) -> None:
    """Play a game to the middle of its second deal."""
    await server.deal_and_pass(*players, **{"pace": "none", **options})
    await deals_played(players, lambda: server.shows("After deal 1"))
    for player in players:
        await player.act()
