"""Waits for the process in which strong computers think."""

from __future__ import annotations

import asyncio

from server import Server


async def ready(server: Server) -> None:
    """Start the process and wait until it can answer.

    The simulation, where a click waits for it, would look for that all the time.
    """
    thinking = server.env.bot.thinking
    thinking.prepare()
    while not thinking.pool.is_ready:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
