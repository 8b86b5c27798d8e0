"""What computer players are called."""

from __future__ import annotations

from collections.abc import Container


def computer_name(taken: Container[str]) -> str:
    """A computer's name that is not among these."""
    return next(name for number in range(1, 99) if (name := f"Computer {number}") not in taken)
