"""Reading values that may be damaged: SQLite's columns hold anything, so each is checked for its kind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from typing import Any, TypeVar

from engine.errors import Refusal

log = logging.getLogger(__name__)
T = TypeVar("T")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever damaged values make this block raise becomes a Refusal and a line in the log."""
    try:
        yield
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, Refusal) as problem:
        log.error("%s cannot be read: %s: %s", what, type(problem).__name__, problem)
        raise Refusal("damaged") from problem


def whole(value: Any) -> int:
    """This value of a column of whole numbers; TypeError if it is something else."""
    if not isinstance(value, int):
        raise TypeError(f"{_described(value)} is no whole number")
    return value


def flag(value: Any) -> bool:
    """This value of a column that says yes (1) or no (0); ValueError if it is something else."""
    if value not in (0, 1):
        raise ValueError(f"{_described(value)} is neither yes nor no")
    return bool(value)


def real(value: Any) -> float:
    """This value of a column of numbers; ValueError if it is something else, or endless."""
    if not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{_described(value)} is no number")
    return float(value)


def text(value: Any) -> str:
    """This value of a column of text; TypeError if it is something else, or no UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{_described(value)} is no text")
    return value


def _described(value: Any) -> str:
    """For the log, where a text does not belong: it may be somebody's name, or cards."""
    if isinstance(value, int | float):
        return repr(value)
    return f"a value of the type {type(value).__name__}"


def text_or_bytes(raw: bytes) -> str | bytes:
    """What a connection makes of a column's text: what is no UTF-8 stays bytes, which nobody takes for text.

    SQLite would refuse all rows where one is none.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def shown(value: Any) -> str:
    """This value as text, whatever it is: a name that is no UTF-8 must not keep it from being deleted."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def readable(what: str, rows: Iterable[Sequence[Any]], read: Callable[..., T]) -> list[T]:
    """What can be read of these rows; each that cannot is in the log and left out.

    `what` names one, with `{0}` for its first column.
    """
    found = []
    for row in rows:
        with suppress(Refusal), reading(what.format(*row)):
            found.append(read(*row))
    return found


def numbered(rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """Rows that begin with their numbers from 0; ValueError if one is missing."""
    if [row[0] for row in rows] != list(range(len(rows))):
        raise ValueError("a row is missing")
    return rows
