"""Objects that are created on demand, and kept only once they have something to remember."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Registry(Generic[K, V]):
    """Values by key, shared by all callers. A value that isn't kept goes away with its last reference."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make
        self._in_use: WeakValueDictionary[K, V] = WeakValueDictionary()
        self._kept: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        """The value of this key, created now if there is none."""
        value = self._in_use.get(key)
        if value is None:
            value = self._in_use[key] = self._make(key)
        return value

    def __contains__(self, key: K) -> bool:
        """Whether the value of this key is kept."""
        return key in self._kept

    @property
    def values(self) -> list[V]:
        """The values that are kept."""
        return list(self._kept.values())

    def keep(self, key: K, value: V) -> None:
        """Keep this value until it is dropped."""
        self._kept[key] = value

    def drop(self, key: K) -> None:
        """Stop keeping the value of this key."""
        self._kept.pop(key, None)
