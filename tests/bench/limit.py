"""The load of many tables on one token: `python -m tests.bench.limit [--seconds 300]`.

Discord allows 50 calls a second with a bot's token; answers to clicks and their edits are free. Here the 51st
call in any second is refused with status 429, which discord.py then handles. It prints the number of
refusals, the most calls in any second, and how long calls waited for their turn.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from bot.operator.figures import Figures
from tests.bench.limits import CALLS, Limit, limited, most_in_a_second
from tests.bench.load import seated


async def run(arguments: argparse.Namespace) -> None:
    """Click and print."""
    async with seated(arguments.tables) as load:
        limit, before = limited(load.env, arguments.calls), load.bot.monitor.read()
        await load.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
        sys.stdout.write(f"{load.clicked}; until all was at rest {load.effort}\n")
        report(limit, load.bot.monitor.read() - before)


def report(limit: Limit, since: Figures) -> None:
    """Print the figures."""
    out = sys.stdout.write
    out(f"calls with the token: {len(limit.taken)}, at most {most_in_a_second(limit.taken)} in a second; ")
    out(f"{len(limit.refused)} refused\n")
    waited = since.count("budget_wait_seconds")
    middle, most = (since.within("budget_wait_seconds", share) or 0.0 for share in (0.5, 0.99))
    out(f"{waited} calls waited: {middle:.2f} s in the median, {most:.2f} s in the 99th percentile\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=100.0, help="clicks a second, over all tables")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--uneven", action="store_true", help="at random moments and tables")
    parser.add_argument("--calls", type=int, default=CALLS, help="calls a second that are allowed")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)  # discord.py logs each refusal
    asyncio.run(run(arguments))
