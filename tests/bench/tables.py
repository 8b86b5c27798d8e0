"""Many tables at once in the simulated Discord, with the real database on disk.

    python -m tests.bench.tables                           50 tables, a click at each at the same moment
    python -m tests.bench.tables --tables 200 --rate 100   100 clicks a second, table after table
    ... --uneven                                           at random moments, as people click
    ... --idle 800                                         with 800 more tables where nobody plays
    ... --people 2                                         and strong computers in the other seats

It prints the time from the click to the bot's answer, the memory per table, the REST calls per card, by kind,
the bytes uploaded for it, and how many boards had a picture; and if computers think, with how many playouts.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from bot.operator.figures import Figures
from tests.bench.load import KINDS, SEATS, Load, seated
from tests.bench.measure import quantile


async def run(arguments: argparse.Namespace) -> None:
    """Play and print."""
    async with seated(arguments.tables, arguments.idle, arguments.people) as load:
        before = load.bot.monitor.read()
        open_ = arguments.tables + arguments.idle
        sys.stdout.write(f"{open_} tables open: {load.kib:.0f} KiB each, with the simulation's share\n")
        if arguments.rate:
            await load.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
        else:
            await load.bursts(arguments.rounds)
        report(load)
        if arguments.people < SEATS:
            report_thoughts(load.bot.monitor.read() - before)


def report(load: Load) -> None:
    """Print the figures."""
    waits, seconds = load.waits, load.seconds
    middle, most, worst = (quantile(waits, share) * 1000 for share in (0.5, 0.99, 1))
    out = sys.stdout.write
    out(f"{load.clicked}, answered in {seconds:.1f} s: {len(waits) / seconds:.0f} clicks/s\n")
    out(f"until all was at rest {load.effort}\n")
    out(f"click to answer: median {middle:.0f} ms, 99th percentile {most:.0f} ms, ")
    out(f"worst {worst:.0f} ms\nREST calls per card:\n")
    for _, name, counted in KINDS:
        kind = "bot's token" if counted else "not counted"
        each, rate = load.calls[name] / max(load.cards, 1), load.calls[name] / seconds
        out(f"  {each:.2f}  {name} ({kind}), {rate:.0f} a second\n")
    with_token = sum(load.calls[name] for _, name, counted in KINDS if counted) / max(load.cards, 1)
    boards, each = load.boards.total(), load.uploaded / 1000 / max(load.cards, 1)
    out(f"  {with_token:.2f}  with the bot's token in all\n")
    out(f"{each:.1f} KB uploaded per card; of {boards} boards ")
    out(f"{load.boards[True] / max(boards, 1):.0%} had a picture\n")


def report_thoughts(since: Figures) -> None:
    """Print what computers thought."""
    moves, strong = since.count("thoughts"), since.count("thoughts", by="strong")
    sys.stdout.write(f"{moves} moves of strong computers, {moves - strong} of them left to medium ones; ")
    sys.stdout.write(f"{since.count('playouts') / max(strong, 1):.0f} playouts for each of the others\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=50, help="with people playing")
    parser.add_argument("--idle", type=int, default=0, help="more tables where nobody plays")
    parser.add_argument("--people", type=int, default=SEATS, help="at each table; the others are computers")
    parser.add_argument("--rounds", type=int, default=60, help="without --rate: clicks at each table")
    parser.add_argument("--rate", type=float, help="clicks a second, over all tables")
    parser.add_argument("--uneven", action="store_true", help="with --rate: at random moments and tables")
    parser.add_argument("--seconds", type=float, default=30.0, help="with --rate: for how long")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
