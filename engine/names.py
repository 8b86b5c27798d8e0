"""The names of computers, and the id that replaces a person whose data was deleted."""

from __future__ import annotations

from collections.abc import Iterable

#: Replaces the id of a person whose data was deleted.
NOBODY = 0

_COMPUTERS = """\
Otto Mika Ines Ravi Rosa Emil Yuki Lola Hugo Nina Kofi Elsa Leo Zoe Omar Ida Theo Lina Pablo Mei Jonas Vera
Tariq Greta Luca Amara Nils Sofia Idris Clara Kai Noor Felix Alma Tomas Suki Bruno Leila Arlo Petra Dario Maya
Anton Selma Enzo Marta Finn Aya"""
#: The names of computers: more than any table has seats, so that each has its own beside any people.
COMPUTERS = tuple(_COMPUTERS.split())
#: By how many names the next table starts later, so that friends meet new computers.
STRIDE = 7


def computer_name(taken: Iterable[str], table: int) -> str:
    """The name of this table's next computer, none of those taken."""
    start = table * STRIDE % len(COMPUTERS)
    used = {name.strip().casefold() for name in taken}
    return next(name for name in COMPUTERS[start:] + COMPUTERS[:start] if name.casefold() not in used)
