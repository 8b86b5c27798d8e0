"""Python's own pauses, in which nobody is answered: its search for garbage, and its threads' turns."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: New objects before the youngest are searched, and searches before the next older are searched as well.
THRESHOLDS = (5_000, 4, 200)
#: Seconds after which a thread at work lets on another one that waits.
TURN = 0.0001


@contextmanager
def short_after() -> Iterator[None]:
    """Search for no garbage within, nor ever again in what is there after it, and seldom in the rest.

    Where it raises, what is there is garbage, and can still be found.

    The tables of a full server are some hundred thousand objects without a cycle. Searching them took up
    to 300 ms, every other second under load (measured by `python -m tests.bench.tables`).

    After each statement the database's thread waits for its turn: fifty times as long as ours, as Python has
    it, made a busy loop keep 200 tables waiting for the disk for most of a second.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.set_threshold(*THRESHOLDS)
        gc.enable()
        sys.setswitchinterval(TURN)
