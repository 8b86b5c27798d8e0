"""Histograms of how long something took."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

#: The upper bounds of the buckets, in seconds; Discord gives up on a click after 3.
BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0)


class Durations:
    """A histogram with a bucket for each of BOUNDS and one above them, and the sum of all durations."""

    __slots__ = ("counts", "seconds")

    def __init__(self, counts: Iterable[int] = (0,) * (len(BOUNDS) + 1), seconds: float = 0.0) -> None:
        self.counts = list(counts)  # by bucket; the last is for durations above all bounds
        self.seconds = seconds

    def add(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    @property
    def times(self) -> int:
        """The number of durations counted."""
        return sum(self.counts)

    @property
    def up_to(self) -> list[int]:
        """Cumulative counts: the durations up to each bound, and then all of them."""
        return list(accumulate(self.counts))

    def __add__(self, other: Durations) -> Durations:
        counts = (mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True))
        return Durations(counts, self.seconds + other.seconds)

    def __sub__(self, before: Durations) -> Durations:
        counts = (now - then for now, then in zip(self.counts, before.counts, strict=True))
        return Durations(counts, self.seconds - before.seconds)

    def quantile(self, share: float) -> float | None:
        """The seconds within which this share (0 to 1) of all durations lies; None if there are none.

        It is estimated as Prometheus does: durations are taken to be spread evenly within a bucket, and those
        above the last bound to equal it.
        """
        if not self.times:
            return None
        rank = share * self.times
        below, lower = 0, 0.0
        for count, upper in zip(self.counts, BOUNDS, strict=False):
            if count and below + count >= rank:
                return lower + (upper - lower) * (rank - below) / count
            below, lower = below + count, upper
        return BOUNDS[-1]
