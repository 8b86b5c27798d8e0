"""/hearts settings: what a server's managers choose for everyone in it."""

from __future__ import annotations

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


async def stored(server: Server) -> ServerSettings:
    return await server_settings(server.databases[-1], server.guild.id)


async def test_the_form_shows_what_holds_and_keeps_it_over_a_restart(server: Server, max_: Player) -> None:
    assert filled(await max_.run("hearts settings")) == USUAL
    answer = await max_.send(await max_.run("hearts settings"), place="thread", language="de")
    assert answer.told == (
        "New tables open in a thread of their own. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in Deutsch. Open tables keep theirs."
    )
    await server.restart()
    assert filled(await max_.run("hearts settings")) == USUAL | {"place": "thread", "language": "de"}
    assert await stored(server) == ServerSettings(in_threads=True)
    answer = await max_.send(await max_.run("hearts settings"), **USUAL)
    assert answer.told == (
        "New tables open in the channel. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in English. Open tables keep theirs."
    )
    assert await stored(server) == ServerSettings()


async def test_managers_alone_choose_what_the_form_offers(server: Server, max_: Player, ann: Player) -> None:
    assert (await ann.run("hearts settings")).told == refusal("server_manager_only")
    await server.seat(ann)
    for player, chosen, id in (
        (ann, {"place": "thread"}, "server_manager_only"),
        (max_, {"place": "cellar"}, "stale"),
        (max_, {"calls": "x"}, "stale"),
        (max_, {"tournaments": "bo"}, "stale"),
        (max_, {"language": "klingon"}, "stale"),
    ):
        forged = player.forge_form(str(ChangeSettings(0)), server.post("Seats"), **USUAL | chosen)
        await server.settle()
        assert forged.told == refusal(id)
    assert await stored(server) == ServerSettings()
