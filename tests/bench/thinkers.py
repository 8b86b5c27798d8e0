"""Measures the computers' thinking under load."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.client import HeartsBot
from engine.tables.live import StrongComputers
from tests.bench.measure import quantile

#: Bytes of a page of memory, and ticks of a second of CPU time.
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


class Thinkers:
    """Within, measures each move's thinking, and what its processes take."""

    def __init__(self, bot: HeartsBot) -> None:
        self._thinking = bot.thinking
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
        self._made = Counter(self._thinking.made)
        self._spent = self._cpu()
        self._began = time.perf_counter()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._patched.stop()

    def report(self) -> str:
        """The figures since it began."""
        made = self._thinking.made - self._made
        if not self._seconds:
            return "Nobody had to think.\n"
        middle, most, worst = (quantile(self._seconds, share) * 1000 for share in (0.5, 0.99, 1))
        cpu, seconds = self._cpu() - self._spent, time.perf_counter() - self._began
        shares = ", ".join(
            f"{playouts} {count / made.total():.1%}" for playouts, count in sorted(made.items())
        )
        return (
            f"{made.total()} choices of strong computers, by playouts (0: a medium one's): {shares}\n"
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
