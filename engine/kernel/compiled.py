"""The decorator for functions that numba compiles, and the folder where their machine code is cached."""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from filelock import FileLock
from numba import config, njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # nothing divides by zero
    "no_cfunc_wrapper": True,  # never called from C, and each would be compiled too
}
#: What the machine code depends on besides its sources.
_COMPILER = (
    sys.implementation.cache_tag,
    numba.__version__,
    np.__version__,
    _OPTIONS,
    config.BOUNDSCHECK,  # type: ignore[attr-defined]  # set when numba is imported
)
_PREFIX = "compiled-"
#: The engine's folders that may end up in machine code; they import nothing from the others.
_FLOORS = (".", "languages", "rules", "play", "numbers", "kernel", "players", "players/strong")


def sources() -> list[Path]:
    """The files that may end up in machine code, with a constant if not with a function."""
    engine = Path(__file__).parents[1]
    return [path for floor in _FLOORS for path in sorted((engine / floor).glob("*.py"))]


def _digest() -> str:
    """The name of the folder: numba alone notices changes only in a function's own module, not in others."""
    files = [(path.name, sha256(path.read_bytes()).hexdigest()) for path in sources()]
    return sha256(repr((_COMPILER, files)).encode()).hexdigest()[:16]


def _places() -> Iterator[Path]:
    """Where machine code may be cached: beside the sources, as Python does, or in the user's cache."""
    if config.CACHE_DIR:  # type: ignore[attr-defined]  # numba's NUMBA_CACHE_DIR
        yield Path(config.CACHE_DIR)  # type: ignore[attr-defined]
    yield Path(__file__).parent / "__pycache__"
    try:
        yield Path.home() / ".cache" / "hearts-table"
    except RuntimeError:  # this user has no home
        return


def _keep_in(place: Path) -> bool:
    """Have numba cache machine code in this place; False if we can't write there, or if others can."""
    folder = place / (_PREFIX + _digest())
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
    """Whether only this user and root may write there, as what is read from it runs as our code."""
    if sys.platform == "win32":  # where modes mean nothing
        return True
    status = folder.stat()
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022


def _remove_others(folder: Path) -> None:
    """Remove the folders of other sources and compilers; a process that still needs one recreates it."""
    for other in folder.parent.glob(_PREFIX + "*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


_IS_CACHED = any(_keep_in(place) for place in _places())
#: When processes start together, as workers and tests do, one compiles and the others wait for it.
_TURN = FileLock(Path(config.CACHE_DIR or ".", "lock"))  # type: ignore[attr-defined]
#: Seconds after which a process stops waiting and compiles too.
LONGEST_TURN = 120.0
_warned: set[str] = set()


class _Checked(CompileResultCacheImpl):
    """A function's cache with a checksum, as damaged machine code would crash or play wrongly."""

    def reduce(self, result: Any) -> tuple[bytes, bytes]:
        packed = dumps(super().reduce(result))
        return sha256(packed).digest(), packed

    def rebuild(self, context: Any, payload: tuple[bytes, bytes]) -> Any:
        checksum, packed = payload
        if sha256(packed).digest() != checksum:
            raise ValueError("damaged")
        return super().rebuild(context, pickle.loads(packed))


class _Cache(FunctionCache):
    """numba's cache, but a damaged file or a full disk only means compiling again."""

    _impl_class = _Checked

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            cached = super().load_overload(signature, context)
            # A process that was killed while saving may leave another signature's code under this one.
            if cached is None or cached.signature.args == signature:
                return cached
        except Exception:  # damaged bytes may raise anything
            pass
        _warn_once("Compiled code in %s is damaged: it is thrown away and compiled again.", config.CACHE_DIR)  # type: ignore[attr-defined]
        with suppress(OSError):
            self.flush()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        try:
            super().save_overload(signature, result)
        except OSError as problem:
            _warn_once("Compiled code cannot be kept (%s), so each process has to compile it again.", problem)


def _warn_once(sentence: str, value: object) -> None:
    """Log a warning only once: a hundred functions may have the same problem."""
    if sentence not in _warned:
        _warned.add(sentence)
        log.warning(sentence, value)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """This function as machine code, compiled at its first call or loaded from the cache."""
    dispatcher: Any = njit(**_OPTIONS)(function)
    if _IS_CACHED and not config.DISABLE_JIT:  # type: ignore[attr-defined]
        dispatcher._cache = _Cache(function)
        dispatcher.compile = _in_turn(dispatcher.compile)
    return cast("Callable[P, R]", dispatcher)


def _in_turn(compile: Callable[P, R]) -> Callable[P, R]:
    """Compile while no other process does."""

    def wait_and_compile(*arguments: P.args, **options: P.kwargs) -> R:
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # a timeout, or a file system without locks
                stack.enter_context(_TURN.acquire(LONGEST_TURN))
            return compile(*arguments, **options)

    return wait_and_compile
