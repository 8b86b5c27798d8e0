"""Values to JSON and back, as the annotations of their dataclass say.

A field that is added needs nothing here; with a default, what was stored before it is still read.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import fields
from operator import attrgetter
from typing import Any, Generic, TypeVar, get_origin, get_type_hints

from cattrs import Converter

from engine.languages import Language, by_code
from engine.rules.ruleset import Ruleset

T = TypeVar("T")


class Codec(Generic[T]):
    """Stores the fields of a dataclass by name: `only` these, or all `but` those and what doesn't compare."""

    def __init__(self, kind: type[T], *, only: Collection[str] = (), but: Collection[str] = ()) -> None:
        self._kind = kind
        names = only or [one.name for one in fields(kind) if one.compare and one.name not in but]  # type: ignore[arg-type]
        types = get_type_hints(kind)
        self._types = {name: types[name] for name in names}
        self._values = attrgetter(*names)

    def differ(self, one: T, other: T) -> bool:
        """Whether what is stored of them differs."""
        return bool(self._values(one) != self._values(other))  # tuples: what is the same isn't compared

    def encode(self, value: T) -> str:
        """These fields as JSON."""
        known = {name: plain(getattr(value, name), kind) for name, kind in self._types.items()}
        return json.dumps(known, separators=(",", ":"), ensure_ascii=False)

    def fields(self, stored: str) -> dict[str, Any]:
        """The fields that this JSON holds, by name; an exception if it doesn't."""
        found = json.loads(stored)
        return {name: _converter.structure(value, self._types[name]) for name, value in found.items()}

    def decode(self, stored: str, **others: Any) -> T:
        """The value of such fields, and of these `others`; an exception if it isn't one."""
        return self._kind(**self.fields(stored), **others)


def plain(value: Any, kind: Any = None) -> Any:
    """A value of this type, or of its own, as JSON has it."""
    return _converter.unstructure(value, kind or type(value))


def _strict(value: Any, kind: type) -> Any:
    """The value itself, if it is of this type: cattrs would make one of it, 5 of "5"."""
    if type(value) is kind:
        return value
    if kind is float and type(value) is int:
        return float(value)
    raise TypeError(f"a value of the type {type(value).__name__} is no {kind.__name__}")


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=False, forbid_extra_keys=True)
    for kind in (int, str, bool, float):
        converter.register_structure_hook(kind, _strict)
    converter.register_unstructure_hook(Ruleset, Ruleset.to_whole_json)
    converter.register_structure_hook(Ruleset, lambda value, _: Ruleset.from_json(value))
    converter.register_unstructure_hook(Language, lambda language: language.code)
    converter.register_structure_hook(Language, lambda value, _: by_code(value))
    # Sets in order, so that equal values are stored alike.
    converter.register_unstructure_hook_func(lambda kind: _origin(kind) is frozenset, sorted)
    # A tuple with words of its own, such as `Seats`, is stored like any other.
    converter.register_unstructure_hook_factory(
        _is_named_tuple, lambda kind: lambda value: [converter.unstructure(one) for one in value]
    )
    converter.register_structure_hook_func(
        _is_named_tuple, lambda value, kind: kind(converter.structure(value, kind.__orig_bases__[0]))
    )
    return converter


def _is_named_tuple(kind: Any) -> bool:
    bases = getattr(kind, "__orig_bases__", ())
    return isinstance(kind, type) and any(_origin(base) is tuple for base in bases)


def _origin(kind: Any) -> Any:
    return get_origin(kind)


_converter = _make_converter()
