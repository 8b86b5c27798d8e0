"""What metrics count at one moment, or between two."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import Metric

#: Returns a bot's metrics with their present values.
Collect = Callable[[], Iterable[Metric]]
#: A sample of a metric: what follows the metric's name in its own, and its labels.
Sample = tuple[str, frozenset[tuple[str, str]]]
#: The samples that count: of gauges, counters and histograms.
COUNTS = ("", "_total", "_count")


class Figures:
    """Values of metrics, by their names without `hearts_`; a KeyError if there is no such metric.

    `now - then` is what was counted between two moments.
    """

    def __init__(self, values: Mapping[str, Mapping[Sample, float]]) -> None:
        self._values = values

    @classmethod
    def of(cls, metrics: Iterable[Metric]) -> "Figures":
        """The values of these metrics now."""
        return cls(
            {
                metric.name.removeprefix("hearts_"): {
                    (one.name.removeprefix(metric.name), frozenset(one.labels.items())): one.value
                    for one in metric.samples
                }
                for metric in metrics
            }
        )

    def __sub__(self, then: "Figures") -> "Figures":
        return Figures(
            {
                name: {sample: value - then._values[name].get(sample, 0) for sample, value in samples.items()}
                for name, samples in self._values.items()
            }
        )

    def value(self, name: str) -> float | None:
        """The value of a gauge without labels; None if it has none now."""
        return next(iter(self._values[name].values()), None)

    def count(self, name: str, **labels: str) -> int:
        """The sum of this metric's values with these labels."""
        return sum(
            int(value)
            for (part, its), value in self._values[name].items()
            if part in COUNTS and labels.items() <= set(its)
        )

    def by(self, name: str, label: str) -> dict[str, int]:
        """This metric's values by this label, without zeros, the highest first."""
        counts: Counter[str] = Counter()
        for (part, its), value in self._values[name].items():
            if part in COUNTS and value:
                counts[dict(its)[label]] += int(value)
        return dict(counts.most_common())

    def within(self, name: str, share: float = 0.99) -> float | None:
        """The seconds within which this share of a histogram's durations lies; None if there are none.

        It is estimated as Prometheus does: durations are taken to be spread evenly within a bucket, and those
        above the last bound to equal it.
        """
        up_to: Counter[float] = Counter()
        for (part, its), value in self._values[name].items():
            if part == "_bucket":
                up_to[float(dict(its)["le"])] += int(value)
        if not up_to[math.inf]:
            return None
        rank, lower, below = share * up_to[math.inf], 0.0, 0
        for upper, count in sorted(up_to.items()):
            if count >= rank:
                break
            lower, below = upper, count
        return lower if upper == math.inf else lower + (upper - lower) * (rank - below) / (count - below)
