"""Limits of the real Discord that the simulated one lacks, by the real clock: calls and late answers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from simcord.backend import Backend, errors
from simcord.http import router

from tests.bench.load import CALLBACK

#: Calls with a bot's token that Discord allows in any second.
CALLS = 50
#: Seconds in which a click must get its first answer.
DEADLINE = 3.0


def most_in_a_second(times: list[float]) -> int:
    """The most of these times within any second."""
    most, window = 0, deque[float]()
    for at in sorted(times):
        window.append(at)
        while window[0] <= at - 1:
            window.popleft()
        most = max(most, len(window))
    return most


@contextmanager
def deadline(due: Mapping[int, float]) -> Iterator[dict[int, float]]:
    """Within, a click's first answer is refused more than three seconds after it was due.

    Yields the times of late answers, by click.
    """
    dispatch, late = router.dispatch, dict[int, float]()

    def in_time(backend: Backend, method: str, path: str, **options: Any) -> Any:
        now = time.perf_counter()
        if (found := CALLBACK.fullmatch(path)) and now > due[int(found[1])] + DEADLINE:
            late.setdefault(int(found[1]), now)
            raise errors.unknown_interaction()
        return dispatch(backend, method, path, **options)

    with patch.object(router, "dispatch", in_time):
        yield late
