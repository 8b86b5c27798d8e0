"""Checks of a record's JSON: each answers the value if it has the right shape, or raises RecordError."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engine.cards import Card, Hand
from engine.errors import RecordError
from engine.sentences import quote


def fields(value: Any, what: str, needed: Collection[str], derived: Collection[str]) -> dict[str, Any]:
    """An object with every needed field, perhaps derived ones, and no others."""
    if type(value) is not dict:
        raise RecordError(f"{what} must be an object, not {quote(value)}.")
    for name in value:
        if name not in needed and name not in derived:
            raise RecordError(f"{what} has no field called {quote(name)}.")
    for name in needed:
        if name not in value:
            raise RecordError(f"{what} has no {name}.")
    return value


def entries(value: Any, what: str, size: int | None = None) -> list[Any]:
    """A list, of this size if there is one."""
    if type(value) is not list:
        raise RecordError(f"{what} must be a list, not {quote(value)}.")
    if size is not None and len(value) != size:
        noun = "entry" if size == 1 else "entries"
        raise RecordError(f"{what} must have {size} {noun}, not {len(value)}.")
    return value


def number(value: Any, what: str) -> int:
    """A whole number; neither `true` nor 1.0 is one."""
    if type(value) is not int:
        raise RecordError(f"{what} must be a whole number, not {quote(value)}.")
    return value


def seat(value: Any, what: str, players: int) -> int:
    """A seat's number."""
    if number(value, what) not in range(players):
        raise RecordError(f"{what} must be a seat from 0 to {players - 1}, not {quote(value)}.")
    return int(value)


def card(value: Any, faces: dict[str, Card]) -> Card:
    """A card of the pack, from its code."""
    found = faces.get(value) if type(value) is str else None
    if found is None:
        raise RecordError(f"There is no card {quote(value)} in the pack.")
    return found


def hand(value: Any, what: str, faces: dict[str, Card], size: int | None = None) -> Hand:
    """A list of cards, of this size if there is one."""
    return tuple([card(code, faces) for code in entries(value, what, size)])


def same(given: Any, derived: Any) -> bool:
    """Equal as JSON: `true` is not 1, and neither is 1.0."""
    if type(given) is not type(derived):
        return False
    if type(derived) is list:
        return len(given) == len(derived) and all(map(same, given, derived))
    if type(derived) is dict:
        return given.keys() == derived.keys() and all(same(given[name], derived[name]) for name in derived)
    return bool(given == derived)
