"""Conversion of dataclass values to JSON and back, following their annotations.

A new field needs no change here; if it has a default, values stored before it can still be read.
"""

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
    """Encodes a dataclass's fields by name: `only` these, or all that are compared except for `but`."""

    def __init__(self, kind: type[T], *, only: Collection[str] = (), but: Collection[str] = ()) -> None:
        self._kind = kind
        names = only or [one.name for one in fields(kind) if one.compare and one.name not in but]  # type: ignore[arg-type]
        types = get_type_hints(kind)
        self._types = {name: types[name] for name in names}
        self._values = attrgetter(*names)

    def differ(self, one: T, other: T) -> bool:
        """Whether any encoded field differs."""
        return bool(self._values(one) != self._values(other))  # tuples skip identical elements

    def encode(self, value: T) -> str:
        """The value's fields as JSON."""
        values = {name: plain(getattr(value, name), kind) for name, kind in self._types.items()}
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

    def fields(self, stored: str) -> dict[str, Any]:
        """Decode the fields in this JSON, by name; raises if they don't fit."""
        values = json.loads(stored)
        return {name: _converter.structure(value, self._types[name]) for name, value in values.items()}

    def decode(self, stored: str, **others: Any) -> T:
        """Decode a value, taking its remaining fields from `others`; raises if they don't fit."""
        return self._kind(**self.fields(stored), **others)


def plain(value: Any, kind: Any = None) -> Any:
    """Convert a value to plain JSON data, as this type or its own."""
    return _converter.unstructure(value, kind or type(value))


def _strict(value: Any, kind: type) -> Any:
    """Return the value if it has this type: cattrs would convert it, such as "5" to 5."""
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
    # Sets are sorted, so that equal values have equal JSON.
    converter.register_unstructure_hook_func(_is_frozenset, sorted)
    # Subclasses of tuple, such as `Seats`, are stored like plain tuples.
    converter.register_unstructure_hook_factory(
        _is_tuple_subclass, lambda kind: lambda value: [converter.unstructure(one) for one in value]
    )
    converter.register_structure_hook_func(
        _is_tuple_subclass, lambda value, kind: kind(converter.structure(value, kind.__orig_bases__[0]))
    )
    return converter


def _is_frozenset(kind: Any) -> bool:
    return get_origin(kind) is frozenset


def _is_tuple_subclass(kind: Any) -> bool:
    bases = getattr(kind, "__orig_bases__", ())
    return isinstance(kind, type) and any(get_origin(base) is tuple for base in bases)


_converter = _make_converter()
