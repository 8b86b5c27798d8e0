"""Counts and durations, kept by prometheus_client; each belongs to the part of the program that counts."""

from collections.abc import Iterable

from prometheus_client import Counter, Histogram
from prometheus_client import metrics as library

#: The upper bounds of the buckets, in seconds; Discord gives up on a click after 3.
BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0)

library.disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the samples


def counter(name: str, meaning: str, *labels: str, values: Iterable[str] = ()) -> Counter:
    """A count since the start, by labels; `values` of its one label count from 0, so alerts see the first."""
    metric = Counter(f"hearts_{name}", meaning, labels, registry=None)
    for value in values:
        metric.labels(value)
    return metric


def histogram(name: str, meaning: str, *labels: str, values: Iterable[str] = ()) -> Histogram:
    """How long something took, in seconds; labels and their values as for a counter."""
    metric = Histogram(f"hearts_{name}", meaning, labels, buckets=BOUNDS, registry=None)
    for value in values:
        metric.labels(value)
    return metric
