"""/hearts settings: what a server's managers choose for everyone in it."""

from __future__ import annotations

from typing import Any

import pytest
from people import Player, filled, refusal
from server import Server

from bot.people.server import ChangeSettings
from engine.storage.servers import ServerSettings, server_settings

USUAL = {"place": "channel", "calls": "on", "tournaments": "managers", "language": "discord"}


@pytest.fixture
def max_(server: Server) -> Player:
    """Somebody who may manage the server."""
    return server.add_manager()


async def choose(player: Player, **chosen: Any) -> str:
    """What they are told when they choose this."""
    return (await player.send(await player.run("hearts settings"), **chosen)).told


async def stored(server: Server) -> ServerSettings:
    return await server_settings(server.databases[-1], server.guild.id)


async def test_the_form_shows_what_holds_and_keeps_it_over_a_restart(server: Server, max_: Player) -> None:
    assert filled(await max_.run("hearts settings")) == USUAL
    told = await choose(max_, place="thread", language="de")
    assert told == (
        "New tables open in a thread of their own. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in Deutsch. Open tables keep theirs."
    )
    await server.restart()
    assert filled(await max_.run("hearts settings")) == USUAL | {"place": "thread", "language": "de"}
    assert await stored(server) == ServerSettings(in_threads=True)
    told = await choose(max_, **USUAL)
    assert told == (
        "New tables open in the channel. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in English. Open tables keep theirs."
    )
    assert await stored(server) == ServerSettings()


async def test_only_managers_of_the_server_open_the_form_or_send_it(
    server: Server, max_: Player, ann: Player
) -> None:
    assert (await ann.run("hearts settings")).told == refusal("server_manager_only")
    await server.seat(ann)
    forged = ann.forge_form(str(ChangeSettings(0)), server.post("Seats"), **USUAL | {"place": "thread"})
    await server.settle()
    assert forged.told == refusal("server_manager_only")
    assert await stored(server) == ServerSettings()


@pytest.mark.parametrize(
    "forged", [{"place": "cellar"}, {"calls": "x"}, {"tournaments": "bo"}, {"language": "klingon"}]
)
async def test_a_forged_choice_is_refused(server: Server, max_: Player, forged: dict[str, str]) -> None:
    await server.seat(max_)
    sent = max_.forge_form(str(ChangeSettings(0)), server.post("Seats"), **USUAL | forged)
    await server.settle()
    assert sent.told == refusal("stale")
    assert await stored(server) == ServerSettings()
