"""The decorator for functions that numba compiles, and the folder where their machine code is cached."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

import numba
import numpy as np
from filelock import FileLock
from numba import config, njit

from engine.kernel.kept import KeptCode

log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # nothing divides by zero
    "no_cfunc_wrapper": True,  # never called from C, and each would be compiled too
}
#: What else the machine code depends on besides its sources.
_COMPILER = (
    sys.implementation.cache_tag,
    numba.__version__,
    np.__version__,
    _OPTIONS,
    config.BOUNDSCHECK,  # type: ignore[attr-defined]  # made when numba is imported
)
_PREFIX = "compiled-"


class Row(Protocol):
    """An array of integers, as mypy sees it; mostly one number for each suit, with bits for cards."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Grid(Protocol):
    """Several rows, one for each seat."""

    @overload
    def __getitem__(self, index: int, /) -> Row: ...
    @overload
    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...


def _places() -> Iterator[Path]:
    """Where machine code may be cached: beside the sources, like Python's own, or in the user's cache."""
    if config.CACHE_DIR:  # type: ignore[attr-defined]  # numba's NUMBA_CACHE_DIR
        yield Path(config.CACHE_DIR)  # type: ignore[attr-defined]
    yield Path(__file__).parent / "__pycache__"
    try:
        yield Path.home() / ".cache" / "hearts-table"
    except RuntimeError:  # this user has no home
        return


def _keep_in(place: Path) -> bool:
    """Have numba cache machine code here; False if it can't be written, or if others could."""
    folder = place / (_PREFIX + hashlib.sha256(repr(_COMPILER).encode()).hexdigest()[:16])
    try:
        is_new = not folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours_alone(folder):
            log.warning("Compiled code isn't kept in %s: others may write there.", folder)
            return False
        with TemporaryFile(dir=folder):
            pass
        folder.chmod(0o700)  # numba makes folders in it that the umask may leave open
    except OSError:
        return False
    if is_new:
        _remove_others(folder)
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # made when numba is imported
    return True


def _is_ours_alone(folder: Path) -> bool:
    """Whether only this user, and root, may write there: what is read from it runs as our code."""
    if sys.platform == "win32":  # where modes say nothing
        return True
    found = folder.stat()
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & 0o022


def _remove_others(folder: Path) -> None:
    """Remove other compilers' folders; a process that still needs one recreates it."""
    for other in folder.parent.glob(_PREFIX + "*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


_KEPT = any(_keep_in(place) for place in _places())
#: When processes start together, as workers and tests do, one compiles and the others wait for it.
_TURN = FileLock(Path(config.CACHE_DIR or ".", "lock"))  # type: ignore[attr-defined]
#: Seconds after which a process compiles for itself.
LONGEST_WAIT = 120.0


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """This function as machine code, compiled at its first call or loaded from the cache."""
    dispatcher: Any = njit(**_OPTIONS)(function)
    if _KEPT and not config.DISABLE_JIT:  # type: ignore[attr-defined]
        dispatcher._cache = KeptCode(function)
        dispatcher.compile = _in_turn(dispatcher.compile)
    return cast("Callable[P, R]", dispatcher)


def _in_turn(compile: Callable[P, R]) -> Callable[P, R]:
    """Compile while no other process does."""

    def wait_and_compile(*arguments: P.args, **options: P.kwargs) -> R:
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # a timeout, or a file system without locks
                stack.enter_context(_TURN.acquire(LONGEST_WAIT))
            return compile(*arguments, **options)

    return wait_and_compile
