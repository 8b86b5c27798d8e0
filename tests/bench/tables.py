"""Many tables at once in the simulated Discord, with the real database on disk.

    python -m tests.bench.tables                           50 tables, a click at each at the same moment
    python -m tests.bench.tables --tables 200 --rate 100   100 clicks a second, table after table
    ... --uneven                                           at random moments, as people click
    ... --idle 800                                         with 800 more tables where nobody plays
    ... --people 2                                         and strong computers in the other seats
    ... --profile                                          and the time spent in each package

It prints the time from the click to the bot's answer, the memory per table, the REST calls per card, by kind,
the bytes uploaded for it, and how many boards had a picture; and if computers think, for how long, with how
many playouts, and how much of the machine that takes.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import logging
import os
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.client import HeartsBot
from engine.tables.live import StrongComputers
from tests.bench import shares
from tests.bench.load import KINDS, SEATS, Load, seated
from tests.bench.measure import quantile

#: Bytes of a page of memory, and ticks of a second of CPU time.
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


class Thinkers:
    """Within, measures each move's thinking, and what its processes take."""

    def __init__(self, bot: HeartsBot) -> None:
        self._monitor, self._thinking = bot.monitor, bot.thinking
        self._seconds: list[float] = []

    async def __aenter__(self) -> Thinkers:
        think = StrongComputers.think

        async def timed(mind: StrongComputers, table: Any) -> Any:
            began = time.perf_counter()
            try:
                return await think(mind, table)
            finally:
                self._seconds.append(time.perf_counter() - began)

        self._patched = patch.object(StrongComputers, "think", timed)
        self._patched.start()
        self._before = self._monitor.read()
        self._spent = self._cpu()
        self._began = time.perf_counter()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._patched.stop()

    def report(self) -> str:
        """The figures since it began."""
        since = self._monitor.read() - self._before
        moves, strong, playouts = (
            since.count("thoughts"),
            since.count("thoughts", by="strong"),
            since.count("playouts"),
        )
        if not self._seconds:
            return "Nobody had to think.\n"
        middle, most, worst = (quantile(self._seconds, share) * 1000 for share in (0.5, 0.99, 1))
        cpu, seconds = self._cpu() - self._spent, time.perf_counter() - self._began
        return (
            f"{moves} moves of strong computers, {1 - strong / moves:.1%} left to medium ones; "
            f"{playouts / max(strong, 1):.0f} playouts for each of the others\n"
            f"until a person is asked again: median {middle:.0f} ms, 99th percentile {most:.0f} ms, "
            f"worst {worst:.0f} ms\n"
            f"{len(self._pids)} processes think, with {self._memory() / 2**20:.0f} MB each "
            f"and {cpu / seconds:.0%} of a processor together\n"
        )

    @property
    def _pids(self) -> list[int]:
        return self._thinking.pool.pids

    def _memory(self) -> float:
        """The bytes of memory of a process, including shared memory."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._pids]
        return sum(pages) * PAGE / len(pages)

    def _cpu(self) -> float:
        """The CPU time of all processes, in seconds."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self._pids]
        return sum(int(stat[11]) + int(stat[12]) for stat in stats) / TICKS


async def run(arguments: argparse.Namespace) -> None:
    """Play and print."""
    profile = cProfile.Profile() if arguments.profile else None
    async with (
        seated(arguments.tables, arguments.idle, arguments.people) as load,
        Thinkers(load.bot) as thinkers,
    ):
        open_ = arguments.tables + arguments.idle
        sys.stdout.write(f"{open_} tables open: {load.kib:.0f} KiB each, with the simulation's share\n")
        with profile or nullcontext():
            if arguments.rate:
                await load.steadily(arguments.rate, arguments.seconds, uneven=arguments.uneven)
            else:
                await load.bursts(arguments.rounds)
        report(load)
        if arguments.people < SEATS:
            sys.stdout.write(thinkers.report())
    if profile:
        sys.stdout.write(shares.report(profile))


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
    parser.add_argument(
        "--profile", action="store_true", help="print the time spent in each package (slower)"
    )
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
