"""The load of many tables on one token: `python -m tests.bench.limit [--seconds 300]`.

Discord allows 50 calls a second with a bot's token; answers to clicks and their edits are free. Here the 51st
call in any second is refused with status 429, which discord.py then handles. It prints the number of
refusals, the most calls in any second, and how late new messages and edits were.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from tests.bench.lateness import OWED, Arrival, arrivals, watching
from tests.bench.limits import CALLS, Limit, limited, most_in_a_second
from tests.bench.load import KINDS, seated
from tests.bench.measure import quantile


async def run(arguments: argparse.Namespace) -> None:
    """Click and print."""
    with watching() as watch:
        async with seated(arguments.tables) as load:
            limit = limited(load.env, arguments.calls)
            await load.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
            sys.stdout.write(f"{load.clicked}; until all was at rest {load.effort}\n")
            report(limit, [one for one in arrivals(watch, load.env) if one.at > load.began])


def report(limit: Limit, came: list[Arrival]) -> None:
    """Print the figures."""
    out = sys.stdout.write
    out(f"calls with the token: {len(limit.taken)}, at most {most_in_a_second(limit.taken)} in a second; ")
    out(f"{len(limit.refused)} refused\n")
    for kind in (*(name for _, name, _ in KINDS), OWED):
        if late := [one.late for one in came if one.kind == kind]:
            middle, most, worst = (quantile(late, share) for share in (0.5, 0.99, 1))
            out(f"{kind}: {len(late)}, late by {middle:.2f} s in the median, {most:.2f} s in the ")
            out(f"99th percentile, {worst:.2f} s at worst\n")


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
