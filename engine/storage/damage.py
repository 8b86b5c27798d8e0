"""Reading values that may be damaged: SQLite's columns hold anything, so each is checked for its type.

`reader` reads rows, and what JSON holds, as the annotations of a dataclass or a tuple say:

>>> reader(tuple[int, str | None])((7, None))
(7, None)
>>> reader(tuple[int, str | None])((b"7", None))
Traceback (most recent call last):
    ...
TypeError: a value of the type bytes is not a whole number
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from enum import Enum
from functools import cache
from math import isfinite
from operator import call
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from engine.errors import Refusal

log = logging.getLogger(__name__)
_decode = json.JSONDecoder().decode  # which is all that `json.loads` does with text, a little sooner
T = TypeVar("T")
Read = Callable[[Any], Any]


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn what damaged values make this block raise into a Refusal and a line in the log."""
    try:
        yield
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, Refusal) as problem:
        log.error("%s cannot be read: %s: %s", what, type(problem).__name__, problem)
        raise Refusal("damaged") from problem


def whole(value: Any) -> int:
    """This value of a column of whole numbers; TypeError if it is something else."""
    if not isinstance(value, int):
        raise TypeError(f"{_described(value)} is not a whole number")
    return value


def flag(value: Any) -> bool:
    """This value of a column of yes (1) and no (0); ValueError if it is something else."""
    if value not in (0, 1):
        raise ValueError(f"{_described(value)} is neither yes nor no")
    return bool(value)


def real(value: Any) -> float:
    """This value of a column of numbers; ValueError if it is something else, or infinite."""
    if not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{_described(value)} is not a number")
    return float(value)


def text(value: Any) -> str:
    """This value of a column of text; TypeError if it is something else, or not UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{_described(value)} is not text")
    return value


def from_json(value: Any) -> Any:
    """What the JSON in this column of text holds; ValueError or TypeError if it is something else."""
    return _decode(text(value))


def _day(value: Any) -> str:
    return date.fromisoformat(text(value)).isoformat()


#: A column of JSON objects, and one of days as in `2026-11-22`.
JsonObject = Annotated[dict[str, Any], from_json]
Day = Annotated[str, _day]
_READERS: dict[Any, Read] = {int: whole, float: real, bool: flag, str: text}


def reader(kind: type[T]) -> Callable[[Any], T]:
    """A function that reads a value as this annotation says.

    A dataclass or a tuple is read from a row with a column for each part, one with names also from a dict by
    these. ValueError, TypeError or LookupError if the value is something else.
    """
    annotation: Any = kind
    return _reader(annotation)


@cache
def _reader(kind: Any) -> Read:
    origin: Any
    read: Read
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _READERS:
        return _READERS[kind]
    if origin is Annotated:
        read = parts[1]
        return read
    if origin is UnionType:
        [read] = [_reader(part) for part in parts if part is not NoneType]
        return lambda value: None if value is None else read(value)
    if origin is frozenset or parts[1:] == (...,):
        read = _reader(parts[0])
        return lambda values: origin([read(value) for value in values])
    if origin is tuple:
        return _row_reader(lambda *columns: columns, [_reader(part) for part in parts])
    return kind if issubclass(kind, Enum) else _fields_reader(kind)


def _row_reader(make: Callable[..., Any], columns: Sequence[Read]) -> Read:
    def read(row: Sequence[Any]) -> Any:
        if len(row) != len(columns):
            raise ValueError(f"{len(row)} columns instead of {len(columns)}")
        return make(*map(call, columns, row))

    return read


def _fields_reader(kind: Callable[..., Any]) -> Read:
    readers = {name: _reader(part) for name, part in get_type_hints(kind, include_extras=True).items()}
    read_row = _row_reader(kind, [*readers.values()])

    def read(row: Any) -> Any:
        if isinstance(row, dict):
            return kind(**{name: readers[name](value) for name, value in row.items()})
        return read_row(row)

    return read


def _described(value: Any) -> str:
    """The value for the log, where a text does not belong: it may be somebody's name, or cards."""
    if isinstance(value, int | float):
        return repr(value)
    return f"a value of the type {type(value).__name__}"


def text_or_bytes(raw: bytes) -> str | bytes:
    """A column's text as a connection reads it: text that is not UTF-8 stays bytes, which `text` refuses.

    By itself SQLite would refuse all rows because of that one.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def shown(value: Any) -> str:
    """This value as text, whatever it is: a name that is not UTF-8 can still be deleted."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def readable(what: str, rows: Iterable[Sequence[Any]], read: Callable[[Any], T]) -> list[T]:
    """Read what can be read of these rows; the others are logged and left out.

    `what` names one, with `{0}` for its first column.
    """
    found = []
    for row in rows:
        with suppress(Refusal), reading(what.format(*row)):
            found.append(read(row))
    return found


def numbered(rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """These rows, which begin with their numbers from 0; ValueError if one is missing."""
    if [row[0] for row in rows] != list(range(len(rows))):
        raise ValueError("a row is missing")
    return rows
