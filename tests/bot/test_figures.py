"""How long things took: in buckets, whose quantiles are those that Prometheus finds."""

from random import Random

import pytest

from bot.operator.figures import Figures
from engine.metrics import BOUNDS, histogram


def of(*seconds: float) -> Figures:
    durations = histogram("seconds", "What was timed.", "call")
    for number, each in enumerate(seconds):
        durations.labels(str(number % 2)).observe(each)
    return Figures.of(durations.collect())


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_a_quantile_lies_in_the_bucket_of_the_true_one(share: float) -> None:
    rng = Random(1)
    seconds = sorted(rng.expovariate(20) for _ in range(1000))
    true = seconds[round(share * len(seconds)) - 1]
    found = of(*seconds).within("seconds", share)
    assert found is not None
    least = max((bound for bound in BOUNDS if bound < true), default=0.0)
    assert least <= found <= min(bound for bound in BOUNDS if bound >= true)


def test_a_quantile_is_spread_evenly_within_its_bucket() -> None:
    assert of(*[0.03] * 100).within("seconds", 0.5) == pytest.approx(0.0275)  # between 0.02 and 0.035


def test_what_took_longer_than_all_bounds_counts_as_the_last() -> None:
    assert of(100.0).within("seconds") == BOUNDS[-1]
    assert of().within("seconds") is None


def test_what_came_since_is_the_difference() -> None:
    before, now = of(0.01, 0.2), of(0.01, 0.2, 0.7, 0.7)
    assert (now - before).count("seconds") == (now - before).count("seconds", call="0") * 2 == 2
    assert 0.5 < ((now - before).within("seconds") or 0) <= 1.0
    assert (now - now).within("seconds") is None


def test_a_metric_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        of().count("second")
