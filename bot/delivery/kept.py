"""Objects that are made on demand, and kept only once they have something to remember."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key, one for all callers. Unless it is kept, a value goes when nobody uses it."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make
        self._found: WeakValueDictionary[K, V] = WeakValueDictionary()
        self._kept: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        """The value of this key, made now if there is none."""
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._make(key)
        return found

    def __contains__(self, key: K) -> bool:
        """Whether the value of this key is kept."""
        return key in self._kept

    @property
    def values(self) -> list[V]:
        """Those that are kept."""
        return list(self._kept.values())

    def keep(self, key: K, value: V) -> None:
        """Keep this value until it is dropped."""
        self._kept[key] = value

    def drop(self, key: K) -> None:
        """Keep it no longer."""
        self._kept.pop(key, None)
