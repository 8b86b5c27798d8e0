"""Local mode: the real bot in a simulated Discord, played in a browser on this machine."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import simcord
from discord.ext import commands

from bot.local import simulation
from bot.local.frames import Frames
from bot.local.page import Page
from bot.local.world import PEOPLE, World
from bot.pictures import avatar, emojis

__all__ = ["serve"]

STARTUP = 10  # simulated seconds for the bot's background work at the start
TICK = 0.05  # seconds between checks of the clock and of changes
LONGEST_ACTION = 60.0  # seconds for a click: simcord's own five are too few on a busy machine

log = logging.getLogger(__name__)


def greeting(url: str, busy_port: int | None) -> str:
    """Instructions for the terminal; `busy_port` is the port asked for, if it wasn't free."""
    first, *others = PEOPLE
    return (
        f"Open {url}{f' (port {busy_port} is taken)' if busy_port else ''}\n"
        f"You are {first}: press Open a table, then Start. Press Ctrl-C here to stop.\n"
        f"Play as {', '.join(others)} too: use the tabs, or open the same address in more windows."
    )


async def serve(bot: commands.AutoShardedBot, *, port: int, say: Callable[[str], None]) -> None:
    """Play on this port of this machine (0 for any free one) until cancelled, then close the bot."""
    logging.getLogger("aiohttp.server").addFilter(_is_worth_logging)
    with simulation.patched_for_people():
        simulated = simcord.run(bot, check_errors=False, settle_timeout=LONGEST_ACTION)
        simulation.set_clock(simulated, datetime.now(UTC) - timedelta(seconds=STARTUP))
        async with simulated as env:
            try:
                simulation.set_identity(env, "Hearts", avatar(), emojis())
                world = World.build(env)
                await env.advance_time(STARTUP)
                async with Page(port) as page, Frames(world, page.origins) as frames:
                    page.show(frames.by_person, world, frames.speak)
                    say(greeting(page.url, page.busy_port))
                    with simulation.thinking_outside(env):
                        await _keep_up(world, frames)
            finally:
                await bot.close()


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """False for aiohttp's report of a tab that was closed in mid-request, which is no error."""
    return not (record.exc_info and isinstance(record.exc_info[1], ConnectionResetError))


async def _keep_up(world: World, frames: Frames) -> None:
    """Keep the simulated clock in step with the real one, and announce changes to the frames."""
    began, first = time.perf_counter(), world.env.now()
    while True:
        await asyncio.sleep(TICK)
        async with frames.turn:
            try:
                # The bot's timers move that clock too, so add what is missing, not the time slept.
                missing = time.perf_counter() - began - (world.env.now() - first).total_seconds()
                await world.env.advance_time(max(0.0, missing))
            except Exception:
                log.exception("Local mode hit an error and carries on.")
        if world.has_changed():
            frames.news.announce()
