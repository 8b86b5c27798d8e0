"""A click or a command leaves nothing in memory that only Python's search for garbage would find.

`bot/pauses.py` lets that search come seldom, and until then all of it would add up.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import discord
from people import Player
from server import Server


@contextmanager
def searched_for() -> Iterator[list[object]]:
    """The objects that became garbage within and refer to themselves; known at the end."""
    found: list[object] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


async def test_clicks_and_commands_leave_nothing_to_be_searched_for(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    with searched_for() as found:
        for _ in range(5):
            await server.to_play.play()
        await ann.open_hand()
        await bo.run("hearts scores")
    assert [one for one in found if isinstance(one, (discord.Interaction, discord.Message))] == []
