"""A click or a command leaves nothing in memory that only Python's search for garbage would find.

`bot/pauses.py` lets that search come seldom, and until then all of it would add up.
"""

from __future__ import annotations

import gc

import discord
from people import Player
from server import Server


async def test_clicks_and_commands_leave_nothing_to_be_searched_for(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            await server.to_play.play()
        await ann.open_hand()
        await bo.run("hearts scores")
        gc.set_debug(gc.DEBUG_SAVEALL)  # what became garbage and refers to itself
        gc.collect()
        assert [one for one in gc.garbage if isinstance(one, (discord.Interaction, discord.Message))] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
