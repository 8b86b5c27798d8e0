"""What computers are called, and what stands for somebody who is not to be known any more."""

from __future__ import annotations

from collections.abc import Container

#: In place of the id of a person who has been forgotten.
NOBODY = 0


def computer_name(taken: Container[str]) -> str:
    """A computer's name that is not among these."""
    return next(name for number in range(1, 99) if (name := f"Computer {number}") not in taken)
