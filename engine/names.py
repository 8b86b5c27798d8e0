"""The names of computers, names that look alike, and the id that replaces a person whose data was deleted."""

from __future__ import annotations

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
#: The names of computers: more than any table has seats, so that each has its own beside any people.
COMPUTERS = tuple(_COMPUTERS.split())
#: By how many names the next table starts later, so that friends meet new computers.
STRIDE = 7


#: What has no look of its own: Unicode's Default_Ignorable_Code_Point, control characters, halves of a
#: character, the empty pattern of Braille.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_NUMBER = re.compile(r" \(\d{1,2}\)$")


@lru_cache(maxsize=4096)
def look_of(name: str) -> str:
    """A key that is equal for names that look alike; "" if nothing can be seen of this one."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", name)).casefold()
    seen = " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", plain)).split())
    return seen if wcswidth(seen) > 0 else ""


@lru_cache(maxsize=1024)
def told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with a number added to each that looks like one before it.

    >>> told_apart(("Sam", "Bo", "sam"))
    ('Sam', 'Bo', 'sam (2)')
    """
    others, found = {look_of(name) for name in names}, {}
    for name in names:
        number, shown = 1, name
        while look_of(shown) in found or (number > 1 and look_of(shown) in others):
            number += 1
            shown = f"{name} ({number})"
        found[look_of(shown)] = shown
    return tuple(found.values())


def number_of(name: str) -> str:
    """The number at the end of a name that may tell it from others, with its space; "" if there is none."""
    found = _NUMBER.search(name)
    return found[0] if found else ""


def computer_name(taken: Iterable[str], table: int) -> str:
    """The name of this table's next computer, none of those taken."""
    start = table * STRIDE % len(COMPUTERS)
    used = {look_of(name) for name in taken}
    return next(name for name in COMPUTERS[start:] + COMPUTERS[:start] if look_of(name) not in used)
