"""The machine code cache: found by a digest of its sources, and verified before it runs."""

from __future__ import annotations

import dis
import hashlib
import logging
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from uuid import uuid4

from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

log = logging.getLogger(__name__)

#: Only our own sources are hashed; numba, numpy and Python have versions.
PACKAGE = __name__.partition(".")[0]
#: Types of global values that numba copies into the machine code.
VALUES = (bool, int, float, str, tuple, type(None))
#: Bytes of the checksum before each piece.
CHECK = hashlib.sha256().digest_size
_said: set[str] = set()


class KeptCode(FunctionCache):
    """numba's cache of a function's machine code, with a file for each signature and machine.

    numba's own cache keeps using old code when another module that went into it changes, and fails on
    truncated files.
    """

    _cache_file: Any

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(Path(self.cache_path), function)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save this piece; if that fails, it is still compiled in this process."""
        try:
            super().save_overload(signature, result)
        except OSError as problem:
            _say_once("Compiled code cannot be kept (%s), so each process has to compile it again.", problem)


class _Files:
    """The pieces of one function."""

    def __init__(self, folder: Path, function: Callable[..., Any]) -> None:
        self._folder = folder
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"

    def load(self, key: object) -> Any:
        """The piece with this key; None if there is none, or its file is damaged."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        packed = content[CHECK:]
        if hashlib.sha256(packed).digest() == content[:CHECK]:
            return pickle.loads(packed)
        _say_once(
            "Compiled code in %s is damaged: it is thrown away and compiled again.", self._folder.parent
        )
        return None

    def save(self, key: object, piece: object) -> None:
        """Save it, in place of pieces from other sources. OSError if it can't be written."""
        path, packed = self._path(key), dumps(piece)
        part = path.with_name(uuid4().hex)
        try:
            part.write_bytes(hashlib.sha256(packed).digest() + packed)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        for other in self._folder.glob(f"{self._name}-*"):
            if not other.name.startswith(self._begin):
                other.unlink(missing_ok=True)

    @property
    def is_there(self) -> bool:
        """Whether there is any piece from these sources."""
        return any(self._folder.glob(f"{self._begin}-*.code"))

    def _path(self, key: object) -> Path:
        return self._folder / f"{self._begin}-{_digest(key)}.code"

    @property
    def _begin(self) -> str:
        # Not before the function is called: by then, everything that it calls is defined.
        return f"{self._name}-{made_of(self._function)}"


def is_kept(function: Callable[..., Any]) -> bool:
    """Whether machine code of this compiled function, from its present sources, has been saved."""
    cache = getattr(function, "_cache", None)
    return isinstance(cache, KeptCode) and bool(cache._cache_file.is_there)


def made_of(function: Callable[..., Any]) -> str:
    """A digest of all sources and values that end up in this function's machine code.

    TypeError if it uses something that can't be hashed.
    """
    found: dict[str, str] = {}
    left: list[Any] = [function]
    while left:
        one = left.pop()
        if (name := f"{one.__module__}.{one.__qualname__}") in found:
            continue
        found[name] = _source(one.__module__)
        for used, value in _globals(one):
            if isinstance(value, Dispatcher):
                left.append(value.py_func)
            elif isinstance(
                value, (type, FunctionType)
            ):  # an argument's class, or a function with an overload
                found[value.__module__] = _source(value.__module__)
            elif isinstance(value, VALUES):
                found[f"{one.__module__}.{used}"] = repr(value)
            elif not isinstance(value, BuiltinFunctionType) and not _is_of_others(value):
                raise TypeError(f"compiled code can't use {used}, as {name} does: {type(value).__name__}")
    return _digest(sorted(found.items()))


@cache
def _globals(function: FunctionType) -> list[tuple[str, Any]]:
    """The names and values of the globals that the function uses, and of its arguments' classes."""
    used = set(_used(function.__code__))
    named = {name for kind in function.__annotations__.values() for name in re.findall(r"\w+", str(kind))}
    known = function.__globals__
    return [(name, known[name]) for name in sorted(used & known.keys())] + [
        (name, known[name]) for name in sorted(named & known.keys()) if isinstance(known[name], type)
    ]


def _used(code: CodeType) -> Iterator[str]:
    for one in dis.get_instructions(code):
        if one.opname == "LOAD_GLOBAL":
            yield one.argval
    for inner in code.co_consts:  # of a comprehension, for instance
        if isinstance(inner, CodeType):
            yield from _used(inner)


def _is_of_others(value: object) -> bool:
    """Whether it is a module that isn't ours."""
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] != PACKAGE


@cache
def _source(module: str) -> str:
    """The digest of a module's source; empty if it isn't ours."""
    if module.partition(".")[0] != PACKAGE:
        return ""
    file = sys.modules[module].__file__
    assert file is not None
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _digest(of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()[:16]


def _say_once(sentence: str, value: object) -> None:
    """Log this once: a hundred pieces may have the same problem."""
    if sentence not in _said:
        _said.add(sentence)
        log.warning(sentence, value)
