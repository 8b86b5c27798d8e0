"""Reading values that may be damaged: each is checked for its kind."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.errors import Refusal

log = logging.getLogger(__name__)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever damaged values make this block raise becomes a Refusal and a line in the log."""
    try:
        yield
    except (ValueError, TypeError, LookupError, RecursionError, Refusal) as problem:
        log.error("%s cannot be read: %s: %s", what, type(problem).__name__, problem)
        raise Refusal("damaged") from problem


def whole(value: Any) -> int:
    """This value of a column of whole numbers; TypeError if it is something else."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def text(value: Any) -> str:
    """This value of a column of text, read as its bytes; TypeError or ValueError if it is no text.

    As text SQLite would refuse all rows where one is no UTF-8.
    """
    if not isinstance(value, bytes):
        raise TypeError(f"{value!r} is no text")
    return value.decode()


def numbered(rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """Rows that begin with their numbers from 0; ValueError if one is missing."""
    if [row[0] for row in rows] != list(range(len(rows))):
        raise ValueError("a row is missing")
    return rows
