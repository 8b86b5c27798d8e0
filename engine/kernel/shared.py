"""Makes plain functions of `engine.numbers` known to the compiler."""

from __future__ import annotations

from inspect import getmembers, isfunction
from types import ModuleType
from typing import Any

from numba.core import types
from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros
from numba.extending import intrinsic, overload, register_jitable

from engine.numbers import appeal, rows
from engine.numbers.rows import count, highest, lowest


@intrinsic
def _set_bits(typing: Any, row: types.Integer) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


# The processor has an instruction for each of these.


@overload(highest, strict=False)
def _highest(row: int) -> Any:
    return lambda row: 63 - leading_zeros(row)  # type: ignore[call-arg]


@overload(lowest, strict=False)
def _lowest(row: int) -> Any:
    return lambda row: trailing_zeros(row)  # type: ignore[call-arg]


@overload(count, strict=False)
def _count(row: int) -> Any:
    return lambda row: _set_bits(row)  # type: ignore[call-arg]


def share(module: ModuleType) -> None:
    """Let compiled code call this module's own functions, as the compiler translates them."""
    for _, function in getmembers(module, isfunction):
        if function.__module__ == module.__name__ and function not in (highest, lowest, count):
            register_jitable(function)


share(rows)
share(appeal)
