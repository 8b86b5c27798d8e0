"""How long things took: in buckets, whose quantiles are those that Prometheus finds."""

from random import Random

import pytest

from engine.durations import BOUNDS, Durations


def of(*seconds: float) -> Durations:
    durations = Durations()
    for each in seconds:
        durations.add(each)
    return durations


def test_each_falls_into_the_bucket_whose_bound_it_does_not_exceed() -> None:
    durations = of(0.0, 0.001, 0.0011, 3.0, 3.001, 10.0, 11.0)
    counts = dict(zip([*BOUNDS, None], durations.counts, strict=True))
    assert {bound: count for bound, count in counts.items() if count} == {
        0.001: 2,
        0.002: 1,
        3.0: 1,
        10.0: 2,
        None: 1,
    }
    assert durations.up_to[-1] == durations.times == 7
    assert durations.seconds == pytest.approx(27.0031)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_a_quantile_lies_in_the_bucket_of_the_true_one(share: float) -> None:
    rng = Random(1)
    seconds = sorted(rng.expovariate(20) for _ in range(1000))
    true = seconds[round(share * len(seconds)) - 1]
    found = of(*seconds).quantile(share)
    assert found is not None
    least = max((bound for bound in BOUNDS if bound < true), default=0.0)
    assert least <= found <= min(bound for bound in BOUNDS if bound >= true)


def test_what_took_longer_than_all_bounds_counts_as_the_last() -> None:
    assert of(100.0).quantile(0.99) == BOUNDS[-1]
    assert Durations().quantile(0.99) is None


def test_what_came_since_is_the_difference() -> None:
    before, both = of(0.01, 0.2), of(0.01, 0.2, 0.7)
    since = both - before
    assert since.counts == of(0.7).counts
    assert (since + before).counts == both.counts
    assert since.seconds == pytest.approx(0.7)
