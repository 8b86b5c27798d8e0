"""Measures the computers' thinking under load."""

from __future__ import annotations

import os
import time
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
