"""Histograms of how long something took."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

#: The upper bounds of the buckets, in seconds; Discord gives up on a click after 3.
BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0)


class Durations:
    """A histogram with a bucket for each of BOUNDS, and the total of all seconds."""

    __slots__ = ("counts", "seconds")

    def __init__(self, counts: Iterable[int] = (0,) * (len(BOUNDS) + 1), seconds: float = 0.0) -> None:
        self.counts = list(counts)  # by bucket; the last is for times above all bounds
        self.seconds = seconds

    def add(self, seconds: float) -> None:
        """Count a time of this many seconds."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    @property
    def times(self) -> int:
        """The number of times counted."""
        return sum(self.counts)

    @property
    def up_to(self) -> list[int]:
        """The number of times up to each bound, and in total."""
        return list(accumulate(self.counts))

    def __add__(self, other: Durations) -> Durations:
        counts = (mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True))
        return Durations(counts, self.seconds + other.seconds)

    def __sub__(self, before: Durations) -> Durations:
        counts = (now - then for now, then in zip(self.counts, before.counts, strict=True))
        return Durations(counts, self.seconds - before.seconds)

    def quantile(self, share: float) -> float | None:
        """The seconds within which this share of all times lies; None without any times.

        As Prometheus finds it: within a bucket all durations count as evenly spread, and what took longer
        than the last bound counts as that.
        """
        if not self.times:
            return None
        rank = share * self.times
        below, least = 0, 0.0
        for count, most in zip(self.counts, BOUNDS, strict=False):
            if count and below + count >= rank:
                return least + (most - least) * (rank - below) / count
            below, least = below + count, most
        return BOUNDS[-1]
