"""What computers are called, and what stands for somebody who is not to be known any more."""

from __future__ import annotations

from collections.abc import Iterable

#: In place of the id of a person who has been forgotten.
NOBODY = 0

_COMPUTERS = """\
Otto Mika Ines Ravi Rosa Emil Yuki Lola Hugo Nina Kofi Elsa Leo Zoe Omar Ida Theo Lina Pablo Mei Jonas Vera
Tariq Greta Luca Amara Nils Sofia Idris Clara Kai Noor Felix Alma Tomas Suki Bruno Leila Arlo Petra Dario Maya
Anton Selma Enzo Marta Finn Aya"""
#: Of computers: more than any table has seats, so that each has its own beside people of any name.
COMPUTERS = tuple(_COMPUTERS.split())
#: How far the next table goes on in them, so that friends meet others there.
STRIDE = 7


def computer_name(taken: Iterable[str], table: int) -> str:
    """The name of this table's next computer, which is none of these."""
    start = table * STRIDE % len(COMPUTERS)
    used = {name.strip().casefold() for name in taken}
    return next(name for name in COMPUTERS[start:] + COMPUTERS[:start] if name.casefold() not in used)
