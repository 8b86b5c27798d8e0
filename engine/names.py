"""The names of computers, names that look alike, and the id that replaces a person whose data was deleted."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from wcwidth import wcswidth

#: Replaces the id of a person whose data was deleted.
NOBODY = 0

_COMPUTERS = """\
Otto Mika Ines Ravi Rosa Emil Yuki Lola Hugo Nina Kofi Elsa Leo Zoe Omar Ida Theo Lina Pablo Mei Jonas Vera
Tariq Greta Luca Amara Nils Sofia Idris Clara Kai Noor Felix Alma Tomas Suki Bruno Leila Arlo Petra Dario Maya
Anton Selma Enzo Marta Finn Aya"""
#: The names of computers: enough for each at a table to have its own, even if players use some of them.
COMPUTERS = tuple(_COMPUTERS.split())
#: How many names further on the next table starts, so that friends meet new computers.
STRIDE = 7

#: Characters that can't be seen: Unicode's Default_Ignorable_Code_Point, control characters, surrogates, and
#: the empty Braille pattern.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_NUMBER = re.compile(r" \(\d{1,2}\)$")


@lru_cache(maxsize=4096)
def look_of(name: str) -> str:
    """A key that is equal for names that look alike; "" if this one is invisible."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", name)).casefold()
    visible = " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", plain)).split())
    return visible if wcswidth(visible) > 0 else ""


@lru_cache(maxsize=1024)
def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with a number added to each that looks like one before it.

    >>> told_apart(("Sam", "Bo", "sam"))
    ('Sam', 'Bo', 'sam (2)')
    """
    looks, distinct = {look_of(name) for name in names}, {}
    for name in names:
        number, candidate = 1, name
        while look_of(candidate) in distinct or (number > 1 and look_of(candidate) in looks):
            number += 1
            candidate = f"{name} ({number})"
        distinct[look_of(candidate)] = candidate
    return tuple(distinct.values())


def number_of(name: str) -> str:
    """The suffix that may tell a name from others, as ` (2)`; "" if there is none."""
    match = _NUMBER.search(name)
    return match[0] if match else ""


def computer_name(used: Iterable[str], table: int) -> str:
    """The name of this table's next computer, which looks like none of those used."""
    start = table * STRIDE % len(COMPUTERS)
    looks = {look_of(name) for name in used}
    return next(name for name in COMPUTERS[start:] + COMPUTERS[:start] if look_of(name) not in looks)
