"""Local mode: the real bot in a simulated Discord, played in a browser on this machine."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import simcord
from discord.ext import commands

from bot.local import simulation
from bot.local.frames import Frames
from bot.local.page import Page, PortTaken
from bot.local.world import PEOPLE, World
from bot.pictures import avatar, emojis

__all__ = ["PortTaken", "greeting", "serve"]

BEFORE = 10  # seconds by the simulated clock, for what the bot does in the background when it starts
TICK = 0.05  # seconds between looks at the clock and at what has happened

log = logging.getLogger(__name__)


def greeting(url: str) -> str:
    """What to tell whoever started local mode."""
    first, *others = PEOPLE
    return (
        f"Open {url}\n"
        f"You are {first}: type /hearts new in the message box. Ctrl-C ends.\n"
        f"Be {', '.join(others)} by the tabs, or in more windows of the same address."
    )


async def serve(bot: commands.AutoShardedBot, *, port: int, ready: Callable[[str], None]) -> None:
    """Play on this machine's port (0: any free one) until cancelled; closes the bot."""
    with simulation.like_people_at_a_table():
        simulated = simcord.run(bot, check_errors=False)
        simulation.set_clock(simulated, datetime.now(UTC) - timedelta(seconds=BEFORE))
        async with simulated as env:
            try:
                simulation.dress(env, "Hearts", avatar(), emojis())
                world = World.furnish(env)
                await env.advance_time(BEFORE)
                bot.owner_id = world.people[0].id  # so that somebody can try /hearts status
                async with Page(port) as page, Frames(world, page.origins) as frames:
                    page.show(frames.by_person)
                    ready(page.url)
                    with simulation.thinking_beside(env):
                        await _keep_up(world, frames)
            finally:
                await bot.close()


async def _keep_up(world: World, frames: Frames) -> None:
    """The simulated clock follows the real one, and the frames hear of what has happened."""
    began, first = time.perf_counter(), world.env.now()
    while True:
        await asyncio.sleep(TICK)
        async with frames.turn:
            try:
                # The bot's timers move that clock as well: add what is missing, not what was slept.
                missing = time.perf_counter() - began - (world.env.now() - first).total_seconds()
                await world.env.advance_time(max(0.0, missing))
            except Exception:
                log.exception("Local mode stumbled and goes on.")
        if world.has_changed():
            frames.news.tell()
