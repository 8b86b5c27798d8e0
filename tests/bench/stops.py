"""An orderly stop while people click: `python -m tests.bench.stops [--tables 100] [--rate 80]`.

Discord takes `--latency` seconds for each call with the bot's token. It prints how long the stop took, and
how many of the clicks meanwhile were answered; after the bot has disconnected, none is.
"""

import argparse
import asyncio
import logging
import sys
import time
from contextlib import suppress
from typing import Any

from bot.client import HeartsBot
from tests.bench.load import seated
from tests.bench.measure import quantile


async def run(arguments: argparse.Namespace) -> None:
    async with seated(arguments.tables) as load:
        _slow_down(load.bot, arguments.latency)
        clicking = asyncio.create_task(load.steadily(arguments.rate, seconds=float("inf")))
        await asyncio.sleep(arguments.seconds)
        before, began = set(load.sent), time.perf_counter()
        await load.bot.close()
        took = time.perf_counter() - began
        clicking.cancel()
        with suppress(asyncio.CancelledError):
            await clicking
        during = {id: at for id, at in load.sent.items() if id not in before}
        waits = [load.log.first[id][0] - at for id, at in during.items() if id in load.log.first]
        out = sys.stdout.write
        out(f"{len(load.tables)} tables, {len(before)} clicks in {arguments.seconds:.0f} s; ")
        out(f"the stop took {took:.2f} s\n")
        out(f"{len(during)} clicks meanwhile, {len(waits)} of them answered")
        out(f", the slowest after {quantile(waits, 1):.2f} s\n" if waits else "\n")


def _slow_down(bot: HeartsBot, seconds: float) -> None:
    """Have Discord take this long for each call with the bot's token."""
    request = bot.http.request

    async def slowly(*arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(seconds)
        return await request(*arguments, **options)

    bot.http.request = slowly


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=80.0, help="clicks a second, over all tables")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds that Discord takes for a call")
    parser.add_argument("--seconds", type=float, default=10.0, help="of clicking before the stop")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
