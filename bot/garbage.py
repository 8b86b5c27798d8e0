"""Python's search for garbage, which stops everything while it goes through all that is there."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: New objects before the youngest are searched, and searches before the next older are searched as well.
THRESHOLDS = (5_000, 4, 200)


@contextmanager
def freeze_after() -> Iterator[None]:
    """Search nothing within, nor ever again what is there after it; the rest seldom.

    The tables of a full server are some hundred thousand objects without a cycle. Searching them took up
    to 300 ms, every other second under load (measured by `python -m tests.bench.tables`).
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.enable()
