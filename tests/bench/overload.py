"""More clicks than the machine can handle: `python -m tests.bench.overload [--rate 400] [--seconds 10]`.

As in Discord, a click that isn't answered within three seconds by the real clock fails, and the player is
told. A click's time is when it was due, however busy the loop is. It prints how many clicks were answered in
time, how many of these only acknowledged, how many were late, and how long the first answer took.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from tests.bench.limits import deadline
from tests.bench.load import Load, seated
from tests.bench.measure import quantile

#: The responses that defer the answer: a message to come, and an edit of the one clicked.
DEFERRED = (5, 6)


async def run(arguments: argparse.Namespace) -> None:
    """Click and print."""
    async with seated(arguments.tables) as load:
        with deadline(load.sent) as late:
            await load.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
        report(load, late)


def report(load: Load, late: dict[int, float]) -> None:
    """Print the figures."""
    sent, in_time = load.sent, {id: one for id, one in load.log.first.items() if id not in late}
    waits = [at - sent[id] for id, at in [*late.items(), *((id, at) for id, (at, _) in in_time.items())]]
    deferred = sum(kind in DEFERRED for _, kind in in_time.values())
    never = len(sent) - len(waits)
    out = sys.stdout.write
    out(f"{load.clicked}: {len(in_time)} answered in time, {deferred} of these deferred; ")
    out(f"{len(late)} too late, {never} never\n")
    out(f"to the first answer: median {quantile(waits, 0.5):.2f} s, worst {max(waits):.2f} s\n")
    out(f"until all was at rest {load.effort}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=400.0, help="clicks a second, over all tables")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--uneven", action="store_true", help="at random moments and tables")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
